/**
 * What streams cost: the time to the first byte of so many at once while the model says nothing, by how many, and the time and CPU of
 * an event once it speaks, beside a bare Node server that streams as many events in the same run. The service, which asks the
 * model over HTTP, is a process of its own; the model and the clients are here.
 * usage: npx tsx bench/streams.ts [STREAMS 200] [EVENTS 100]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const [streams = 200, events = 100] = process.argv.slice(2, 4).map(Number)
const [ROUNDS, MICROSECONDS] = [3, 1e6]
/** At once. The first rounds of a count only warm. */
const COUNTS = [1, 10, 50, 100, streams]
const [FIRST_ROUNDS, WARMING] = [11, 2]

/** Requests to the model that wait for their first word, while it says nothing. */
const waiting: ServerResponse[] = []
let isSpeaking = false
const model = createServer((incoming, response) => {
  incoming.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  if (isSpeaking) void speak(response)
  else waiting.push(response)
})
model.keepAliveTimeout = 60_000 // longer than between two rounds
model.listen(0, '127.0.0.1')
await once(model, 'listening')
const { port } = model.address() as AddressInfo // it listens on TCP
const child = fork(
  fileURLToPath(new URL('streams-server.ts', import.meta.url)),
  [`http://127.0.0.1:${port}/v1`, String(events)],
  { execArgv: ['--import', 'tsx'] },
)
const [{ url, bareUrl }] = (await once(child, 'message')) as [{ url: string; bareUrl: string }] // it announces itself
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${streams} streams at once`)
for (const count of COUNTS) await tellFirst(count)
for (let at = 0; at < ROUNDS; at++) {
  const bare = await round(bareUrl, streams)
  const ours = await round(url, streams)
  const ratio = (name: keyof Measured) => (ours[name] / bare[name]).toFixed(1)
  console.log(`bare    ${told(bare)}`)
  console.log(
    `service ${told(ours)}; ${ratio('firstP50')} (p99 ${ratio('firstP99')}), ${ratio('openMicros')} and ${ratio('cpuMicros')} times the bare one`,
  )
}
child.disconnect()
model.close()
model.closeAllConnections()

/** The median of rounds in turns, and the quietest of them. */
async function tellFirst(count: number): Promise<void> {
  const rounds: (readonly [Measured, Measured])[] = []
  for (let at = 0; at < FIRST_ROUNDS + WARMING; at++) {
    const bare = await round(bareUrl, count)
    const ours = await round(url, count)
    if (at >= WARMING) rounds.push([bare, ours])
  }
  const of = (which: 0 | 1, name: 'firstP50' | 'firstP99') => {
    const sorted = rounds.map(pair => pair[which][name]).toSorted((a, b) => a - b)
    return `${sorted[sorted.length >> 1]?.toFixed(0)} (${sorted[0]?.toFixed(0)})`
  }
  const within = rounds.filter(([, ours]) => ours.firstP99 <= 100).length
  console.log(
    `${count} at once: first byte p50 ${of(1, 'firstP50')}, p99 ${of(1, 'firstP99')} ms; bare ${of(0, 'firstP50')}, ${of(0, 'firstP99')}; p99 within 100 ms in ${within} of ${rounds.length}`,
  )
}

type Measured = {
  readonly firstP50: number
  readonly firstP99: number
  readonly firstMax: number
  /** Of the server's CPU until each stream had its first byte. */
  readonly openMicros: number
  readonly cpuMicros: number
  readonly micros: number
}

/** Time to the first byte of each stream, then the server's time and CPU for an event. */
async function round(target: string, count: number): Promise<Measured> {
  isSpeaking = false
  await tell('silence')
  const agent = new Agent({ maxSockets: count })
  const before = await cpuSeconds()
  const opened = await Promise.all(Array.from({ length: count }, () => openStream(target, agent)))
  const openCpu = (await cpuSeconds()) - before
  const started = performance.now()
  isSpeaking = true
  await tell('speak')
  for (const response of waiting.splice(0)) void speak(response)
  const counts = await Promise.all(opened.map(({ rest }) => rest))
  const seconds = (performance.now() - started) / 1000
  const cpu = (await cpuSeconds()) - before
  agent.destroy()
  const sent = counts.reduce((sum, number) => sum + number, 0)
  if (sent < count * events) throw new Error(`${sent} events came of ${count * events}.`)
  const times = opened.map(({ firstMs }) => firstMs).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    ...{ firstP50: at(0.5), firstP99: at(0.99), firstMax: at(1) },
    openMicros: (openCpu / count) * MICROSECONDS,
    cpuMicros: (cpu / sent) * MICROSECONDS,
    micros: (seconds / sent) * MICROSECONDS,
  }
}

async function openStream(target: string, agent: Agent) {
  const started = performance.now()
  const asking = request(target, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
  asking.end(JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'Go on.' }] }))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const rest = countEvents(response)
  await once(response, 'data')
  return { firstMs: performance.now() - started, rest }
}

async function countEvents(response: IncomingMessage): Promise<number> {
  let text = ''
  response.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  await once(response, 'end')
  return text.split('\n\n').filter(event => event.startsWith('data: ')).length
}

/** A word at a time, each in a chunk of its own. */
async function speak(response: ServerResponse): Promise<void> {
  for (let at = 0; at < events; at++) {
    const isLast = at === events - 1
    const choices = [{ index: 0, delta: { content: `word ${at} ` }, finish_reason: isLast ? 'stop' : null }]
    response.write(`data: ${JSON.stringify({ id: 'm', choices })}\n\n`)
    await new Promise(resolve => setImmediate(resolve))
  }
  response.end('data: [DONE]\n\n')
}

/** The CPU of the server so far. */
async function cpuSeconds(): Promise<number> {
  return await tell('cpu')
}

/** What the server's CPU was when it had heard it. */
async function tell(message: 'cpu' | 'silence' | 'speak'): Promise<number> {
  child.send(message)
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage]
  return (user + system) / MICROSECONDS
}

function told({ firstP50, firstP99, firstMax, openMicros, cpuMicros, micros }: Measured): string {
  const first = `first byte ${firstP50.toFixed(0)} ms (p99 ${firstP99.toFixed(0)}, max ${firstMax.toFixed(0)}), by then ${openMicros.toFixed(0)} µs of CPU a stream`
  return `${first}, an event ${micros.toFixed(0)} µs, of these ${cpuMicros.toFixed(0)} µs of CPU`
}
