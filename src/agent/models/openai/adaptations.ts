import { type LocalizableMessage, localizable } from '../../../errors/localizable.ts'
import { hashParts } from '../../../system/digest.ts'
import type { ContentItem, Message } from '../../message.ts'
import type { ModelRequest, ParametersSchema } from '../../model.ts'
import type { GenerateConfig } from '../generate-config.ts'
import type { HttpFailure } from './http-failure.ts'
import { showPictures } from './messages.ts'

export type Adaptation = {
  readonly name: LocalizableMessage
  readonly isTriggeredBy: (failure: HttpFailure) => boolean
  readonly affects: (request: ModelRequest) => boolean
  readonly apply: (request: ModelRequest, server: string) => ModelRequest
  /** Returns whether a setting of the caller has no effect. */
  readonly drops?: (request: ModelRequest) => boolean
}

/** Statuses that no change can cure: keys, payment, limits. */
const INCURABLE = new Set([401, 402, 403, 429])

export function findAdaptation(
  failure: HttpFailure,
  request: ModelRequest,
  tried: readonly Adaptation[],
): Adaptation | undefined {
  if (INCURABLE.has(failure.status)) return undefined
  return ADAPTATIONS.find(
    change => !tried.includes(change) && change.isTriggeredBy(failure) && change.affects(request),
  )
}

function matchReason(pattern: RegExp): Adaptation['isTriggeredBy'] {
  return ({ reason }) => pattern.test(reason)
}

function matchField(field: string): Adaptation['isTriggeredBy'] {
  const unsupported =
    /unsupported|not support|no endpoints found|unknown|not permitted|unrecognized|only|incompatible|deprecated/i
  const named = new RegExp(`\\b${field.replaceAll('_', '[_ ]')}\\b`, 'i')
  return ({ reason, param }) => (param === field || named.test(reason)) && unsupported.test(reason)
}

/** Chat templates of Mistral, Gemma and Llama 2 refuse other orders. */
const mergedRoles: Adaptation = {
  name: localizable`consecutive messages of one role are merged`,
  isTriggeredBy: matchReason(/roles? must alternate|unexpected role '\w+' after role '\w+'/i),
  affects: ({ messages }) => mergeRoles(messages).length < showPictures(messages).length,
  apply: request => ({ ...request, messages: mergeRoles(request.messages) }),
}

/** Mistral: "Unexpected role 'user' after role 'tool'". */
const answeredResults: Adaptation = {
  name: localizable`results of tools are followed by an answer`,
  isTriggeredBy: matchReason(/unexpected role 'user' after role 'tool'/i),
  affects: ({ messages }) =>
    showPictures(messages).some((_, index, all) => isUnanswered(all, index)),
  apply: request => ({
    ...request,
    messages: showPictures(request.messages).flatMap(answerResult),
  }),
}

/** Mistral: "must be a-z, A-Z, 0-9, with a length of 9". */
const shortCallIds: Adaptation = {
  name: localizable`tool calls have ids of nine characters`,
  isTriggeredBy: matchReason(/tool[ _]call[ _]id .*length of 9/i),
  affects: ({ messages }) =>
    messages.some(({ functionId: id }) => id !== undefined && id !== shortenId(id)),
  apply: request => ({ ...request, messages: request.messages.map(shortenCallId) }),
}

/**
 * Gemini: `Unknown name "additionalProperties" at
 * 'tools[0].function_declarations[0].parameters'`.
 */
const reducedSchemas: Adaptation = {
  name: localizable`parameters of tools use the schema subset of OpenAPI 3.0`,
  isTriggeredBy: matchReason(/unknown name .*(?:function_?declarations|parameters)/is),
  affects: ({ tools }) => tools.length > 0,
  apply: request => ({
    ...request,
    tools: request.tools.map(({ strict: _, ...tool }) => ({
      ...tool,
      parameters: reduceParameters(tool.parameters),
    })),
  }),
}

/** OpenAI's reasoning models accept the newer name only. */
const newerTokenLimit: Adaptation = {
  name: localizable`max_tokens is sent as max_completion_tokens`,
  isTriggeredBy: matchReason(/max_tokens.*max_completion_tokens/is),
  affects: ({ config }) => config?.maxTokens !== undefined,
  apply: request =>
    changeConfig(request, ({ maxTokens, ...config }) => ({
      ...config,
      extraBody: { max_completion_tokens: maxTokens, ...config.extraBody },
    })),
}

