import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
const servers: Server[] = []

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await sandbox.remove()
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // listens on a port
}

async function examine(url: string) {
  const config = `${sandbox.home}-settings.json`
  await writeFile(config, JSON.stringify({ content: { place: 's3' }, index: { place: 's3' } }))
  const ran = await runCli(sandbox.home, ['doctor', '--json', '--config', config], {
    PASSIM_S3_URL: url,
    PASSIM_S3_BUCKET: 'herons',
    PASSIM_S3_ACCESS_KEY_ID: 'id',
    PASSIM_S3_SECRET_ACCESS_KEY: 'secret',
  })
  const { checks = [] }: { checks?: { name: string; ok: boolean }[] } = JSON.parse(ran.stdout)
  return { code: ran.code, checks }
}

test.each([
  [
    'does not exist',
    /NoSuchBucket.*Create the bucket first/,
    (_, response) =>
      response.writeHead(404).end('<Error><Code>NoSuchBucket</Code><Message>No.</Message></Error>'),
  ],
  ['does not answer', /did not answer for 10 s\. Check that it runs/, () => undefined],
] satisfies [string, RegExp, RequestListener][])(
  'a bucket that %s is a failed check beside the others',
  async (_, message, answer) => {
    const { code, checks } = await examine(await serve(answer))
    expect(code).toBe(3)
    expect(checks).toContainEqual({
      name: 's3',
      ok: false,
      detail: expect.stringContaining('herons'),
      error: expect.objectContaining({ message: expect.stringMatching(message) }),
    })
    expect(checks).toContainEqual(expect.objectContaining({ name: 'catalog', ok: true }))
  },
  40_000,
)
