import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { startCli } from '../fakes/cli.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { TestCluster } from '../fakes/test-cluster.ts'

const database = process.env.PASSIM_TEST_POSTGRES

/** Lines of a batch. */
const LINES = 24

const ids = Array.from({ length: LINES }, (_, at) => `line-${at}`)

let sandbox: Sandbox
let model: ScriptedModel
/** How often the model was asked about each line. */
let asked: Map<string, number>

beforeEach(async () => {
  sandbox = await Sandbox.make()
  asked = new Map()
  model = await startScriptedModel(async ({ body }) => {
    const [id = ''] = /line-\d+/.exec(JSON.stringify(body.messages)) ?? []
    asked.set(id, (asked.get(id) ?? 0) + 1)
    await new Promise(resolve => setTimeout(resolve, 50)) // so that a kill meets lines under way
    return { text: [`Answer to ${id}.`] }
  })
})
afterEach(async () => {
  await model.close()
  await sandbox.remove()
})

type Batch = {
  readonly id: string
  readonly status: string
  readonly output_file_id?: string
  readonly request_counts: { readonly completed: number; readonly failed: number }
}

/** Calls one service after another, as they die. */
class Client {
  url = ''
  readonly token: string

  constructor(token = '') {
    this.token = token
  }

  async createBatch(): Promise<string> {
    const lines = ids.map(custom_id => {
      const body = { input: `What is the answer to ${custom_id}?`, store: false }
      return JSON.stringify({ custom_id, method: 'POST', url: '/v1/responses', body })
    })
    const form = new FormData()
    form.append('file', new File([lines.join('\n')], 'requests.jsonl'))
    form.append('purpose', 'batch')
    const { id: input_file_id } = (await this.#send('/v1/files', form)) as { id: string }
    const own = { endpoint: '/v1/responses', completion_window: '24h' }
    const batch = await this.#send('/v1/batches', JSON.stringify({ ...own, input_file_id }))
    return (batch as { id: string }).id
  }

  async find(id: string): Promise<Batch> {
    return (await this.#send(`/v1/batches/${id}`)) as Batch
  }

  async countDone(id: string): Promise<number> {
    return (await this.find(id)).request_counts.completed
  }

  async readAnswers(fileId: string | undefined): Promise<readonly string[]> {
    const response = await fetch(`${this.url}/v1/files/${fileId}/content`, {
      headers: this.#headers,
    })
    const lines = (await response.text()).trimEnd().split('\n')
    return lines.map(line => (JSON.parse(line) as { custom_id: string }).custom_id)
  }

  get #headers(): Readonly<Record<string, string>> {
    return this.token ? { authorization: `Bearer ${this.token}` } : {}
  }

  async #send(path: string, body?: string | FormData): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      headers: this.#headers,
      ...(body !== undefined && { method: 'POST', body }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return await response.json()
  }
}

const patience = { timeout: 120_000, interval: 50 }

/** Each line has one answer, and was asked again only if a kill met it: two at a time each. */
async function checkEnd(client: Client, id: string, kills: number): Promise<void> {
  await expect.poll(async () => (await client.find(id)).status, patience).toBe('completed')
  const { output_file_id, request_counts } = await client.find(id)
  expect(request_counts).toEqual({ total: LINES, completed: LINES, failed: 0 })
  expect(await client.readAnswers(output_file_id)).toEqual(ids)
  const again = ids.filter(line => asked.get(line) !== 1)
  expect(again.length).toBeLessThanOrEqual(2 * kills)
}

test('a killed service continues its batch: each line is answered once, in order', {
  timeout: 240_000,
}, async () => {
  const environment = { PASSIM_MODEL_URL: model.url, PASSIM_MODEL: 'scripted' }
  const client = new Client()
  const start = async () => {
    const service = startCli(sandbox.home, ['serve', '--port', '0'], environment)
    const [line] = await once(service.child.stdout, 'data')
    client.url = String(line).trim().split(' ').at(-1)! // the ready line ends with it
    return service
  }
  let service = await start()
  const id = await client.createBatch()
  for (const done of [5, 14]) {
    await expect.poll(async () => await client.countDone(id), patience).toBeGreaterThanOrEqual(done)
    service.child.kill('SIGKILL')
    await service.ended
    service = await start()
  }
  await checkEnd(client, id, 2)
  service.child.kill('SIGKILL')
  await service.ended
})

test('a worker continues the batch of a service that died', { timeout: 240_000 }, async () => {
  const environment = { PASSIM_MODEL_URL: model.url, PASSIM_MODEL: 'scripted' }
  const service = startCli(sandbox.home, ['serve', '--port', '0'], environment)
  const [line] = await once(service.child.stdout, 'data')
  const client = new Client()
  client.url = String(line).trim().split(' ').at(-1)! // the ready line ends with it
  const id = await client.createBatch()
  await expect.poll(async () => await client.countDone(id), patience).toBeGreaterThanOrEqual(5)
  service.child.kill('SIGKILL')
  await service.ended
  const worker = startCli(sandbox.home, ['work'], environment)
  const passim = await sandbox.open()
  const find = async () => (await passim.batches.get(id)).status
  await expect.poll(find, patience).toBe('completed')
  expect(await passim.batches.get(id)).toMatchObject({ completed: LINES, failed: 0 })
  worker.child.kill('SIGTERM')
  expect((await worker.ended).code).toBe(0)
})

test.skipIf(!database || !s3Place)(
  `one node at a time works on a batch, and another continues when it dies (needs PASSIM_TEST_POSTGRES, ${NEEDS_S3})`,
  { timeout: 240_000 },
  async () => {
    const bucket = new TestBucket(s3Place!)
    await bucket.make()
    const cluster = new TestCluster(sandbox.folder, {
      catalog: { url: database, schema: schemaOf(sandbox.folder) },
      ...{ s3: bucket.settings, content: { place: 's3' }, index: { place: 's3' } },
      model: { url: model.url, name: 'scripted' },
    })
    try {
      const made = await cluster.run('keys', 'keys', 'create', 'ci', '--scope', 'admin')
      const client = new Client(made.stdout.trim())
      const one = await cluster.serve('one')
      const other = await cluster.serve('other')
      client.url = one.url
      const id = await client.createBatch()
      await expect.poll(async () => await client.countDone(id), patience).toBeGreaterThanOrEqual(8)
      expect(ids.filter(line => (asked.get(line) ?? 0) > 1)).toEqual([])
      await cluster.kill(one.node)
      client.url = other.url
      await checkEnd(client, id, 1)
    } finally {
      await cluster.close()
      await bucket.remove()
    }
  },
)
