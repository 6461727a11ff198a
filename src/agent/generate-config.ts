/** JSON instead of prose: any object, or what a JSON Schema describes. */
export type ResponseFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly name: string
      readonly description?: string | undefined
      readonly schema?: Readonly<Record<string, unknown>> | undefined
      readonly strict?: boolean | undefined
    }

/** How a model is to generate; what is not set is left to the server. */
export type GenerateConfig = {
  readonly temperature?: number
  readonly topP?: number
  /** Of the answer. */
  readonly maxTokens?: number
  /** Of the request: longer conversations are shortened, oldest first. */
  readonly maxInputTokens?: number
  readonly seed?: number
  /** Texts at which the model stops; they are no part of the answer. */
  readonly stop?: readonly string[]
  readonly parallelFunctionCalls?: boolean
  readonly responseFormat?: ResponseFormat
  /** Leave `<think>` in the text instead of telling it apart as reasoning. */
  readonly thoughtInContent?: boolean
  /** Tries after a failure that may pass. */
  readonly maxRetries?: number
  /** How tools are called: by the server's own means, or as text by a template. */
  readonly functionCalling?: 'native' | 'nous' | 'qwen' | 'react'
  /** Fields of the request that only some servers know, as `top_k`; those above win. */
  readonly extraBody?: Readonly<Record<string, unknown>>
}

/** Request fields that constrain an answer to a grammar or schema, as vLLM, SGLang, llama.cpp and Ollama name them. */
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

/** Returns whether the caller requests a machine-readable format, to which nothing may be added. */
export function isFormatted({ responseFormat, extraBody = {} }: GenerateConfig): boolean {
  return responseFormat !== undefined || GRAMMAR_FIELDS.some(name => extraBody[name] != null)
}

/** Later layers win, setting by setting; lists of stops join, and so do extra fields. */
export function mergeConfigs(...layers: readonly (GenerateConfig | undefined)[]): GenerateConfig {
  const given = layers.filter(layer => layer !== undefined)
  const stop = [...new Set(given.flatMap(layer => layer.stop ?? []))]
  const extraBody = Object.assign({}, ...given.map(layer => layer.extraBody ?? {}))
  const merged = Object.assign({}, ...given.map(removeUndefined)) as GenerateConfig // each layer is one
  return {
    ...merged,
    ...(stop.length > 0 && { stop }),
    ...(Object.keys(extraBody).length > 0 && { extraBody }),
  }
}

function removeUndefined(config: GenerateConfig): GenerateConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}
