/**
 * What a service bears: searches at 1, 16 and 64 connections beside a bare Hono app that answers as much, memory while it is
 * asked for some minutes, memory of a large upload, and of streams that wait. The service is a process of its own, over
 * generated text with synthetic vectors (so no model embeds the queries); its clients are here.
 * usage: npx tsx bench/load.ts [CHUNKS 100000] [MINUTES 10] [UPLOAD_MIB 1024] [STREAMS 500] [FOLDER]      (Linux)
 * FOLDER keeps what was indexed for the next time.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SearchedHere, Serving } from './load-server.ts'
import { zipfQuery } from './zipf-text.ts'

const [chunks = 100_000, minutes = 10, uploadMib = 1024, streams = 500] = process.argv
  .slice(2, 6)
  .map(Number)
const kept = process.argv[6]
const SECONDS_A_ROUND = 10
/** Share of the searches after which memory is expected to have levelled off. */
const WARM_UP = 0.2
const MEBIBYTE = 2 ** 20
/** Of searches over HTTP and in the library, so that what else the machine does falls on both alike. */
const TURNS = 10
const SEARCHES_A_TURN = 50

const folder = kept ?? (await mkdtemp(path.join(tmpdir(), 'passim-load-')))
let asked = 0
const child = fork(
  fileURLToPath(new URL('load-server.ts', import.meta.url)),
  [folder, String(chunks)],
  {
    execArgv: ['--import', 'tsx', '--expose-gc'],
  },
)
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
const [serving] = (await once(child, 'message')) as [Serving] // it announces itself once
console.log(`${serving.chunks} chunks`)
await searches()
if (uploadMib > 0) await upload()
if (streams > 0) await waitingStreams()
if (minutes > 0) await flatness()
child.disconnect()
await once(child, 'exit')
if (!kept) await rm(folder, { recursive: true })

async function searches(): Promise<void> {
  await round(serving.url, 4) // warm
  for (const connections of minutes > 0 ? [1, 16, 64] : []) {
    const bare = await round(serving.bareUrl, connections)
    const ours = await round(serving.url, connections)
    console.log(`${connections} connections: bare Hono ${told(bare)}; search ${told(ours)}`)
  }
  for (const connections of [1, 16]) await besideLibrary(connections)
}

/** Turns of as many searches over HTTP and in the library of the same process, no query twice. */
async function besideLibrary(connections: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const cpu = { bare: 0, http: 0, library: 0 }
  const overHttp = async (url: string, queries: readonly string[]) => {
    const before = cpuSeconds()
    const waiting = queries.values()
    const client = async () => {
      for (const query of waiting) await search(url, query, agent)
    }
    await Promise.all(Array.from({ length: connections }, client))
    return cpuSeconds() - before
  }
  for (let turn = 0; turn < TURNS; turn++) {
    const queries = () => Array.from({ length: SEARCHES_A_TURN }, () => zipfQuery(asked++, 3))
    cpu.bare += await overHttp(serving.bareUrl, queries())
    cpu.http += await overHttp(serving.url, queries())
    child.send({ queries: queries(), clients: connections })
    const [{ cpuSeconds }] = (await once(child, 'message')) as [SearchedHere]
    cpu.library += cpuSeconds
  }
  agent.destroy()
  const ms = (seconds: number) => ((seconds * 1000) / (TURNS * SEARCHES_A_TURN)).toFixed(2)
  const ratio = (cpu.http / cpu.library).toFixed(2)
  console.log(
    `${connections} at a time, CPU a search: ${ms(cpu.http)} ms over HTTP, ${ms(cpu.library)} in the library (${ratio} times), ${ms(cpu.bare)} of bare Hono`,
  )
}

type Round = {
  readonly times: readonly number[]
  readonly seconds: number
  readonly cpuSeconds: number
}