/** GPT-5.4 and later reason by default, and call tools only without. */
const noReasoningWithTools: Adaptation = {
  name: localizable`reasoning_effort is sent as none with tools`,
  isTriggeredBy: matchReason(/tools .*reasoning_effort/is),
  affects: ({ tools, config }) =>
    tools.length > 0 && config?.extraBody?.reasoning_effort !== NO_REASONING.reasoning_effort,
  apply: request => (request.tools.length > 0 ? addFields(request, NO_REASONING) : request),
  drops: ({ tools, config }) => {
    const effort = config?.extraBody?.reasoning_effort
    return tools.length > 0 && effort != null && effort !== NO_REASONING.reasoning_effort
  },
}

const NO_REASONING = { reasoning_effort: 'none' }

/** Versions of Azure before 2024-09-01. */
const noUsage: Adaptation = {
  name: localizable`stream_options is left out`,
  isTriggeredBy: matchField('stream_options'),
  affects: ({ config }) => config?.extraBody?.stream_options !== null,
  apply: request => addFields(request, { stream_options: null }),
}

/** Servers make parallel calls by default. */
const noParallelField: Adaptation = {
  ...omitField(
    'parallelFunctionCalls',
    'parallel_tool_calls',
    localizable`parallel_tool_calls is left out`,
  ),
  drops: ({ tools, config }) => tools.length > 0 && config?.parallelFunctionCalls === false,
}
/** Reasoning models of OpenAI and Moonshot accept only their default. */
const noTemperature: Adaptation = {
  ...omitField('temperature', 'temperature', localizable`temperature is left out`),
  drops: ({ config }) => config?.temperature !== undefined,
}
const noTopP: Adaptation = {
  ...omitField('topP', 'top_p', localizable`top_p is left out`),
  drops: ({ config }) => config?.topP !== undefined,
}
/** The caller cuts the text instead. */
export const noStop = omitField(
  'stop',
  'stop',
  localizable`stop is left out, and the text cut here`,
)

function omitField(
  setting: keyof GenerateConfig,
  field: string,
  name: LocalizableMessage,
): Adaptation {
  return {
    name,
    isTriggeredBy: matchField(field),
    affects: ({ config }) => config?.[setting] !== undefined,
    apply: request => changeConfig(request, config => ({ ...config, [setting]: undefined })),
  }
}

/** LM Studio: "Invalid tool_choice type: 'object'". */
const requiredInsteadOfNamed: Adaptation = {
  name: localizable`a named tool_choice is sent as required, with that tool alone`,
  isTriggeredBy: matchReason(/tool_choice type: '?object/i),
  affects: ({ toolChoice }) => typeof toolChoice === 'object',
  apply: request => {
    const { toolChoice, tools } = request
    if (typeof toolChoice !== 'object') return request
    const named = tools.filter(({ name }) => name === toolChoice.name)
    return { ...request, tools: named, toolChoice: 'required' }
  },
}

/** Gemini's for calls of others: ai.google.dev/gemini-api/docs/thought-signatures. */
const FOREIGN_SIGNATURE = { google: { thought_signature: 'skip_thought_signature_validator' } }

const signedCalls: Adaptation = {
  name: localizable`tool calls of others are marked as unsigned`,
  isTriggeredBy: matchReason(/thought_?signature/i),
  affects: ({ messages }) => messages.some(({ functionCall }) => functionCall),
  apply: (request, server) => ({
    ...request,
    messages: request.messages.map(message => signCall(message, server)),
  }),
}

/** DeepSeek, DashScope and Moonshot force no call of a model that thinks. */
const noForcedCalls: Adaptation = {
  name: localizable`tool_choice is sent as auto`,
  isTriggeredBy: matchField('tool_choice'),
  affects: ({ toolChoice }) => toolChoice !== 'auto' && toolChoice !== 'none',
  apply: request => (request.toolChoice === 'none' ? request : { ...request, toolChoice: 'auto' }),
  drops: ({ tools, toolChoice }) =>
    tools.length > 0 && toolChoice !== 'auto' && toolChoice !== 'none',
}

const ADAPTATIONS: readonly Adaptation[] = [
  answeredResults,
  mergedRoles,
  shortCallIds,
  signedCalls,
  reducedSchemas,
  noParallelField,
  noReasoningWithTools,
  newerTokenLimit,
  noTemperature,
  noTopP,
  noStop,
  noUsage,
  requiredInsteadOfNamed,
  noForcedCalls,
]

function changeConfig(
  request: ModelRequest,
  change: (config: GenerateConfig) => GenerateConfig,
): ModelRequest {
  return { ...request, config: change(request.config ?? {}) }
}

function addFields(request: ModelRequest, fields: Readonly<Record<string, unknown>>): ModelRequest {
  return changeConfig(request, config => ({
    ...config,
    extraBody: { ...config.extraBody, ...fields },
  }))
}

function mergeRoles(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = []
  for (const message of showPictures(messages)) {
    const last = merged.at(-1)
    if (last && canMerge(last, message)) merged[merged.length - 1] = joinMessages(last, message)
    else merged.push(message)
  }
  return merged
}

function canMerge(first: Message, second: Message): boolean {
  return (
    first.role === second.role &&
    first.role !== 'function' &&
    !first.functionCall &&
    !second.functionCall
  )
}

function joinMessages(first: Message, second: Message): Message {
  const isOneSpeaker = first.name === second.name
  const [before, after] = isOneSpeaker ? [first, second] : [nameSpeaker(first), nameSpeaker(second)]
  const { name, ...rest } = before
  const content =
    typeof before.content === 'string' && typeof after.content === 'string'
      ? [before.content, after.content].filter(Boolean).join('\n\n')
      : [...toItems(before.content), ...toItems(after.content)]
  return { ...rest, ...(isOneSpeaker && name !== undefined && { name }), content }
}

function nameSpeaker(message: Message): Message {
  const { name, content } = message
  if (name === undefined) return message
  return {
    ...message,
    content:
      typeof content === 'string' ? `${name}: ${content}` : [{ text: `${name}:` }, ...content],
  }
}

function toItems(content: Message['content']): readonly ContentItem[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ text: content }]
}

