/**
 * A service that indexes good, bad and greedy files, uploaded as OpenAI's client does: the delay of `/healthz` and the memory
 * over all processes (the sum of their RSS, in which pages that they share count once for each) meanwhile, and what became of the files.
 * usage: npx tsx bench/poison-service.ts [PARSING_TIME_MS 10000]        (after npm run build; Linux)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import OpenAI, { toFile } from 'openai'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { badFiles, goodFiles, greedyFiles } from '../test/fault/poison-files.ts'
import { childrenOf, residentBytesOfTree } from './process-tree.ts'

const [timeMs = '10000'] = process.argv.slice(2)
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const folder = await mkdtemp(path.join(tmpdir(), 'passim-poison-'))
const home = path.join(folder, 'home')
await mkdir(home)
await writeFile(path.join(home, 'config.yaml'), `parsing: { timeMs: ${timeMs}, timePerMebibyteMs: 0 }\n`)
const service = spawn(process.execPath, [CLI, '--home', home, 'serve', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
const pid = service.pid ?? 0
const [line] = await once(service.stdout, 'data')
const url = String(line).trim().split(' ').at(-1)! // the ready line ends with it
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
const [good, bad] = [goodFiles(), { ...badFiles(), ...greedyFiles() }]
const store = await client.vectorStores.create({ name: 'poison' })
const watch = watchService()
const files: string[] = []
for (const [name, bytes] of [...Object.entries(bad), ...[...good].map(([name, file]) => [name, file.bytes] as const)]) {
  const uploaded = await client.files.create({ file: await toFile(Buffer.from(bytes), name), purpose: 'assistants' })
  files.push(uploaded.id)
}
await client.vectorStores.fileBatches.create(store.id, { file_ids: files })
for (;;) {
  const { file_counts: counts } = await client.vectorStores.retrieve(store.id)
  if (counts.total > 0 && counts.in_progress === 0) break
  await sleep(500)
}
const { delays, peak } = watch()
await report()
const workers = childrenOf(pid)
service.kill('SIGTERM')
await once(service, 'exit')
const left = workers.filter(id => childrenOf(id).length > 0 || isAlive(id))
console.log(`processes left: ${left.length}`)
await rm(folder, { recursive: true })

async function report(): Promise<void> {
  const failed: string[] = []
  for await (const file of client.vectorStores.files.list(store.id, { filter: 'failed', limit: 100 }))
    failed.push(file.id)
  let found = 0
  for (const [name, { word }] of good) {
    const { data } = await client.vectorStores.search(store.id, { query: word, max_num_results: 1 })
    if (data[0]?.filename === name) found++
  }
  const [median, p99, longest] = [0.5, 0.99, 1].map(share => percentile(delays, share).toFixed(0))
  console.log(
    `${found} of ${good.size} good files found, ${failed.length} of ${Object.keys(bad).length} bad ones failed`,
  )
  console.log(`peak ${Math.round(peak / 1e6)} MB over all processes`)
  console.log(
    `/healthz while indexing: median ${median}, p99 ${p99}, longest ${longest} ms of ${delays.length}; ` +
      `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  )
}

/** Asks for the health of the service, and looks at its memory, until it is told to end. */
function watchService(): () => { readonly delays: readonly number[]; readonly peak: number } {
  const delays: number[] = []
  let peak = 0
  const looking = setInterval(() => (peak = Math.max(peak, residentBytesOfTree(pid))), 100)
  const asking = setInterval(async () => {
    const started = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    delays.push(performance.now() - started)
  }, 50)
  return () => {
    clearInterval(looking)
    clearInterval(asking)
    return { delays, peak }
  }
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
