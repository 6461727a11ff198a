import { raceAbort } from '../../system/unless-aborted.ts'
import { type ChunkEdit, listNotes } from '../chunk/chunk-edits.ts'
import type { EmbeddedChunk } from '../embed/embedded-text.ts'
import type { PassageEmbedder } from '../embed/embedder.ts'
import { batchItems, skip } from '../parse/streams.ts'
import type { ChunkedDocument, ChunkTotals } from '../store/contents/chunked.ts'
import type { ParsedDocument } from '../store/contents/parsed.ts'
import type { StoredVectors } from '../store/contents/vectors.ts'

/** Faster than publishing words first, which costs .2 to .4 ms (docs/benchmarks.md). */
const MAX_MS_PER_CHUNK = 1
/** Bounded, so that words are soon found. */
export const MAX_EMBEDDING_MS = 200

export class EmbeddingPace {
  readonly #msPerChunk = new Map<string, number>()

  note(embedderId: string, texts: number, ms: number): void {
    if (texts > 0) this.#msPerChunk.set(embedderId, ms / texts)
  }

  forget(embedderId: string): void {
    this.#msPerChunk.delete(embedderId)
  }

  isSoon(embedderId: string, chunks: number): boolean {
    const msPerChunk = this.#msPerChunk.get(embedderId) ?? Number.POSITIVE_INFINITY
    return msPerChunk <= MAX_MS_PER_CHUNK && msPerChunk * chunks <= MAX_EMBEDDING_MS
  }
}

/** Small, so that a killed run repeats few. */
const EMBED_BATCH = 16

export type ChunkVectors = {
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  readonly vectors: StoredVectors
  readonly totals: ChunkTotals
}

type EmbedOptions = {
  readonly signal?: AbortSignal
  readonly onDone?: (done: number) => void
  readonly pace?: EmbeddingPace
}

/** Continues a stopped run. */
export async function embedChunks(
  { chunked, parsed, vectors, totals }: ChunkVectors,
  embedder: PassageEmbedder,
  { signal, onDone, pace }: EmbedOptions,
): Promise<void> {
  const { chunks: total, longest } = totals
  const isDivided = embedder.canDivide(longest)
  if (vectors.hasVectors(total, isDivided)) return
  let done = Math.min(await vectors.count(), total)
  const stored = vectors.hasVectors(total) ? skip(vectors.readVectors(total), done) : undefined
  try {
    for await (const batch of batchItems(
      parsed.readTexts(skip(chunked.readChunks(), done)),
      EMBED_BATCH,
    )) {
      const cachedVectors = await take(stored, batch.length)
      await vectors.append(done, await embedAll(batch, embedder, { cachedVectors, signal, pace }))
      done += batch.length
      onDone?.(done)
    }
  } finally {
    await stored?.return()
  }
  await vectors.finish(total, isDivided)
}

type Vectors = readonly Float32Array[]

/** Embeds notes anew: stored vectors belong to contents, notes to documents. */
export async function embedNotes(
  edits: readonly ChunkEdit[],
  embedder: PassageEmbedder,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Vectors>> {
  const vectors = new Map<string, Vectors>()
  const all = listNotes(edits)
  for (let start = 0; start < all.length; start += EMBED_BATCH) {
    const notes = all.slice(start, start + EMBED_BATCH)
    const texts = notes.map(text => ({ text, context: '' }))
    const embedded = await embedAll(texts, embedder, { cachedVectors: [], signal })
    for (const [index, note] of notes.entries()) vectors.set(note, embedded[index] ?? [])
  }
  return vectors
}

/** Returns one vector per window. A chunk with one window keeps a cached vector. */
async function embedAll(
  chunks: readonly EmbeddedChunk[],
  embedder: PassageEmbedder,
  {
    cachedVectors,
    signal,
    pace,
  }: Omit<EmbedOptions, 'onDone'> & { readonly cachedVectors: readonly (Vectors | undefined)[] },
): Promise<readonly Vectors[]> {
  const windows = await embedder.createWindows(chunks)
  const reused = windows.map((own, index) => (own.length === 1 ? cachedVectors[index] : undefined))
  const texts = windows.filter((_, index) => !reused[index]).flat()
  const started = performance.now()
  const fresh = [...(await raceAbort(embedder.embed(texts, 'passage', signal), signal))]
  pace?.note(embedder.id, texts.length, performance.now() - started)
  return windows.map((own, index) => reused[index] ?? fresh.splice(0, own.length))
}

async function take(
  items: AsyncGenerator<Vectors> | undefined,
  count: number,
): Promise<readonly (Vectors | undefined)[]> {
  const vectors: (Vectors | undefined)[] = []
  while (vectors.length < count)
    vectors.push(items && ((await items.next()).value as Vectors | undefined)) // returns nothing else
  return vectors
}