async function round(url: string, connections: number, seconds = SECONDS_A_ROUND): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const started = performance.now()
  const cpu = cpuSeconds()
  const end = started + seconds * 1000
  const client = async () => {
    while (performance.now() < end) {
      const sent = performance.now()
      await search(url, zipfQuery(asked++, 3), agent)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return { times, seconds: (performance.now() - started) / 1000, cpuSeconds: cpuSeconds() - cpu }
}

async function search(url: string, query: string, agent: Agent): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const asking = request(`${url}/api/search`, { method: 'POST', agent, headers })
  asking.end(JSON.stringify({ query, limit: 10 }))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  for await (const _ of response); // all of it has come
}

/** CPU of the serving process beside the clock, which other programs on the machine slow down. */
function told({ times, seconds, cpuSeconds }: Round): string {
  const sorted = times.toSorted((a, b) => a - b)
  const p = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
  const cpuMs = ((cpuSeconds * 1000) / times.length).toFixed(2)
  return `${Math.round(times.length / seconds)}/s, p50 ${p(0.5)} ms, p95 ${p(0.95)} ms, ${cpuMs} ms of CPU each`
}

async function upload(): Promise<void> {
  const before = residentMib()
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, residentMib())), 50)
  const asking = request(`${serving.url}/v1/files`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  const answered = once(asking, 'response') as Promise<[IncomingMessage]> // it may come before all is sent
  asking.write('--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nassistants\r\n')
  asking.write('--b\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n')
  const piece = Buffer.alloc(MEBIBYTE, 'x')
  for (let sent = 0; sent < uploadMib; sent++) if (!asking.write(piece)) await once(asking, 'drain')
  asking.end('\r\n--b--\r\n')
  const [response] = await answered
  for await (const _ of response); // all of it has come
  clearInterval(timer)
  console.log(
    `upload of ${uploadMib} MiB: status ${response.statusCode}, memory +${Math.round(peak - before)} MiB at its peak`,
  )
}

async function waitingStreams(): Promise<void> {
  const before = await objectsKib()
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const open = async () => {
    const asking = get(`${serving.url}/api/jobs/${serving.jobId}/events`, { agent })
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    await once(response, 'data')
    response.on('error', () => {}).resume() // it is cut below
    return response
  }
  const responses = await Promise.all(Array.from({ length: streams }, open))
  await sleep(5_000)
  const each = ((await objectsKib()) - before) / streams
  const cpu = cpuSeconds()
  await sleep(10_000)
  const share = ((cpuSeconds() - cpu) / 10) * 100
  console.log(
    `${streams} waiting streams: ${each.toFixed(0)} KiB each, ${share.toFixed(0)} % of a core together`,
  )
  if (responses.some(response => response.readableEnded))
    throw new Error('a stream ended by itself')
  agent.destroy()
}

/** Searches from 16 connections all the time, none of them asked before. */
async function flatness(): Promise<void> {
  const resident: number[] = []
  let searches = 0
  for (let part = 0; part < minutes * 6; part++) {
    searches += (await round(serving.url, 16, 10)).times.length
    resident.push(Math.round(residentMib()))
  }
  const third = Math.floor((resident.length * (1 - WARM_UP)) / 3)
  const [first, last] = [resident.slice(-3 * third, -2 * third), resident.slice(-third)].map(median)
  console.log(
    `memory each 10 s of ${minutes} minutes, ${searches} searches: ${resident.join(' ')} MiB`,
  )
  console.log(
    `after the first fifth: ${first} MiB at the median of the first third, ${last} of the last`,
  )
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

/** Memory of the service's objects and buffers after collecting what is not needed. */
async function objectsKib(): Promise<number> {
  child.send('collect')
  const [{ heapUsed, external }] = (await once(child, 'message')) as [NodeJS.MemoryUsage]
  return (heapUsed + external) / 1024
}

function residentMib(): number {
  const [, kibibytes] =
    /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}

function cpuSeconds(): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100 // Linux counts it in ticks of 10 ms
}
