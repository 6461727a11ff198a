import type { Embedder } from '../ingest/embedder.ts'
import { dot } from '../search/dot.ts'

/** For each question, its cosine with each text; every text is embedded once. */
export async function nearness(
  embedder: Embedder,
  questions: readonly string[],
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const queries = await embedder.embed(questions, 'query', signal)
  const passages = await embedder.embed(texts, 'passage', signal)
  return queries.map(query => passages.map(passage => dot(query, passage)))
}
