import { z } from 'zod'
import { GRAMMAR_FIELDS } from '../../agent/models/generate-config.ts'

export function markForwarded<Schema extends z.ZodType>(schema: Schema, meaning: string) {
  return schema.nullish().describe(`${meaning} Passed on to the chat model.`)
}

/** Metadata key of tolerant schemas, also in the OpenAPI document. */
const TOLERANT = 'x-passim-tolerant'

/** Marks a schema whose unknown parameters are ignored and listed in a header. */
export function markTolerant<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ [TOLERANT]: true })
}

export function isTolerant(schema: z.ZodType): boolean {
  return schema.meta()?.[TOLERANT] === true
}

export function markWithoutEffect<Schema extends z.ZodType>(schema: Schema, reason: string) {
  return schema.nullish().describe(`Ignored: ${reason}.`)
}

export function markRefused(reason: string) {
  return z.never({ error: reason }).optional().describe(`Refused: ${reason}.`)
}

const EVENT_SIZES = 'events are sent as they are, not padded'
export const NO_LOGPROBS =
  'answers are edited after the model wrote them, so token probabilities would not match'

export const TOOLS_SERVED =
  'supported tools are file_search and your own functions; the operator configures those of MCP servers'

/** Reasons for refusals, also for the table in docs/http.md. */
export const ITEMS_SERVED = 'calls of tools that this service does not offer; leave them out'
export const CALLS_SERVED = 'only functions can be called'
export const PARTS_SERVED = 'parts can be text, images and files; audio is not supported'
export const ROLES_SERVED = 'OpenAI has deprecated the role function; use the role tool'
export const PURPOSES_SERVED = "evals is not a purpose of OpenAI's file objects"

/** OpenAI's own bound, the limit of tools in a request. */
export const MAX_TOOLS = 128

export const CACHING = 'chat servers cache prompts on their own'
const END_USER = 'the API key identifies the caller'

export const sharedParameters = {
  user: markWithoutEffect(z.string(), END_USER),
  safety_identifier: markWithoutEffect(z.string(), END_USER),
  prompt_cache_key: markWithoutEffect(z.string(), CACHING),
  prompt_cache_options: markWithoutEffect(z.looseObject({}), CACHING),
  prompt_cache_retention: markWithoutEffect(z.string(), CACHING),
  service_tier: markWithoutEffect(z.string(), 'all requests have the same service tier'),
  moderation: markRefused('this service does not moderate; use a moderation service'),
}

/**
 * Documented parameters of vLLM, SGLang, llama.cpp, Ollama, LM Studio, text-generation-inference,
 * TabbyAPI, text-generation-webui and mlx-lm that OpenAI lacks, except those that load or send
 * anything else (adapters, templates, web search).
 */
const LOCAL_NAMES = [
  'top_k',
  'min_p',
  'top_a',
  'top_n_sigma',
  'typical',
  'typical_p',
  'tfs',
  'tfs_z',
  'epsilon_cutoff',
  'eta_cutoff',
  'do_sample',
  'min_keep',
  'samplers',
  'sampler_priority',
  'smoothing_factor',
  'smoothing_curve',
  'skew',
  'mirostat',
  'mirostat_mode',
  'mirostat_tau',
  'mirostat_eta',
  'xtc_probability',
  'xtc_threshold',
  'dynatemp_range',
  'dynatemp_exponent',
  'dynatemp_low',
  'dynatemp_high',
  'dynamic_temperature',
  'min_temp',
  'max_temp',
  'temp_exponent',
  'temperature_last',
  'guidance_scale',
  'cfg_scale',
  'penalty_alpha',
  'repetition_penalty',
  'repeat_penalty',
  'repetition_penalty_range',
  'repetition_context_size',
  'repeat_last_n',
  'length_penalty',
  'encoder_repetition_penalty',
  'no_repeat_ngram_size',
  'penalize_nl',
  'penalize_newline',
  'dry_multiplier',
  'dry_base',
  'dry_allowed_length',
  'dry_penalty_last_n',
  'dry_sequence_breakers',
  'min_tokens',
  'max_new_tokens',
  'n_predict',
  'num_predict',
  't_max_predict_ms',
  'ignore_eos',
  'ban_eos_token',
  'stop_token_ids',
  'include_stop_str_in_output',
  'no_stop_trim',
  'skip_special_tokens',
  'spaces_between_special_tokens',
  'allowed_token_ids',
  'bad_words',
  'banned_tokens',
  'banned_strings',
  'num_ctx',
  'num_keep',
  'n_keep',
  'n_discard',
  'num_batch',
  'num_gpu',
  'num_thread',
  'truncate_prompt_tokens',
  'cache_prompt',
  'id_slot',
  'cache_salt',
  'keep_alive',
  'ttl',
  'num_draft_tokens',
  'options',
  'mm_processor_kwargs',
  'random_seed',
  'think',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'thinking_token_budget',
  'reasoning_budget',
  'reasoning_format',
  'include_reasoning',
  'separate_reasoning',
  'stream_reasoning',
  'chat_template_kwargs',
  ...GRAMMAR_FIELDS,
] as const

type LocalName = (typeof LOCAL_NAMES)[number]

const LOCAL = 'Passed on to the chat model. Servers of open models support this parameter.'

/** The server of the model validates the values. */
export const localParameters = Object.fromEntries(
  LOCAL_NAMES.map(name => [name, z.unknown().nullish().describe(LOCAL)]),
) as Readonly<Record<LocalName, z.ZodOptional<z.ZodNullable<z.ZodUnknown>>>>

export function pickLocalFields(
  request: { readonly [name in LocalName]?: unknown },
): Readonly<Record<string, unknown>> {
  return selectForwarded(request, LOCAL_NAMES)
}

export const paddingSchema = markWithoutEffect(z.boolean(), EVENT_SIZES)

/** Forwarded to the chat model's server, from both forms of a completion. */
export const penaltyParameters = {
  frequency_penalty: markForwarded(
    z.number().min(-2).max(2),
    'Penalty for tokens by how often they occur in the text so far (-2 to 2; servers use 0 by default).',
  ),
  presence_penalty: markForwarded(
    z.number().min(-2).max(2),
    'Penalty for tokens that occur in the text so far (-2 to 2; servers use 0 by default).',
  ),
  logit_bias: markForwarded(
    z.record(z.string(), z.number()),
    'Bias to add to the likelihood of tokens: token id to number, usually -100 to 100.',
  ),
}

export const samplingParameters = {
  temperature: markForwarded(
    z.number().min(0).max(2),
    'Sampling temperature (0 to 2): lower values give more predictable answers.',
  ),
  top_p: markForwarded(
    z.number().min(0).max(1),
    'Share of the probability from which tokens are sampled (0 to 1).',
  ),
  max_tokens: markForwarded(
    z.int().min(1),
    'Maximum number of tokens that the model may write (1 or more).',
  ),
  stop: markForwarded(
    z.union([z.string(), z.array(z.string()).max(4)]),
    'Texts at which the model stops writing (at most 4).',
  ),
  seed: markForwarded(
    z.int(),
    'Seed of the sampling, an integer, for answers that can be repeated.',
  ),
}

export function selectForwarded<Name extends string>(
  request: { readonly [key in Name]?: unknown },
  names: readonly Name[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.flatMap(name => (request[name] == null ? [] : [[name, request[name]]])),
  )
}
