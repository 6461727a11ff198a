/**
 * How long indexing keeps the main thread: the delay of its event loop while each of the worst files is indexed, beside the
 * CPU of the main process, the size of the store, and the peak memory over all processes. On a busy machine other programs
 * delay it too: `busy` counts of the longest delay only what this process had of the processors meanwhile.
 * usage: npx tsx bench/event-loop.ts [NAME ...] [--vectors]        (after npm run build; Linux)
 */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { xlsx } from '../test/fixtures/xlsx.ts'
import { residentBytesOfTree } from './process-tree.ts'

const build = new URL('../dist/index.js', import.meta.url).href
const { open } = (await import(build)) as typeof import('../src/index.ts') // what it is the build of
const MEBIBYTE = 2 ** 20

const WORST: Readonly<Record<string, () => string | Buffer>> = {
  '40000-columns.csv': () => csv(40_000, 2),
  '3-sheets-of-16000.xlsx': () => xlsx(Array.from({ length: 3 }, () => ({ rows: table(16_000, 3) }))),
  '1000000-columns.csv': () => csv(1_000_000, 1),
  'long-heading.md': () => `# ${'A heading that never ends. '.repeat(17_000)}\n\n${'Text below it. '.repeat(31_000)}`,
  'unknown-signs.md': () => `# ${'𓀀'.repeat(200_000)}\n\n${'Text below it. '.repeat(31_000)}`,
  'no-punctuation.txt': () => han((4 * MEBIBYTE) / 3),
  'one-word.txt': () => 'x'.repeat(4 * MEBIBYTE),
  'one-letter-lines.txt': () => 'a\n'.repeat(MEBIBYTE),
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { vectors: { type: 'boolean' } } })
for (const name of positionals.length > 0 ? positionals : Object.keys(WORST)) await measure(name)

async function measure(name: string): Promise<void> {
  const make = WORST[name]
  if (!make) throw new Error(`There is no ${name}. There are: ${Object.keys(WORST).join(', ')}.`)
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-event-loop-'))
  const file = path.join(folder, name)
  await writeFile(file, make())
  const passim = await open({ home: path.join(folder, 'home'), environment: {} })
  await passim.collections.create({ name: 'warm', ...(!values.vectors && { embedder: 'none' }) })
  await writeFile(path.join(folder, 'warm.txt'), 'A first document loads what indexing needs.')
  await passim.index([path.join(folder, 'warm.txt')], { collection: 'warm' })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const cpu = process.cpuUsage()
  let peak = 0
  const stopLooking = watchBusy()
  const timer = setInterval(() => (peak = Math.max(peak, residentBytesOfTree(process.pid))), 250)
  delay.enable()
  const { totals, documents } = await passim.index([file], { collection: 'warm' })
  delay.disable()
  const busyMs = stopLooking()
  clearInterval(timer)
  const { user, system } = process.cpuUsage(cpu)
  await passim.close()
  const { size } = await stat(file)
  const ended = totals.indexed === 1 ? 'indexed' : `failed: ${documents[0]?.error?.message}`
  console.log(
    `${name} (${mebibytes(size)} MiB): delay p99 ${ms(delay.percentile(99))}, longest ${ms(delay.max)} ms, busy ${busyMs.toFixed(0)} ms; ` +
      `main process ${((user + system) / 1e6).toFixed(1)} s of CPU; store ${mebibytes(await sizeOf(path.join(folder, 'home')))} MiB; ` +
      `peak ${mebibytes(peak)} MiB over all processes; ${ended}`,
  )
  await rm(folder, { recursive: true })
}

/** Gives what ends it, and tells the most CPU between two looks, in milliseconds; threads of the index may have had some of it. */
function watchBusy(): () => number {
  let longest = 0
  let last = process.cpuUsage()
  let at = performance.now()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, Math.min((user + system) / 1000, performance.now() - at - 1))
    last = process.cpuUsage()
    at = performance.now()
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

function csv(columns: number, rows: number): string {
  return table(columns, rows + 1)
    .map(row => row.join(','))
    .join('\n')
}

function table(columns: number, rows: number): readonly string[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (row === 0 ? `c${column}` : String((column * 7 + row) % 100))),
  )
}

function han(length: number): string {
  return Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 5_003))).join('')
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map(async name => (await stat(path.join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(1)
}

function ms(nanoseconds: number): string {
  return (nanoseconds / 1e6).toFixed(0)
}
