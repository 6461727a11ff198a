/**
 * What slow and half-open connections do to real work. As many connections as it is told are open at any time, each opened
 * again ten seconds after it was cut: a third says nothing, a third stops within its headers, a third drips its body byte by byte.
 * Beside them clients search, follow a job and upload at 64 KiB a second, all from the same address, as behind a proxy.
 * usage: npx tsx bench/slow-connections.ts [SECONDS 600] [CONNECTIONS 5000]      (Linux)
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Serving } from './load-server.ts'
import { zipfQuery } from './zipf-text.ts'

const [seconds = 600, connections = 5_000] = process.argv.slice(2).map(Number)
const CHUNKS = 2_000
const folder = await mkdtemp(path.join(tmpdir(), 'passim-slow-'))
const child = fork(fileURLToPath(new URL('load-server.ts', import.meta.url)), [folder, String(CHUNKS)], {
  execArgv: ['--import', 'tsx', '--expose-gc'],
})
const [serving] = (await once(child, 'message')) as [Serving] // it announces itself once
const port = Number(new URL(serving.url).port)
const end = Date.now() + seconds * 1000
const isOver = () => Date.now() >= end

const slow = { opened: 0, cut: 0, open: 0 }
const searches = { answered: 0, failed: 0, ms: [] as number[] }
const uploads = { done: 0, failed: 0 }
const stream = { bytes: 0, broken: 0 }
let mostMib = 0

console.log(`${connections} slow connections for ${seconds} s`)
const dripping = Array.from({ length: connections }, (_, at) => attack(at % 3))
await Promise.all([...dripping, search(), uploadSlowly(), follow(), report()])
child.disconnect()
await once(child, 'exit')
await rm(folder, { recursive: true })

async function attack(kind: number): Promise<void> {
  const begun = ['', 'GET /v1/mod', 'POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n{'][
    kind
  ]!
  await sleep(Math.random() * 5_000) // a few hundred opened in a second, as one machine can
  while (!isOver()) {
    const socket = connect(port, '127.0.0.1').on('error', () => {}) // it is cut
    const drip = kind === 0 ? undefined : setInterval(() => socket.write(kind === 1 ? 'x' : ' '), 5_000)
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write(begun)
    socket.resume()
    slow.opened++
    slow.open++
    const left = setTimeout(() => socket.destroy(), Math.max(0, end - Date.now()))
    await closed
    clearInterval(drip)
    clearTimeout(left)
    slow.open--
    if (!isOver()) slow.cut++
    await sleep(Math.random() * 20_000)
  }
}

async function search(): Promise<void> {
  for (let at = 0; !isOver(); at++) {
    const started = performance.now()
    const body = JSON.stringify({ query: zipfQuery(at, 3) })
    const isAnswered = await fetch(`${serving.url}/api/search`, {
      method: 'POST',
      body,
      headers: { connection: 'close' },
    })
      .then(async response => response.ok && (await response.json()) !== undefined)
      .catch(() => false)
    searches[isAnswered ? 'answered' : 'failed']++
    searches.ms.push(performance.now() - started)
    await sleep(100)
  }
}

/** 1 MiB in pieces of 16 KiB, four a second; a mebibyte takes 16 s. */
async function uploadSlowly(): Promise<void> {
  while (!isOver()) {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const sending = request(`${serving.url}/v1/files`, { method: 'POST', headers })
    const status = new Promise<number>(resolve => {
      sending.on('response', response => resolve(response.resume().statusCode ?? 0)).on('error', () => resolve(0))
    })
    const part = (name: string, more: string) => `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
    sending.write(`${part('purpose', '')}user_data\r\n${part('file', '; filename="a.bin"')}`)
    for (let piece = 0; piece < 64 && !sending.destroyed; piece++) {
      sending.write(Buffer.alloc(16_384, piece))
      await sleep(250)
    }
    sending.end('\r\n--b--\r\n')
    uploads[(await status) === 200 ? 'done' : 'failed']++
  }
}

/** One stream that is there from the beginning to the end. */
async function follow(): Promise<void> {
  const asked = get(`${serving.url}/api/jobs/${serving.jobId}/events`)
  const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { destroy(): void }] // of an http request
  response.on('data', (bytes: Buffer) => {
    stream.bytes += bytes.length
  })
  response.on('error', () => {})
  response.on('close', () => {
    if (!isOver()) stream.broken++
  })
  await sleep(Math.max(0, end - Date.now()))
  asked.destroy()
}

async function report(): Promise<void> {
  while (!isOver()) {
    await sleep(Math.min(10_000, Math.max(1, end - Date.now())))
    const memory = Number(readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1]) / 1024
    mostMib = Math.max(mostMib, Math.round(memory))
    const ms = searches.ms.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(ms[Math.floor(ms.length * share)] ?? 0)
    console.log(
      `${new Date().toISOString().slice(11, 19)} slow: ${slow.open} open, ${slow.opened} opened, ${slow.cut} cut; ` +
        `searches: ${searches.answered} answered, ${searches.failed} failed, p50 ${at(0.5)} p99 ${at(0.99)} ms; ` +
        `uploads: ${uploads.done} done, ${uploads.failed} failed; stream: ${stream.bytes} bytes, broken ${stream.broken}; ` +
        `${mostMib} MiB at most`,
    )
  }
}
