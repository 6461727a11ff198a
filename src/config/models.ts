import { z } from 'zod'

export const modelSchema = z.strictObject({
  /** Base URL such as `http://localhost:11434/v1`. */
  url: z.url(),
  name: z.string().min(1),
  key: z.string().min(1).optional(),
  temperature: z.number().min(0).optional(),
  topP: z.number().min(0).max(1).optional(),
  /** Limits an answer. */
  maxTokens: z.int().min(1).optional(),
  /** Limits a request; longer conversations lose their oldest turns. 0 for no limit. */
  maxInputTokens: z.int().min(0).default(58_000),
  seed: z.int().optional(),
  stop: z.array(z.string().min(1)).optional(),
  parallelFunctionCalls: z.boolean().optional(),
  thoughtInContent: z.boolean().optional(),
  /** Native calls, or a text template that the model knows. */
  functionCalling: z.enum(['native', 'nous', 'qwen', 'react']).default('native'),
  /** Maximum silence. */
  timeoutMs: z.int().min(1).default(120_000),
  /** Default two after a 429 or 503. */
  maxRetries: z.int().min(0).max(20).optional(),
  /** Additional request fields, such as `{top_k: 20}`. */
  extraBody: z.record(z.string(), z.json()).optional(),
  cache: z
    .strictObject({
      /** All cached answers; 0 disables the cache. */
      maxBytes: z.int().min(0).default(0),
      ttlMs: z
        .int()
        .min(1)
        .default(24 * 60 * 60 * 1000),
    })
    .prefault({}),
})

/** Without `cache`, which lies in a store. */
export type ModelInput = Omit<z.input<typeof modelSchema>, 'cache'>

const prefix = z.string().max(1_000)

const embedderSchema = z.strictObject({
  /** Folder under `data/models`, or an absolute path. */
  id: z.string().min(1).optional(),
  url: z.url().optional(),
  name: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  /** Text before queries and passages; default the model's. */
  prefixes: z.strictObject({ query: prefix.default(''), passage: prefix.default('') }).optional(),
  /** State that becomes the vector; default the model's. */
  pooling: z.enum(['mean', 'cls', 'last', 'model']).optional(),
  /** Shorter vectors, for models trained for it. */
  dimensions: z.int().min(1).max(16_384).optional(),
  /** Includes prefix and special tokens. */
  maxTokens: z.int().min(16).max(32_768).optional(),
})

const rerankerSchema = z.strictObject({
  /** Absolute folder with `tokenizer.json` and ONNX weights. */
  id: z.string().min(1).optional(),
  /** Server with Cohere's or Jina's `/rerank`. */
  url: z.url().optional(),
  name: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  /** Hits to rerank. */
  depth: z.int().min(1).max(100).default(20),
  /** Hits then keep their order. */
  timeMs: z.int().min(1).default(10_000),
})

export const modelSettings = {
  model: modelSchema.optional(),
  embedder: embedderSchema.prefault({}),
  /** More models by the name for `--embedder`. */
  embedders: z.record(z.string().regex(/^[^\s@]+$/), embedderSchema).default({}),
  reranker: rerankerSchema.optional(),
}

/** Qwen-Agent's `generate_cfg`, without `function_choice`. */
export const generateConfigSchema = z.strictObject({
  temperature: modelSchema.shape.temperature,
  top_p: modelSchema.shape.topP,
  max_tokens: modelSchema.shape.maxTokens,
  max_input_tokens: z.int().min(0).optional(),
  max_retries: modelSchema.shape.maxRetries,
  seed: modelSchema.shape.seed,
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  parallel_function_calls: modelSchema.shape.parallelFunctionCalls,
  thought_in_content: modelSchema.shape.thoughtInContent,
  fncall_prompt_type: modelSchema.shape.functionCalling.unwrap().optional(),
  extra_body: modelSchema.shape.extraBody,
})

export function renameConfigFields(fields: z.output<typeof generateConfigSchema>) {
  return {
    temperature: fields.temperature,
    topP: fields.top_p,
    maxTokens: fields.max_tokens,
    maxInputTokens: fields.max_input_tokens,
    maxRetries: fields.max_retries,
    seed: fields.seed,
    stop: fields.stop === undefined ? undefined : [fields.stop].flat(),
    parallelFunctionCalls: fields.parallel_function_calls,
    thoughtInContent: fields.thought_in_content,
    functionCalling: fields.fncall_prompt_type,
    extraBody: fields.extra_body,
  }
}

/** Base URL of Alibaba's Model Studio. */
const DASHSCOPE = 'https://dashscope.aliyuncs.com/compatible-mode/v1'

/** Kinds of `llm`: those of DashScope name its server. */
const MODEL_TYPES = ['qwen_dashscope', 'qwenvl_dashscope', 'oai', 'qwenvl_oai'] as const

/** Qwen-Agent's `llm`. Its server has to be named, so that nothing leaves the machine unasked. */
export const llmBlock = z
  .strictObject({
    model: modelSchema.shape.name,
    model_type: z.enum(MODEL_TYPES).optional(),
    model_server: z.union([z.literal('dashscope'), z.url()]).optional(),
    api_key: modelSchema.shape.key,
    generate_cfg: generateConfigSchema.default({}),
  })
  .transform(({ model: name, api_key: key, generate_cfg: config, ...where }, context) => {
    const { model_type: type = '', model_server: server } = where
    const isDashScope = server === 'dashscope' || (!server && type.endsWith('_dashscope'))
    if (!server && !isDashScope) {
      const message = 'is missing: it has to be dashscope or a URL'
      context.addIssue({ code: 'custom', path: ['model_server'], message })
    }
    const url = isDashScope ? DASHSCOPE : server
    return { model: { name, url, key, ...renameConfigFields(config) } }
  })

export type LlmBlock = z.input<typeof llmBlock>
