import { unlessAborted } from '../../system/unless-aborted.ts'
import type { EmbeddedChunk } from '../embed/embedded-text.ts'
import type { PassageEmbedder } from '../embed/embedder.ts'
import { batches, skip } from '../parse/streams.ts'
import type { ChunkedDocument, ChunkTotals } from '../store/contents/chunked.ts'
import type { ParsedDocument } from '../store/contents/parsed.ts'
import type { StoredVectors } from '../store/contents/vectors.ts'

/** To publish a chunk by its words, and then again with its vectors, costs .2 to .4 ms of CPU (docs/benchmarks.md): where embedding takes little longer, it is not worth it. */
const MAX_MS_PER_CHUNK = 1
/** A document is not kept from being found by its words for longer. */
export const MAX_EMBEDDING_MS = 200

/** How long each model took for a chunk when it embedded last. */
export class EmbeddingPace {
  readonly #msPerChunk = new Map<string, number>()

  took(embedderId: string, texts: number, ms: number): void {
    if (texts > 0) this.#msPerChunk.set(embedderId, ms / texts)
  }

  forget(embedderId: string): void {
    this.#msPerChunk.delete(embedderId)
  }

  /** Whether so many chunks are embedded so soon that they need not be published without vectors. Of a model that embedded nothing yet, false. */
  isSoon(embedderId: string, chunks: number): boolean {
    const msPerChunk = this.#msPerChunk.get(embedderId) ?? Number.POSITIVE_INFINITY
    return msPerChunk <= MAX_MS_PER_CHUNK && msPerChunk * chunks <= MAX_EMBEDDING_MS
  }
}

/** Chunks embedded between two writes: what a killed run repeats at most. */
const EMBED_BATCH = 16

type ChunkVectors = {
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  /** Where they are kept. */
  readonly vectors: StoredVectors
  readonly totals: ChunkTotals
}

type EmbedOptions = {
  readonly signal?: AbortSignal | undefined
  readonly onDone?: (done: number) => void
  /** Is told how long it takes. */
  readonly pace?: EmbeddingPace
}

/**
 * Embed the chunks that have no stored vectors yet, those that are too long for the model in windows; a run that was stopped
 * goes on after its last batch. Tells how many are done.
 */
export async function embedChunks(
  { chunked, parsed, vectors, totals }: ChunkVectors,
  embedder: PassageEmbedder,
  { signal, onDone, pace }: EmbedOptions,
): Promise<void> {
  const { chunks: total, longest } = totals
  const isDivided = embedder.mayDivide(longest)
  if (vectors.holds(total, isDivided)) return
  let done = Math.min(await vectors.count(), total)
  const known = vectors.holds(total) ? skip(vectors.vectors(total), done) : undefined
  try {
    for await (const batch of batches(parsed.texts(skip(chunked.chunks(), done)), EMBED_BATCH)) {
      const before = await take(known, batch.length)
      await vectors.append(done, await embedAll(batch, embedder, { known: before, signal, pace }))
      done += batch.length
      onDone?.(done)
    }
  } finally {
    await known?.return() // closes the file
  }
  await vectors.finish(total, isDivided)
}

type Vectors = readonly Float32Array[]

/** The vectors of each chunk, one a window. Those of a chunk that is not divided are `known` where it was embedded as a whole before. */
async function embedAll(
  chunks: readonly EmbeddedChunk[],
  embedder: PassageEmbedder,
  {
    known,
    signal,
    pace,
  }: Omit<EmbedOptions, 'onDone'> & { readonly known: readonly (Vectors | undefined)[] },
): Promise<readonly Vectors[]> {
  const windows = await embedder.windows(chunks)
  const isKnown = (at: number) => windows[at]?.length === 1 && known[at] !== undefined
  const unknown = windows.filter((_, at) => !isKnown(at))
  const texts = unknown.flat()
  const started = performance.now()
  const fresh = [...(await unlessAborted(embedder.embed(texts, 'passage', signal), signal))]
  pace?.took(embedder.id, texts.length, performance.now() - started)
  return windows.map((own, at) => (isKnown(at) ? known[at]! : fresh.splice(0, own.length))) // just checked
}

/** So many of what comes next; nothing where there is nothing to take from. */
async function take(
  items: AsyncGenerator<Vectors> | undefined,
  count: number,
): Promise<readonly (Vectors | undefined)[]> {
  const taken: (Vectors | undefined)[] = []
  while (taken.length < count)
    taken.push(items && ((await items.next()).value as Vectors | undefined)) // returns nothing else
  return taken
}
