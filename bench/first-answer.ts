/**
 * What the first answer about a file costs that no store has seen, in CPU of the command and its children and in time, beside what
 * it stands on: the same file parsed, the model with one text, and the file indexed with vectors. Run `npm run build` first.
 * usage: npx tsx bench/first-answer.ts [RUNS 3] [FILE] [QUESTION]
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CLI = path.join(ROOT, 'dist/cli.js')
const SAMPLE = path.join(ROOT, 'data/samples/freedoom-manual.pdf')
const [runs = '3', file = SAMPLE, question = 'How do I save the game?'] = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-first-'))
let homes = 0
const command = (...args: readonly string[]) => [
  CLI,
  '--home',
  path.join(folder, String(homes++)),
  '--quiet',
  ...args,
]
const MODEL = `import { LocalEmbedder } from ${JSON.stringify(path.join(ROOT, 'dist/ingest/embed/local.js'))}
const modelPath = ${JSON.stringify(path.join(ROOT, 'data/models/multilingual-e5-small-enzh'))}
const embedder = await LocalEmbedder.open({ modelPath })
await embedder.embed(['ba'], 'query')
await embedder.close()`

const COMMANDS: Readonly<Record<string, () => readonly string[]>> = {
  'passim parse': () => command('parse', file),
  'model and one text': () => ['--input-type=module', '-e', MODEL],
  'passim index --no-vectors': () => command('index', '--no-vectors', file),
  'passim index': () => command('index', file),
  'passim ask --file': () => command('ask', question, '--file', file),
}

const machine = `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}`
console.log(`${machine}, ${new Date().toISOString().slice(0, 10)}; ${path.basename(file)}`)
const least = new Map<string, { cpuMs: number; ms: number }>()
for (let run = 0; run < Number(runs); run++) {
  for (const [name, args] of Object.entries(COMMANDS)) {
    const cost = costOf(args())
    const before = least.get(name) ?? cost
    least.set(name, { cpuMs: Math.min(before.cpuMs, cost.cpuMs), ms: Math.min(before.ms, cost.ms) })
  }
}
await rm(folder, { recursive: true })
for (const [name, { cpuMs, ms }] of least) {
  console.log(`${name}: ${(cpuMs / 1000).toFixed(1)} s of CPU, ${(ms / 1000).toFixed(1)} s`)
}
const cpuOf = (name: string) => least.get(name)!.cpuMs // each of the commands
const base = cpuOf('passim index --no-vectors') + cpuOf('model and one text')
console.log(
  `ask --file: ${(cpuOf('passim ask --file') / base).toFixed(2)} times index --no-vectors and the model with one text`,
)

function costOf(args: readonly string[]): { readonly cpuMs: number; readonly ms: number } {
  const timed = [
    '-c',
    'TIMEFORMAT="%U %S %R"; time "$0" "$@" > /dev/null',
    process.execPath,
    ...args,
  ]
  const { stderr, status } = spawnSync('bash', timed, { encoding: 'utf8', cwd: ROOT })
  if (status !== 0) throw new Error(stderr)
  const [user = 0, system = 0, real = 0] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number) // the line of `time`
  return { cpuMs: (user + system) * 1000, ms: real * 1000 }
}
