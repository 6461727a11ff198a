/** JSON instead of prose: any object, or by a JSON Schema. */
export type ResponseFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly name: string
      readonly description?: string | undefined
      readonly schema?: Readonly<Record<string, unknown>> | undefined
      readonly strict?: boolean | undefined
    }

/** Unset ones are the server's. */
export type GenerateConfig = {
  readonly temperature?: number
  readonly topP?: number
  readonly maxTokens?: number
  /** Longer conversations lose their oldest turns. */
  readonly maxInputTokens?: number
  readonly seed?: number
  /** Stop texts, excluded from the answer. */
  readonly stop?: readonly string[]
  readonly parallelFunctionCalls?: boolean
  readonly responseFormat?: ResponseFormat
  /** Leaves `<think>` in the text. */
  readonly thoughtInContent?: boolean
  readonly maxRetries?: number
  /** Native calls, or a text template. */
  readonly functionCalling?: 'native' | 'nous' | 'qwen' | 'react'
  /** Additional request fields; the fields above win. */
  readonly extraBody?: Readonly<Record<string, unknown>>
}

/** Read by vLLM, SGLang, llama.cpp and Ollama. */
export const GRAMMAR_FIELDS = [
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'structured_outputs',
  'regex',
  'ebnf',
  'structural_tag',
  'grammar',
  'grammar_string',
  'json_schema',
  'format',
] as const

/** Returns whether the answer is machine-readable; nothing may be added. */
export function isFormatted(config: GenerateConfig): boolean {
  return config.responseFormat !== undefined || findGrammarField(config) !== undefined
}

export function findGrammarField({ extraBody = {} }: GenerateConfig): string | undefined {
  return GRAMMAR_FIELDS.find(name => extraBody[name] != null)
}

/** Later layers win; stops and extra fields are joined. */
export function mergeConfigs(...layers: readonly (GenerateConfig | undefined)[]): GenerateConfig {
  const definedLayers = layers.filter(layer => layer !== undefined)
  const stop = [...new Set(definedLayers.flatMap(layer => layer.stop ?? []))]
  const extraBody = Object.assign({}, ...definedLayers.map(layer => layer.extraBody ?? {}))
  const merged: GenerateConfig = Object.assign({}, ...definedLayers.map(removeUndefined))
  return {
    ...merged,
    ...(stop.length > 0 && { stop }),
    ...(Object.keys(extraBody).length > 0 && { extraBody }),
  }
}

function removeUndefined(config: GenerateConfig): GenerateConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}
