import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Description } from '../../src/server/openapi/description.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { openKeyed } from './keyed.ts'

type Link = {
  readonly operationId: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: object
}
type Operation = { readonly method: string; readonly path: string; readonly links: readonly Link[] }
type Sent = { readonly path: string; readonly body: unknown }

let model: ScriptedModel
let service: Awaited<ReturnType<typeof openKeyed>>
let token: string
let operations: ReadonlyMap<string, Operation>

beforeAll(async () => {
  model = await startScriptedModel([{ text: ['At most 120 euros.'] }])
  const papers = { type: 'folder', path: '/nowhere/papers', everyMinutes: 0 } as const
  const named = { url: model.url, name: 'scripted' }
  service = await openKeyed({}, {}, named, { sources: { papers } })
  token = await service.token('default', 'admin')
  const answer = await service.app.request('/openapi.json')
  operations = listOperations((await answer.json()) as Description)
})
afterAll(async () => {
  await service.close()
  await model.close()
})

function listOperations({ paths }: Description): ReadonlyMap<string, Operation> {
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => {
      const { links = {} } = (responses['200'] ?? responses['201'] ?? {}) as {
        links?: Readonly<Record<string, Link>>
      }
      return [
        operationId,
        { method: method.toUpperCase(), path, links: Object.values(links) },
      ] as const
    }),
  )
  return new Map(found)
}

/** Sends a request of the operation, and returns what its links refer to. */
async function send(id: string, path: string, body?: object): Promise<Sent> {
  const answer = await service.call(token, operations.get(id)?.method ?? '', path, body)
  const told = (await answer.json()) as object
  expect(answer.ok, JSON.stringify(told)).toBe(true)
  return { path, body: told }
}

function resolve(expression: string, { path, body }: Sent, template: string): string {
  const [kind = '', place = ''] = expression.slice(1).split(/\.path\.|\.body#/)
  if (kind === 'request') return path.split('/')[template.split('/').indexOf(`{${place}}`)] ?? ''
  const value = place
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, key) => Object(inner)[key], body)
  return String(value)
}

/** Follows the links that read, and then one that deletes. Events may not exist, and are left out. */
async function follow(id: string, sent: Sent): Promise<readonly string[]> {
  const source = operations.get(id)
  const targets = (source?.links ?? []).map(({ operationId, parameters = {} }) => {
    const { method = '', path = '' } = operations.get(operationId) ?? {}
    const address = Object.entries(parameters).reduce(
      (url, [name, value]) => url.replace(`{${name}}`, resolve(value, sent, source?.path ?? '')),
      path,
    )
    return { method, address }
  })
  const reads = targets.filter(
    ({ method, address }) => method === 'GET' && !/events$/.test(address),
  )
  const deletion = targets.filter(({ method }) => method === 'DELETE').slice(0, 1)
  const told: string[] = []
  for (const { method, address } of [...reads, ...deletion]) {
    const answer = await service.call(token, method, address)
    await answer.body?.cancel()
    told.push(`${method} ${address} ${answer.status}`)
  }
  return told
}

async function listUnfinished(): Promise<readonly unknown[]> {
  const { jobs } = (await (await service.call(token, 'GET', '/api/jobs')).json()) as {
    readonly jobs: readonly { readonly state: string }[]
  }
  return jobs.filter(({ state }) => state !== 'completed')
}

/** An object whose job is under way may vanish or change. */
async function waitForJobs(): Promise<void> {
  await vi.waitFor(async () => expect(await listUnfinished()).toEqual([]), 90_000)
}

const ASKED = { input: 'What may a hotel cost?' }
const ADDED = { id: 'taxi', text: 'A taxi is paid.' }

test.each<[string, string, object]>([
  ['postV1Conversations', '/v1/conversations', {}],
  ['postV1Responses', '/v1/responses', ASKED],
  ['postV1Vector_stores', '/v1/vector_stores', { name: 'leases' }],
  ['postApiKeys', '/api/keys', { name: 'other', scope: 'read' }],
  ['postApiCollectionsIdDocuments', '/api/collections/travel/documents', ADDED],
])(
  'the links of %s lead from the new object to its routes',
  async (id, path, body) => {
    const sent = await send(id, path, body)
    await waitForJobs()
    const followed = await follow(id, sent)
    expect(followed).not.toEqual([])
    expect(followed.filter(line => !line.endsWith(' 200'))).toEqual([])
  },
  120_000,
)

test('the links of a list lead to its first object', async () => {
  const kept = { id: 'bus', text: 'A bus is paid, too.' } // the jobs of deleted documents are removed at some time
  await send('postApiCollectionsIdDocuments', '/api/collections/travel/documents', kept)
  for (const [id, path] of [
    ['getApiJobs', '/api/jobs'],
    ['getV1Models', '/v1/models'],
  ] as const) {
    await waitForJobs()
    const followed = await follow(id, await send(id, path))
    expect(followed).toMatchObject([expect.stringMatching(/^GET .* 200$/)])
  }
})
