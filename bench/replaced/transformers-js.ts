/**
 * transformers.js beside ONNX Runtime as Passim calls it: the shipped embedding model, the same texts. Prints the size of the
 * packages, CPU per text, and the least cosine between the vectors of both. @xenova/transformers, the older name of
 * transformers.js, does not load without the install script of sharp, and is tried first to show it.
 * usage: npx tsx bench/replaced/transformers-js.ts [TEXTS 40]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LocalEmbedder } from '../../src/ingest/embed/local.ts'
import { generatedText } from '../generated-text.ts'
import { cpuSecondsOfChildren } from '../process-tree.ts'
import { installPackages, measureCpu } from './peer-package.ts'

const MODEL = fileURLToPath(
  new URL('../../data/models/multilingual-e5-small-enzh', import.meta.url),
)
const WORDS_PER_TEXT = 150
const OLDER = '@xenova/transformers@2.17.2'
const VERSION = '@huggingface/transformers@4.3.2'

/** The part of the package's interface that is used here. */
type Transformers = {
  readonly env: { localModelPath: string; allowRemoteModels: boolean }
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { readonly dtype: string },
  ): Promise<
    (
      text: string,
      options: { readonly pooling: 'mean'; readonly normalize: boolean },
    ) => Promise<{ readonly data: Float32Array }>
  >
}

const texts = Array.from({ length: Number(process.argv[2] ?? 40) }, (_, seed) =>
  generatedText(seed, WORDS_PER_TEXT),
)

// The package reads onnx/model_quantized.onnx under the name of the model.
const models = mkdtempSync(path.join(tmpdir(), 'passim-transformers-'))
cpSync(MODEL, path.join(models, 'e5'), { recursive: true })

const older = installPackages(OLDER)
console.log(`${OLDER}: ${older.megabytes} MB installed`)
const { status, stderr } = spawnSync(
  process.execPath,
  [
    '--input-type=module',
    '--eval',
    `await import('${pathToFileURL(older.entry('@xenova/transformers'))}')`,
  ],
  { encoding: 'utf8' },
)
console.log(
  `${OLDER}: ${status === 0 ? 'loads' : /^Something.*|^Cannot find.*/m.exec(stderr)?.[0]}`,
)
older.remove()

const peer = installPackages(VERSION)
console.log(`${VERSION}: ${peer.megabytes} MB installed`)
const entry = pathToFileURL(peer.entry('@huggingface/transformers')).href
const { env, pipeline } = (await import(entry)) as Transformers // its documented exports
env.localModelPath = models
env.allowRemoteModels = false
const embed = await pipeline('feature-extraction', 'e5', { dtype: 'q8' })
await embed('passage: one', { pooling: 'mean', normalize: true })
const theirs = await measureCpu(async () => {
  const vectors: Float32Array[] = []
  for (const text of texts) {
    const { data } = await embed(`passage: ${text}`, { pooling: 'mean', normalize: true })
    vectors.push(data)
  }
  return vectors
})

const embedder = await LocalEmbedder.open({ modelPath: MODEL, workers: 1 })
await embedder.embed(['one'], 'passage')
const before = cpuSecondsOfChildren()
const vectors = await embedder.embed(texts, 'passage')
await embedder.close()
const oursMs = (cpuSecondsOfChildren() - before) * 1000
const least = Math.min(
  ...vectors.map((vector, at) =>
    vector.reduce((sum, value, index) => sum + value * (theirs.result[at]?.[index] ?? 0), 0),
  ),
)
console.log(`${VERSION}: ${(theirs.ms / texts.length).toFixed(0)} ms of CPU per text`)
console.log(`Passim: ${(oursMs / texts.length).toFixed(0)} ms of CPU per text`)
console.log(
  `${VERSION} takes ${(theirs.ms / oursMs).toFixed(2)} times the CPU; least cosine ${least.toFixed(6)}`,
)
peer.remove()
rmSync(models, { recursive: true })