function isUnanswered(messages: readonly Message[], index: number): boolean {
  return messages[index]?.role === 'function' && messages[index + 1]?.role === 'user'
}

function answerResult(
  message: Message,
  index: number,
  messages: readonly Message[],
): readonly Message[] {
  return isUnanswered(messages, index) ? [message, { role: 'assistant', content: '…' }] : [message]
}

function signCall(message: Message, server: string): Message {
  const { functionCall, reasoningOrigin: origin } = message
  const isSigned = origin?.server === server && origin.seal !== undefined
  if (!functionCall || isSigned) return message
  const fields = origin?.server === server ? origin.fields : []
  return { ...message, reasoningOrigin: { server, fields, seal: FOREIGN_SIGNATURE } }
}

/** Mistral's length of the id of a call; specification: docs.mistral.ai, function calling. */
const SHORT_ID = 9

function shortenId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hashParts(id).slice(0, SHORT_ID)
}

function shortenCallId(message: Message): Message {
  const { functionId: id } = message
  return id === undefined ? message : { ...message, functionId: shortenId(id) }
}

/** Keywords that Gemini accepts: https://ai.google.dev/api/caching#Schema. */
const ACCEPTED = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'default',
  'minimum',
  'maximum',
  'propertyOrdering',
])

const FORMATS = new Set<unknown>(['enum', 'date-time', 'float', 'double', 'int32', 'int64'])

function reduceParameters({ properties, required }: ParametersSchema): ParametersSchema {
  return { type: 'object', properties: reduceEach(properties), ...(required && { required }) }
}

function reduceEach(properties: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, reduceSchema(schema)]),
  )
}

function reduceSchema(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(schema)) return {}
  const { type, const: constant, items, properties, required, format } = schema
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray)
  const accepted = Object.entries(schema).filter(
    ([keyword]) => ACCEPTED.has(keyword) && (keyword !== 'format' || FORMATS.has(format)),
  )
  return {
    ...Object.fromEntries(accepted),
    ...(Array.isArray(type) && reduceTypes(type)),
    ...(constant !== undefined && { enum: [constant] }),
    ...(items !== undefined && { items: reduceSchema(items) }),
    ...(isRecord(properties) && { properties: reduceEach(properties) }),
    ...(Array.isArray(required) && { required }),
    ...(branches && { anyOf: branches.map(reduceSchema) }),
  }
}

function reduceTypes(types: readonly unknown[]): Readonly<Record<string, unknown>> {
  const others = types.filter(type => type !== 'null')
  const nullable = others.length < types.length && { nullable: true }
  return others.length === 1
    ? { type: others[0], ...nullable }
    : { type: undefined, anyOf: others.map(type => ({ type })), ...nullable }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
