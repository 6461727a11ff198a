import { retryAfterMs } from '../../../system/post-json.ts'
import type { ModelRequest } from '../../model.ts'

type Refusal = {
  readonly retryAfter?: string | null
  readonly reason?: string
  /** `param` of OpenAI's error object. */
  readonly param?: string
}

export class HttpFailure extends Error {
  readonly status: number
  readonly retryAfterMs: number | undefined
  readonly reason: string
  readonly param: string | undefined

  constructor(status: number, { retryAfter = null, reason = '', param }: Refusal = {}) {
    super(`HTTP ${status}`)
    this.name = 'HttpFailure'
    this.status = status
    this.retryAfterMs = retryAfterMs(retryAfter)
    this.reason = reason
    this.param = param
  }
}

/** Messages about a conversation that is too long, for any request. */
const TOO_LONG =
  /context[ _-]?(?:length|window|size|limit)|(?:input|prompt|sequence)[ _-]?(?:length|tokens?)|too (?:long|large|many tokens)|reduce (?:the|your) |n_ctx|max_model_len|max(?:imum)?[ _-](?:input|seq|total)\w*[ _-]tokens|\b(?:exceed\w*|over) .{0,60}(?:tokens?|length|limit)|上下文|过长|(?:超出|超过).{0,20}(?:长度|限制|上限)/i

const FILTERED =
  /data_?inspection_?failed|inappropriate content|content[ _](?:filter|policy|management policy)/i

/** Check the status too: rate limits read the same. */
export function isContentRefusal(reason: string): boolean {
  return TOO_LONG.test(reason) || FILTERED.test(reason)
}

const FORM_STATUSES = new Set([400, 422, 501])

/** Statuses that refuse tools only if mentioned (OpenRouter, old llama.cpp). */
const FORM_STATUSES_IF_NAMED = new Set([404, 405, 500])

const TOOL_WORDS = /\btools?\b|\btool[_-]|functions?\b/i

/** Fields whose refusal remains without tools. */
const OTHER_FIELDS = [
  'model',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'seed',
  'stop',
  'response_format',
  'parallel_tool_calls',
]

/** Parts of an answer that any 500 may have. */
const EVERY_500 = /<[^>]*>|"\w+"\s*:|internal server error|\b500\b/gi

export function isBareFailure({ status, reason }: HttpFailure): boolean {
  return status === 500 && !/[\p{L}\p{N}]/u.test(reason.replace(EVERY_500, ''))
}

export function isFormRefusal({ status }: HttpFailure): boolean {
  return FORM_STATUSES.has(status)
}

export function canBeFormRefusal({ status }: HttpFailure): boolean {
  return FORM_STATUSES.has(status) || (status < 500 && FORM_STATUSES_IF_NAMED.has(status))
}

export function isAboutTools({ reason, param = '' }: HttpFailure): boolean {
  return TOOL_WORDS.test(`${reason} ${param}`)
}

/** Only a request without tools can confirm the refusal. */
export function canBeToolRefusal(
  failure: HttpFailure,
  { tools, toolChoice, config }: ModelRequest,
): boolean {
  const { status, reason, param = '' } = failure
  if (isBareFailure(failure)) return true
  if (!FORM_STATUSES.has(status) && !(FORM_STATUSES_IF_NAMED.has(status) && isAboutTools(failure)))
    return false
  const [field = ''] = param.split(/[.[]/)
  if (OTHER_FIELDS.includes(field) || Object.hasOwn(config?.extraBody ?? {}, field)) return false
  const isForced = typeof toolChoice === 'object' || toolChoice === 'required'
  if (isForced && /tool[ _]choice/i.test(`${reason} ${param}`)) return false
  return !(/schema/i.test(reason) && tools.some(({ name }) => reason.includes(name)))
}
