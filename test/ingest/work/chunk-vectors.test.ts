import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { WindowedEmbedder } from '../../../src/ingest/embed/windowed.ts'
import { ChunkedDocument } from '../../../src/ingest/store/contents/chunked.ts'
import { ParsedDocument } from '../../../src/ingest/store/contents/parsed.ts'
import { StoredVectors } from '../../../src/ingest/store/contents/vectors.ts'
import { embedChunks } from '../../../src/ingest/work/chunk-vectors.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'
import { wordCounter } from '../../fakes/word-counter.ts'

const DIMENSIONS = 1_024
/** More than are embedded between two writes, their vectors longer than is read of a file at once. */
const CHUNKS = 40
const LENGTH = 20

/** Tells whether somebody still reads. */
class WatchedVectors extends StoredVectors {
  readers = 0
  override async *readVectors(total: number) {
    this.readers++
    try {
      yield* super.readVectors(total)
    } finally {
      this.readers--
    }
  }
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-chunk-vectors-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A document whose last chunk has many words, the others one. */
async function document() {
  const words = (at: number) =>
    (at === CHUNKS - 1 ? 'a b c d e f g h i j' : `word${at}`).padEnd(LENGTH)
  const text = Array.from({ length: CHUNKS }, (_, at) => words(at)).join('')
  await mkdir(path.join(folder, 'parsed'))
  await writeFile(path.join(folder, 'parsed', 'text.u16'), Buffer.from(text, 'utf16le'))
  const parsed = new ParsedDocument(path.join(folder, 'parsed'))
  const chunked = new ChunkedDocument(path.join(folder, 'chunks.jsonl'), parsed)
  const chunks = Array.from({ length: CHUNKS }, (_, ordinal) => {
    const place = { charStart: ordinal * LENGTH, charEnd: (ordinal + 1) * LENGTH }
    return { ordinal, ...place, headings: [], context: '', tokens: 1, text: '' }
  })
  async function* all() {
    yield* chunks
  }
  const totals = await chunked.write(all())
  const vectors = new WatchedVectors(path.join(folder, 'v.f32'), DIMENSIONS, 'doc_1')
  return { chunked, parsed, vectors, totals }
}

const embedderOf = (embedder: HashingEmbedder) =>
  new WindowedEmbedder(embedder, async () => wordCounter)

async function windowsOf(vectors: StoredVectors): Promise<readonly number[]> {
  const counts: number[] = []
  for await (const own of vectors.readVectors(CHUNKS)) counts.push(own.length)
  return counts
}

test('vectors that were known are closed when the model fails half-way', async () => {
  const input = await document()
  await embedChunks(input, embedderOf(new HashingEmbedder({ dimensions: DIMENSIONS })), {})
  const failing = new HashingEmbedder({ dimensions: DIMENSIONS, maxTokens: 6 })
  failing.embed = async texts => {
    if (texts.length > 0) throw new AppError('model_unavailable', 'The model is gone.')
    return []
  }
  await expect(embedChunks(input, embedderOf(failing), {})).rejects.toMatchObject({
    code: 'model_unavailable',
  })
  expect(input.vectors.readers).toBe(0)
  const limited = embedderOf(new HashingEmbedder({ dimensions: DIMENSIONS, maxTokens: 6 }))
  await embedChunks(input, limited, {})
  expect((await windowsOf(input.vectors)).slice(-2)).toEqual([1, 2])
})
test('a chunk that has several windows though its tokens were few keeps them all, and is not embedded again', async () => {
  const input = await document()
  const embedder = new HashingEmbedder({ dimensions: DIMENSIONS, maxTokens: 6 })
  const windowed = embedderOf(embedder)
  windowed.canDivide = () => false
  await embedChunks(input, windowed, {})
  expect((await windowsOf(input.vectors)).slice(-2)).toEqual([1, 2])
  const { length } = embedder.calls
  await embedChunks(input, windowed, {})
  expect(embedder.calls).toHaveLength(length)
})
