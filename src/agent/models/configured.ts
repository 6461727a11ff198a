import type { ChatModel } from '../model.ts'
import { type GenerateConfig, mergeConfigs } from './generate-config.ts'

/** Settings of a request override those of `config`. */
export function configureModel(inner: ChatModel, config: GenerateConfig): ChatModel {
  return {
    id: inner.id,
    maxInputTokens: config.maxInputTokens,
    stream: (request, signal) =>
      inner.stream({ ...request, config: mergeConfigs(config, request.config) }, signal),
  }
}

type CallStyle = NonNullable<GenerateConfig['functionCalling']>

/** Selects by the config of each request; native calls by default. */
export function selectCallStyle(styles: Readonly<Record<CallStyle, ChatModel>>): ChatModel {
  return {
    id: styles.native.id,
    stream: (request, signal) =>
      styles[request.config?.functionCalling ?? 'native'].stream(request, signal),
  }
}
