import type { ChunkedDocument } from './chunked.ts'
import { embeddedText } from './embedded-text.ts'
import type { Embedder } from './embedder.ts'
import type { ParsedDocument } from './parsed.ts'
import { batches, skip } from './streams.ts'
import type { StoredVectors } from './vectors.ts'

/** Chunks embedded between two writes: what a killed run repeats at most. */
const EMBED_BATCH = 16

export type ChunkVectors = {
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  /** Where they are kept. */
  readonly vectors: StoredVectors
  /** Chunks there are. */
  readonly total: number
}

/** Embed the chunks that have no stored vectors yet; a run that was stopped goes on after its last batch. Tells how many are done. */
export async function embedChunks(
  { chunked, parsed, vectors, total }: ChunkVectors,
  embedder: Embedder,
  { signal, onDone }: { readonly signal?: AbortSignal | undefined; readonly onDone?: (done: number) => void },
): Promise<void> {
  if (vectors.holds(total)) return
  let done = Math.min(await vectors.count(), total)
  for await (const batch of batches(parsed.texts(skip(chunked.chunks(), done)), EMBED_BATCH)) {
    await vectors.append(done, await embedder.embed(batch.map(embeddedText), 'passage', signal))
    done += batch.length
    onDone?.(done)
  }
  await vectors.finish()
}
