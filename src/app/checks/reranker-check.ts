import type { Settings } from '../../config.ts'
import { toFailure } from '../../errors.ts'
import type { TextModels } from '../text-models.ts'
import type { Check } from './check.ts'

const WAIT_MS = 30_000

/** Whether the model of precise search scores a passage. */
export async function rerankerCheck({ reranker }: Settings, texts: TextModels): Promise<Check> {
  const name = 'reranker'
  if (!reranker) return { name, ok: true, detail: 'none: precise search looks at sentences with the embedder' }
  const detail = reranker.url ? `${reranker.name} at ${new URL(reranker.url).host}` : `${reranker.id}`
  try {
    await texts.rerank('doctor', ['A doctor treats the sick.'], AbortSignal.timeout(WAIT_MS))
    return { name, ok: true, detail }
  } catch (error) {
    return { name, ok: false, detail, error: toFailure(error) }
  }
}
