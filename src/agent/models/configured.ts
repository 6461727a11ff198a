import { type GenerateConfig, mergeConfigs } from '../generate-config.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'

/** A model with settings of its own, under those of each request. */
export class ConfiguredModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #config: GenerateConfig

  constructor(inner: ChatModel, config: GenerateConfig) {
    this.id = inner.id
    this.#inner = inner
    this.#config = config
  }

  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    return this.#inner.stream(
      { ...request, config: mergeConfigs(this.#config, request.config) },
      signal,
    )
  }
}
