/**
 * Makes what the vocabulary of a `tokenizer.json` is looked up in, once for every process that will read it, and tells what that saves.
 * usage: npx tsx bench/tokenizer-tables.ts [MODEL_FOLDER data/models/multilingual-e5-small-enzh]
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DEFAULT_EMBEDDER, MODELS_FOLDER } from '../src/app/embedding.ts'
import { loadTokenizer, PACKED, packTokenizer } from '../src/ingest/embed/local-tokens.ts'

const ROUNDS = 5
const [folder = path.join(MODELS_FOLDER, DEFAULT_EMBEDDER)] = process.argv.slice(2)
const packed = path.join(folder, PACKED)
await rm(packed, { force: true })
const made = await cpuOfLoading()
const bytes = await packTokenizer(await readFile(path.join(folder, 'tokenizer.json')))
if (!bytes) throw new Error(`${folder} has no tokenizer of a unigram model.`)
await writeFile(packed, bytes)
console.log(`${packed}: ${(bytes.length / 2 ** 20).toFixed(1)} MiB`)
console.log(
  `CPU to load the tokenizer, warm: ${made.toFixed(0)} ms without, ${(await cpuOfLoading()).toFixed(0)} ms with it`,
)

/** In milliseconds, the least of some rounds. */
async function cpuOfLoading(): Promise<number> {
  const used: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    await loadTokenizer(folder)
    const { user, system } = process.cpuUsage(before)
    used.push((user + system) / 1000)
  }
  return Math.min(...used)
}
