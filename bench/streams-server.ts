/** The service of `bench/streams.ts`, and a bare server of events beside it: usage as a child of it, with the model's URL and the events. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open } from '../src/app.ts'
import { serve } from '../src/server.ts'
import { oneStore } from '../test/fakes/one-store.ts'

const [model = '', events = '0'] = process.argv.slice(2)
const home = await mkdtemp(path.join(tmpdir(), 'passim-streams-'))
const passim = await open({
  ...{ home, environment: {} },
  settings: { model: { url: model, name: 'bench' }, server: { port: 0, maxRequests: 1_000 } },
})
const service = await serve(oneStore(passim), { settings: passim.settings.server })

/** As few lines as Node needs to stream events: the first at once, the others once it is told to, each when the loop comes around again. */
let speak = () => {}
let told = Promise.resolve()
const silence = () => {
  told = new Promise(resolve => {
    speak = resolve
  })
}
const bare = createServer(async (request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'bench' }
  for (let at = 0; at < Number(events); at++) {
    const choices = [{ index: 0, delta: { content: `word ${at} ` }, finish_reason: null }]
    response.write(`data: ${JSON.stringify({ ...head, choices })}\n\n`)
    if (at === 0) await told
    await new Promise(resolve => setImmediate(resolve))
  }
  response.end('data: [DONE]\n\n')
})
bare.listen(0, '127.0.0.1', () => {
  const { port } = bare.address() as AddressInfo // it listens on TCP
  process.send?.({ url: `${service.url}/v1/chat/completions`, bareUrl: `http://127.0.0.1:${port}/` })
})
process.on('message', message => {
  if (message === 'silence') silence()
  if (message === 'speak') speak()
  process.send?.(process.cpuUsage())
})
process.once('disconnect', async () => {
  bare.close()
  await service.close()
  await passim.close()
  await rm(home, { recursive: true })
  process.exit()
})
