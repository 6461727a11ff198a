/**
 * Eight follow-ups at once to a conversation of 40 turns of 4 MiB, by previous_response_id and a key that reads: how each is
 * answered, the delay of `/healthz` and the memory of the service meanwhile and after a rest; with the bound of a conversation as it is
 * set by default, and with one that lets all of it be kept.
 * A rest of 70 s is after the end of all that ends when it is idle.
 * usage: npx tsx bench/follow-ups.ts [TURNS 40] [MEBIBYTES 4] [FOLLOW_UPS 8] [REST_SECONDS 70]       (after npm run build; Linux)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { runCli } from '../test/fakes/cli.ts'
import { startScriptedModel } from '../test/fakes/scripted-model-server.ts'
import { residentBytesOfTree } from './process-tree.ts'

const [turns = 40, mebibytes = 4, followUps = 8, restSeconds = 70] = process.argv.slice(2).map(Number)
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const MEBIBYTE = 2 ** 20
const model = await startScriptedModel([{ text: ['Yes.'] }])
const date = new Date().toISOString().slice(0, 10)
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${date}`)
await measure('by default', {})
await measure('with room for all of it', { maxConversationBytes: 2 ** 30 })
await model.close()

async function measure(name: string, server: object): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-follow-ups-'))
  const home = path.join(folder, 'home')
  await mkdir(home)
  await writeFile(path.join(home, 'config.yaml'), JSON.stringify({ server }))
  const [writer, reader] = [await keyOf(home, 'write'), await keyOf(home, 'read')]
  const service = spawn(process.execPath, [CLI, '--home', home, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PASSIM_MODEL_URL: model.url, PASSIM_MODEL: 'scripted' },
  })
  const [line] = await once(service.stdout, 'data')
  const url = String(line).trim().split(' ').at(-1)! // the ready line ends with it
  const { kept, last } = await talk(url, writer)
  const before = residentBytesOfTree(service.pid!) // it has begun
  const atRest = watchService(url, service.pid!) // same
  await sleep(2_000)
  const rest = percentile((await atRest()).delays, 0.99)
  const watch = watchService(url, service.pid!) // same
  const started = performance.now()
  const asked = Array.from({ length: followUps }, () => respond(url, reader, { input: 'And?', store: false }, last))
  const answers = await Promise.all(asked)
  const seconds = (performance.now() - started) / 1000
  const { delays, peak } = await watch()
  const statuses = answers.map(({ status }) => status)
  const timesOf = (status: number) => statuses.filter(other => other === status).length
  const ends = [...new Set(statuses)].map(status => `${timesOf(status)} times ${status}`).join(', ')
  console.log(`${name}: ${kept} of ${turns} turns of ${mebibytes} MiB kept; ${followUps} follow-ups at once: ${ends}`)
  const sent = Math.max(0, ...model.requests.slice(-followUps).map(({ body }) => JSON.stringify(body).length))
  const shares = [0.5, 0.99, 1].map(share => percentile(delays, share).toFixed(0))
  console.log(
    `  ${seconds.toFixed(2)} s for all; /healthz median ${shares[0]}, p99 ${shares[1]}, longest ${shares[2]} ms of ${delays.length}, p99 at rest ${rest.toFixed(0)}; ` +
      `peak ${Math.round(peak / MEBIBYTE)} MiB, ${Math.round(before / MEBIBYTE)} before; most sent to the model ${sent} bytes; load ${loadavg()[0]?.toFixed(1)}`,
  )
  await sleep(restSeconds * 1000)
  console.log(`  ${Math.round(residentBytesOfTree(service.pid!) / MEBIBYTE)} MiB after a rest of ${restSeconds} s`) // same
  const refused = answers.find(({ status }) => status >= 400)
  if (refused) console.log(`  ${refused.text}`)
  service.kill('SIGTERM')
  await once(service, 'exit')
  await rm(folder, { recursive: true })
}

async function keyOf(home: string, scope: string): Promise<string> {
  const { stdout, stderr } = await runCli(home, ['keys', 'create', scope, '--scope', scope, '--json'])
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as { token: string }).token // what the command prints
}

/** As many turns as are taken. */
async function talk(url: string, key: string): Promise<{ kept: number; last: string | undefined }> {
  let last: string | undefined
  for (let turn = 0; turn < turns; turn++) {
    // with what is around it no more than a body may have
    const input = `What do hotels cost at most? ${'Breakfast is included. '.repeat((mebibytes * MEBIBYTE) / 23 - 50)}`
    const { status, text } = await respond(url, key, { input }, last)
    if (status !== 200) {
      console.log(`turn ${turn + 1}: ${text}`)
      return { kept: turn, last }
    }
    last = (JSON.parse(text) as { id: string }).id // a response
  }
  return { kept: turns, last }
}

async function respond(url: string, key: string, body: object, previous_response_id: string | undefined) {
  const response = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', previous_response_id, ...body }),
  })
  return { status: response.status, text: await response.text() }
}

/** Asks for the health of the service, and looks at its memory, until it is told to end. */
function watchService(url: string, pid: number): () => Promise<{ delays: readonly number[]; peak: number }> {
  const delays: number[] = []
  const pending = new Set<Promise<void>>()
  let peak = 0
  const look = setInterval(() => (peak = Math.max(peak, residentBytesOfTree(pid))), 20)
  const ask = setInterval(() => {
    const asked = askHealth(url, delays).finally(() => pending.delete(asked))
    pending.add(asked)
  }, 10)
  return async () => {
    clearInterval(look)
    clearInterval(ask)
    await Promise.all(pending)
    return { delays, peak: Math.max(peak, residentBytesOfTree(pid)) }
  }
}

async function askHealth(url: string, delays: number[]): Promise<void> {
  const started = performance.now()
  await (await fetch(`${url}/healthz`)).text()
  delays.push(performance.now() - started)
}
