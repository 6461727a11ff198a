import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FORMATS } from '../../src/app/stores/store.ts'
import { PostgresCatalog } from '../../src/ingest/store/catalogs/postgres.ts'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { runCli, startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

const database = process.env.PASSIM_TEST_POSTGRES
const there = test.skipIf(!database)

let sandbox: Sandbox
const running = new Set<ReturnType<typeof startCli>>()

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  running.clear()
  await sandbox.remove()
})

const shared = () => ({
  PASSIM_CATALOG_URL: database!,
  PASSIM_CATALOG_SCHEMA: schemaOf(sandbox.folder),
})

function start(...args: readonly string[]) {
  const node = startCli(sandbox.home, args, shared())
  running.add(node)
  return node
}

/** As a later program finds the store, and leaves it. */
async function bringForward(): Promise<PostgresCatalog> {
  const schema = schemaOf(sandbox.folder)
  return await PostgresCatalog.open({ url: database!, schema }, [...FORMATS, []])
}

async function upload(url: string): Promise<{ readonly status: number; readonly body: string }> {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File(['Pumps are serviced every May.'], 'pumps.txt'))
  const response = await fetch(`${url}/v1/files`, { method: 'POST', body: form })
  return { status: response.status, body: await response.text() }
}

there(
  'nodes say that they are too old once a later program has been at the store, and write nothing (needs PASSIM_TEST_POSTGRES)',
  { timeout: 120_000 },
  async () => {
    const service = start('serve', '--port', '0', '--no-ingest')
    const [line] = await once(service.child.stdout, 'data')
    const url = String(line).trim().split(' ').at(-1)!
    const worker = start('work')
    let told = ''
    worker.child.stderr.on('data', (text: Buffer) => {
      told += text
    })
    await expect.poll(() => told, { timeout: 30_000 }).toContain('passim work is indexing')
    expect((await upload(url)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)

    const later = await bringForward()
    const isReady = async () => await (await fetch(`${url}/readyz`)).text()
    await expect.poll(isReady, { timeout: 10_000 }).toContain('Upgrade passim.')
    expect(await upload(url)).toMatchObject({
      status: 500,
      body: expect.stringContaining('store_mismatch'),
    })
    expect(await later.get('SELECT count(*) AS files FROM files')).toEqual({ files: 1 })
    await later.close()
    await expect.poll(() => told, { timeout: 30_000 }).toContain('Upgrade passim.')
    const again = await runCli(sandbox.home, ['serve', '--port', '0'], shared())
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('Upgrade passim.') })
  },
)
