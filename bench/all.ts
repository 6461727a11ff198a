/**
 * The short benchmarks one after another, each beside the bare parts that it stands on, and at the end what they said of ratios:
 * these compare between machines, times do not. Some five minutes where nothing else runs.
 * usage: npm run bench [NAME of one, as query-cost]      (after npm run build; Linux)
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const SHORT: Readonly<Record<string, readonly string[]>> = {
  'query-cost': ['10000', '100'],
  load: ['10000', '0', '0', '0'],
  'keyword-indexing': ['300'],
  'cold-start': ['100', '3'],
  'first-answer': ['1'],
}

/** A line that says how many times as much something is as something else. */
const RATIO = /\d times\b|\bof the peer\b/

if (!existsSync(fileURLToPath(new URL('../dist/cli.js', import.meta.url)))) {
  console.error('There is no dist/cli.js to measure: run npm run build first.')
  process.exit(2)
}
const [only] = process.argv.slice(2)
if (only !== undefined && !Object.hasOwn(SHORT, only)) {
  console.error(`There is no short benchmark ${only}. There are: ${Object.keys(SHORT).join(', ')}.`)
  process.exit(2)
}
const ratios: string[] = []
let failed = 0
for (const [name, args] of Object.entries(SHORT))
  if (only === undefined || only === name) await run(name, args)
console.log(`\nRatios\n${ratios.join('\n')}`)
process.exitCode = failed > 0 ? 1 : 0

async function run(name: string, args: readonly string[]): Promise<void> {
  console.log(`\n${name} ${args.join(' ')}`)
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    if (RATIO.test(line)) ratios.push(`${name}: ${line.trim()}`)
  }
  const code = await ended
  if (code === 0) return
  failed++
  ratios.push(`${name}: failed (${code})`)
}
