import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { Api } from '../server/api.ts'
import { findContract, OpenAIContract } from './openai-contract.ts'

const file = findContract()
const RESOURCES = [
  '/files',
  '/uploads',
  '/vector_stores',
  '/embeddings',
  '/models',
  '/chat',
  '/responses',
  '/conversations',
]
const DOCS = 'docs/http.md'
/** They mean the same in every list. */
const PAGING: ReadonlySet<string> = new Set(['after', 'before', 'order', 'limit'])
/** What is said of a parameter that is not simply taken. */
const NOTE = /^(?:Taken, without|Refused:|Only (?:false|1:|those)|Either:)|handed on/i
const MARKS = ['<!-- parameters: begin -->', '<!-- parameters: end -->'] as const

type Property = { readonly description?: string }
type Operation = {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Property }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: { properties?: object } }> }
}
type Described = { readonly paths: Record<string, Record<string, Operation>> }
type Route = {
  readonly name: string
  readonly wanted: readonly string[]
  readonly known: ReadonlyMap<string, Property>
}

describe.skipIf(!file)('parameters as OpenAI publishes them (needs ../shared/contract or $PASSIM_SHARED)', () => {
  let sandbox: Sandbox
  let contract: OpenAIContract
  let served: ReadonlyMap<string, Operation>
  let routes: readonly Route[]

  beforeAll(async () => {
    sandbox = await Sandbox.make()
    const api = new Api(await sandbox.open())
    contract = new OpenAIContract(file!) // the suite is skipped without one
    served = servedBy((await api.json('GET', '/openapi.json')) as unknown as Described)
    routes = routesOf(contract, served)
  })
  afterAll(() => sandbox.remove())

  test('are each taken, handed on, or refused by name', () => {
    const forgotten = routes.flatMap(({ name, wanted, known }) =>
      wanted.filter(parameter => !known.has(parameter)).map(parameter => `${name}: ${parameter}`),
    )
    expect(forgotten).toEqual([])
  })
  test('belong to routes that are served, or named with the reason in docs/http.md', async () => {
    const [, after = ''] = (await readFile(DOCS, 'utf8')).split('Routes of the contract that are not served')
    const [table = ''] = /\n\|[\s\S]*?\n\n/.exec(after) ?? []
    const named = [...table.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, route]) => route)
    const missing = contract.routes(RESOURCES).filter(route => !served.has(keyOf(route)))
    expect(missing.toSorted()).toEqual(named.toSorted())
  })
  /** `npx vitest run -u` with this file writes the table anew. */
  test('are in the table of docs/http.md', async () => {
    const docs = await readFile(DOCS, 'utf8')
    const [before, after] = [docs.split(MARKS[0])[0], docs.split(MARKS[1])[1]]
    const table = [MARKS[0], ...tableOf(routes), MARKS[1]].join('\n')
    await expect(`${before}${table}${after}`).toMatchFileSnapshot(`../../${DOCS}`)
  })
})

/** What is served, by the routes of OpenAI. */
function servedBy({ paths }: Described): ReadonlyMap<string, Operation> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [placeless(method, path), operation] as const),
  )
  return new Map(operations)
}

/** Under what a route of the contract is served. */
function keyOf(route: string): string {
  const [method = '', path = ''] = route.split(' ')
  return placeless(method, `/v1${path}`)
}

/** The routes of the contract that are served and take something. */
function routesOf(contract: OpenAIContract, served: ReadonlyMap<string, Operation>): readonly Route[] {
  return contract.routes(RESOURCES).flatMap(name => {
    const [method = '', path = ''] = name.split(' ')
    const wanted = contract.parameters(method, path)
    const operation = served.get(keyOf(name))
    return operation && wanted.length > 0 ? [{ name, wanted, known: parametersOf(operation) }] : []
  })
}

/** Ids in a path are called differently here and there. */
function placeless(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`
}

function parametersOf({ parameters = [], requestBody }: Operation): ReadonlyMap<string, Property> {
  const inQuery = parameters
    .filter(parameter => parameter.in === 'query')
    .map(({ name, schema }) => [name, schema] as const)
  const inBody = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries(schema.properties ?? {}),
  )
  return new Map([...inQuery, ...(inBody as [string, Property][])]) // JSON Schema's
}

function tableOf(routes: readonly Route[]): readonly string[] {
  const coverage = routes.map(({ name, wanted, known }) => {
    const taken = wanted.filter(parameter => !known.get(parameter)?.description?.startsWith('Refused'))
    return `| \`${name}\` | ${taken.length} of ${wanted.length} |`
  })
  const coverageHead = ['| route | parameters taken |', '|---|---|']
  return [...coverageHead, ...coverage, '', '| route | parameters | |', '|---|---|---|', ...routes.flatMap(notesOf)]
}

/** What is said of the parameters of a route, a line for those of which the same is said. */
function notesOf({ name, wanted, known }: Route): readonly string[] {
  const groups = new Map<string, string[]>()
  for (const parameter of wanted.filter(name => !PAGING.has(name))) {
    const description = known.get(parameter)?.description
    if (description && NOTE.test(description))
      groups.set(description, [...(groups.get(description) ?? []), `\`${parameter}\``])
  }
  return [...groups].map(([description, parameters]) => `| \`${name}\` | ${parameters.join(', ')} | ${description} |`)
}
