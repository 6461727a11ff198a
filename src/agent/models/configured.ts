import type { ChatModel } from '../model.ts'
import { type GenerateConfig, mergeConfigs } from './generate-config.ts'

/** Lets a request's settings override the model's. */
export function configureModel(inner: ChatModel, config: GenerateConfig): ChatModel {
  return {
    id: inner.id,
    stream: (request, signal) =>
      inner.stream({ ...request, config: mergeConfigs(config, request.config) }, signal),
  }
}

type CallStyle = NonNullable<GenerateConfig['functionCalling']>

/** Selects by the request's settings, natively by default. */
export function selectCallStyle(styles: Readonly<Record<CallStyle, ChatModel>>): ChatModel {
  return {
    id: styles.native.id,
    stream: (request, signal) =>
      styles[request.config?.functionCalling ?? 'native'].stream(request, signal),
  }
}
