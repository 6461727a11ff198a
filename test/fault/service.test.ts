import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli, startCli } from '../fakes/cli.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let model: ScriptedModel
const running = new Set<ReturnType<typeof startCli>>()

beforeEach(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([{ hang: true }])
})
afterEach(async () => {
  for (const service of running) await kill(service)
  await model.close()
  await sandbox.remove()
})

/** `passim serve` as an operator starts it, with a model that never answers. */
async function start() {
  const service = startCli(sandbox.home, ['serve', '--port', '0'], {
    PASSIM_MODEL_URL: model.url,
    PASSIM_MODEL: 'm',
  })
  running.add(service)
  const [line] = await once(service.child.stdout!, 'data') // it is piped
  return { service, url: String(line).trim().split(' ').at(-1)! } // the ready line ends with it
}

async function kill(service: ReturnType<typeof startCli>): Promise<void> {
  running.delete(service)
  service.child.kill('SIGKILL')
  await service.ended
}

type Wire = { readonly id: string; readonly status: string; readonly [key: string]: unknown }

async function call(url: string, path: string, body?: object | FormData): Promise<Wire> {
  const json = body && !(body instanceof FormData)
  const response = await fetch(`${url}${path}`, {
    ...(body && { method: 'POST', body: json ? JSON.stringify(body) : (body as FormData) }), // FormData unless JSON
    ...(json && { headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Wire // every object of the surface has both
}

function fileOf(text: string): FormData {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File([text], 'note.txt'))
  return form
}

test('a service that is killed under load loses nothing that it acknowledged', {
  timeout: 240_000,
}, async () => {
  const { service, url } = await start()
  const store = await call(url, '/v1/vector_stores', { name: 'notes' })
  const answer = await call(url, '/v1/responses', { model: 'm', input: 'Why?', background: true })
  expect(answer.status).toBe('in_progress')
  await model.request(0)
  const acknowledged = new Map<string, string>()
  let killed: Promise<void> | undefined
  const client = async (name: string) => {
    for (let at = 0; !killed; at++) {
      const text = `Note ${at} of client ${name}.`
      const { id } = await call(url, '/v1/files', fileOf(text))
      await call(url, `/v1/vector_stores/${store.id}/files`, { file_id: id })
      acknowledged.set(id, text)
      if (acknowledged.size === 20) killed = kill(service)
    }
  }
  const ends = await Promise.allSettled(['a', 'b', 'c', 'd'].map(client))
  expect(ends.some(end => end.status === 'rejected')).toBe(true) // requests were under way
  await killed
  const again = await start()
  expect(await call(again.url, `/v1/responses/${answer.id}`)).toMatchObject({
    status: 'failed',
    error: { code: 'server_error' },
  })
  for (const [id, text] of acknowledged) {
    expect(await (await fetch(`${again.url}/v1/files/${id}/content`)).text()).toBe(text)
    await indexed(again.url, `/v1/vector_stores/${store.id}/files/${id}`)
  }
  await kill(again.service)
  const { code, stdout } = await runCli(sandbox.home, ['verify', '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, problems: [] }])
})

async function indexed(url: string, path: string): Promise<void> {
  for (;;) {
    const { status } = await call(url, path)
    if (status === 'completed') return
    expect(status).toBe('in_progress')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
