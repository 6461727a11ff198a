/**
 * What one command costs from nothing, in CPU of the process and its children, beside what it stands on: Node, LanceDB
 * with one query, the model with one text; and how long `serve` takes to its ready line, beside an empty store.
 * Run `npm run build` first.
 * usage: npx tsx bench/cold-start.ts [FILES 200] [RUNS 5] [HOME of a larger store to serve]
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipfText } from './zipf-text.ts'

const [files = 200, runs = 5] = process.argv.slice(2, 4).map(Number)
const [, , , , served] = process.argv
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CLI = path.join(ROOT, 'dist/cli.js')
const folder = await mkdtemp(path.join(tmpdir(), 'passim-cold-'))
const home = path.join(folder, 'home')
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
await mkdir(path.join(folder, 'docs'))
for (let seed = 0; seed < files; seed++) {
  await writeFile(path.join(folder, 'docs', `${seed}.txt`), zipfText(seed, 4).sentences.join(' '))
}
node([CLI, '--home', home, '--quiet', 'index', path.join(folder, 'docs')])

/** The first full-text query on the store's table, with nothing of ours. */
const LANCE = `import { connect, MatchQuery } from '@lancedb/lancedb'
const connection = await connect(${JSON.stringify(path.join(home, 'index'))})
const [name] = await connection.tableNames()
const table = await connection.openTable(name)
await table.query().fullTextSearch(new MatchQuery('ba', 'terms')).select(['version', '_score']).limit(10).toArray()`

/** Model and tokenizer loaded, one question embedded, in a process of its own as everywhere. */
const MODEL = `import { LocalEmbedder } from ${JSON.stringify(path.join(ROOT, 'dist/ingest/embed/local.js'))}
const modelPath = ${JSON.stringify(path.join(ROOT, 'data/models/multilingual-e5-small-enzh'))}
const embedder = await LocalEmbedder.open({ modelPath })
await embedder.embed(['ba'], 'query')
await embedder.close()`

const search = (mode: string) => [CLI, '--home', home, '--quiet', 'search', 'ba', '--mode', mode]
const script = (text: string) => ['--input-type=module', '-e', text]
const {
  'node alone': bare,
  'LanceDB and one query': lance,
  'passim search --mode keyword': keyword,
  'model and one text': model,
  'passim search': hybrid,
} = measure({
  'node alone': script('0'),
  'passim --version': [CLI, '--version'],
  'LanceDB and one query': script(LANCE),
  'passim search --mode keyword': search('keyword'),
  'model and one text': script(MODEL),
  'passim search': search('hybrid'),
})
console.log(`keyword search: ${(keyword / lance).toFixed(2)} times LanceDB and one query`)
console.log(
  `hybrid search: ${(hybrid / model).toFixed(2)} times the model and one text, ${(hybrid / (model + lance - bare)).toFixed(2)} times both`,
)
const empty = await readyMs(path.join(folder, 'empty'))
const full = await readyMs(served ?? home)
console.log(
  `serve to ready: ${empty.toFixed(0)} ms with an empty store, ${full.toFixed(0)} ms with this one (mark: under a second more)`,
)
await rm(folder, { recursive: true })

/** Least CPU of several runs, all of them in turns: what others do on the machine only adds. */
function measure<Name extends string>(
  commands: Readonly<Record<Name, readonly string[]>>,
): Record<Name, number> {
  const named = Object.entries(commands) as [Name, readonly string[]][] // what it is made of
  const least = Object.fromEntries(
    named.map(([name]) => [name, Number.POSITIVE_INFINITY]),
  ) as Record<Name, number> // the same
  for (let run = 0; run < runs; run++)
    for (const [name, args] of named) least[name] = Math.min(least[name], node(args))
  for (const [name] of named) console.log(`${name}: ${least[name].toFixed(0)} ms of CPU`)
  return least
}

/** Milliseconds of CPU of the process and its children. */
function node(args: readonly string[]): number {
  const command = [
    '-c',
    'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null',
    process.execPath,
    ...args,
  ]
  const { stderr, status } = spawnSync('bash', command, { encoding: 'utf8', cwd: ROOT })
  if (status !== 0) throw new Error(stderr)
  const [user = 0, system = 0] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number) // the line of `time`
  return (user + system) * 1000
}

/** Least milliseconds of several runs until a service says that it listens. */
async function readyMs(home: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    const args = [CLI, '--home', home, '--quiet', 'serve', '--port', '0']
    const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await Promise.race([once(service.stdout, 'data'), once(service, 'exit').then(failed)])
    least = Math.min(least, performance.now() - started)
    service.kill()
    await once(service, 'exit')
  }
  return least
}

function failed(): never {
  throw new Error('The service ended before it was ready.')
}
