import type { ModelRequest } from '../model.ts'
import type { HttpFailure } from './http-failure.ts'

/** The conversation is longer than the model reads: shorter requests succeed, whatever they leave out. */
const TOO_LONG =
  /context[ _-]?(?:length|window|size|limit)|(?:input|prompt|sequence)[ _-]?(?:length|tokens?)|too (?:long|large|many tokens)|reduce (?:the|your) |n_ctx|max_model_len|max(?:imum)?[ _-](?:input|seq|total)\w*[ _-]tokens|\b(?:exceed\w*|over) .{0,60}(?:tokens?|length|limit)|上下文|过长|(?:超出|超过).{0,20}(?:长度|限制|上限)/i

/** A filter of the server minds what is said. */
const FILTERED = /data_?inspection_?failed|inappropriate content|content[ _](?:filter|policy|management policy)/i

/** Returns whether a server refuses what is said, in any form, or how long it is. A limit of rates reads the same: ask of refused requests alone. */
export function isContentRefusal(reason: string): boolean {
  return TOO_LONG.test(reason) || FILTERED.test(reason)
}

/** Statuses by which servers refuse a request for its form. */
const OF_FORM = new Set([400, 422, 501])

/** Statuses that mean tools only if the server's words do: no endpoint of OpenRouter has them, or an old llama.cpp fails. */
const OF_FORM_IF_NAMED = new Set([404, 405, 500])

const TOOLS_NAMED = /\btools?\b|\btool[_-]|functions?\b/i

/** Fields that are not about tools: what a server says of them stays true without tools. */
const OTHER_FIELDS = [
  ...['model', 'stream', 'stream_options', 'temperature', 'top_p', 'max_tokens', 'max_completion_tokens'],
  ...['seed', 'stop', 'response_format', 'parallel_tool_calls'],
]

export function isFormRefusal({ status }: HttpFailure): boolean {
  return OF_FORM.has(status)
}

export function isAboutTools({ reason, param = '' }: HttpFailure): boolean {
  return TOOLS_NAMED.test(`${reason} ${param}`)
}

/** Returns whether the request may be refused for its tools. No wording is known for sure: the request without them tells. */
export function canBeToolRefusal(failure: HttpFailure, { tools, toolChoice, config }: ModelRequest): boolean {
  const { status, reason, param = '' } = failure
  if (!OF_FORM.has(status) && !(OF_FORM_IF_NAMED.has(status) && isAboutTools(failure))) return false
  const [field = ''] = param.split(/[.[]/)
  if (OTHER_FIELDS.includes(field) || Object.hasOwn(config?.extraBody ?? {}, field)) return false
  const isForced = typeof toolChoice === 'object' || toolChoice === 'required'
  if (isForced && /tool[ _]choice/i.test(`${reason} ${param}`)) return false
  return !(/schema/i.test(reason) && tools.some(({ name }) => reason.includes(name)))
}
