import { type GenerateConfig, mergeConfigs } from '../generate-config.ts'
import type { ChatModel } from '../model.ts'

/** Gives a model settings of its own, which those of each request override. */
export function configureModel(inner: ChatModel, config: GenerateConfig): ChatModel {
  return {
    id: inner.id,
    stream: (request, signal) =>
      inner.stream({ ...request, config: mergeConfigs(config, request.config) }, signal),
  }
}

type CallStyle = NonNullable<GenerateConfig['functionCalling']>

/** Calls tools in the way that a request's settings name, natively by default. */
export function selectCallStyle(styles: Readonly<Record<CallStyle, ChatModel>>): ChatModel {
  return {
    id: styles.native.id,
    stream: (request, signal) =>
      styles[request.config?.functionCalling ?? 'native'].stream(request, signal),
  }
}
