import type { GenerateConfig } from '../generate-config.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'

type Style = NonNullable<GenerateConfig['functionCalling']>

/** One model that calls tools in whichever way a request's settings say; natively where they say nothing. */
export class CallStyleModel implements ChatModel {
  readonly id: string
  readonly #styles: Readonly<Record<Style, ChatModel>>

  constructor(styles: Readonly<Record<Style, ChatModel>>) {
    this.id = styles.native.id
    this.#styles = styles
  }

  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    return this.#styles[request.config?.functionCalling ?? 'native'].stream(request, signal)
  }
}
