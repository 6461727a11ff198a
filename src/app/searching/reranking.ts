import type { Settings } from '../../config.ts'
import { AppError } from '../../errors.ts'
import type { Reranker } from '../../search/reranker.ts'
import { CrossEncoder } from '../../search/rerankers/cross-encoder.ts'
import { RemoteReranker } from '../../search/rerankers/remote.ts'
import type { RerankOptions } from '../../search/stages/rerank.ts'

export type ConfiguredReranker = {
  readonly reranker: Reranker & { close(): Promise<void> }
  readonly options: RerankOptions
}

export function openReranker({
  reranker: setting,
  embedding,
}: Settings): ConfiguredReranker | undefined {
  if (!setting) return undefined
  const { id, url, name, key, depth, timeMs } = setting
  const options = { depth, weight: 1, timeMs }
  if (url) {
    if (!name)
      throw new AppError(
        'invalid_input',
        'The setting reranker.url needs reranker.name, the name of the model on that server.',
      )
    return { reranker: new RemoteReranker({ url, name, key, timeMs }), options }
  }
  if (!id)
    throw new AppError(
      'invalid_input',
      'Setting reranker needs id, a model folder, or url and name.',
    )
  return { reranker: new CrossEncoder({ modelPath: id, idleMs: embedding.idleMs }), options }
}
