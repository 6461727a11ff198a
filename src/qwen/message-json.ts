import { z } from 'zod'
import { type ContentItem, ITEM_TYPES, type Message, ROLES, type Role } from '../agent/message.ts'
import { AppError } from '../errors.ts'

const audioSchema = z.union([
  z.string(),
  z.strictObject({
    url: z.string(),
    duration: z.number().optional(),
    format: z.string().optional(),
  }),
])

const itemSchema = z
  .strictObject({
    text: z.string(),
    image: z.string(),
    file: z.string(),
    audio: audioSchema,
    video: z.union([z.string(), z.array(z.string()).min(1)]),
  })
  .partial()
  .refine(item => Object.values(item).filter(value => value !== undefined).length === 1, {
    error: `a content item has exactly one of ${ITEM_TYPES.join(', ')}`,
  })
  .transform(item => item as ContentItem)

const messageSchema = z
  .strictObject({
    role: z.enum(ROLES, {
      error: issue => `role ${JSON.stringify(issue.input)} must be one of ${ROLES.join(', ')}`,
    }),
    content: z.union([z.string(), z.array(itemSchema)]).nullish(),
    name: z.string().nullish(),
    function_call: z
      .object({
        name: z
          .string()
          .refine(name => name.trim() !== '', { error: 'a function call needs a name' }),
        arguments: z.string(),
      })
      .nullish(),
    reasoning_content: z.string().nullish(),
    extra: z.record(z.string(), z.json()).nullish(),
  })
  .refine(message => message.role !== 'function' || Boolean(message.name), {
    error: 'a function message needs a name: that of the tool',
  })

const originSchema = z.strictObject({
  server: z.string(),
  fields: z.array(z.string()),
  details: z.array(z.unknown()).exactOptional(),
  seal: z.unknown().exactOptional(),
})

/**
 * Message with Qwen-Agent's field names; `extra.function_id` is the call's id,
 * `extra.reasoning_origin` the origin of thoughts.
 */
export type MessageJson = {
  readonly role: Role
  readonly content: string | readonly ContentItem[]
  readonly name?: string
  readonly function_call?: { readonly name: string; readonly arguments: string }
  readonly reasoning_content?: string
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Parses and freezes a message. Throws `invalid_input` with the field. */
export function parseMessage(json: unknown): Message {
  const parsed = messageSchema.safeParse(json)
  if (!parsed.success)
    throw new AppError('invalid_input', `This is not a message: ${describe(parsed.error)}.`)
  const { role, content, name, function_call, reasoning_content, extra } = parsed.data
  const { function_id, reasoning_origin, ...rest } = extra ?? {}
  const origin = originSchema.safeParse(reasoning_origin).data
  return freezeDeep({
    role,
    content: content ?? '',
    ...(name && { name }),
    ...(function_call && { functionCall: function_call }),
    ...(typeof function_id === 'string' && { functionId: function_id }),
    ...(reasoning_content && { reasoningContent: reasoning_content }),
    ...(origin && { reasoningOrigin: origin }),
    ...(Object.keys(rest).length > 0 && { extra: rest }),
  })
}

export function toMessageJson(message: Message): MessageJson {
  const {
    role,
    content,
    name,
    functionCall,
    functionId,
    reasoningContent,
    reasoningOrigin,
    extra,
  } = message
  const all = {
    ...extra,
    ...(functionId !== undefined && { function_id: functionId }),
    ...(reasoningOrigin && { reasoning_origin: reasoningOrigin }),
  }
  return structuredClone({
    role,
    content,
    ...(name !== undefined && { name }),
    ...(functionCall && { function_call: functionCall }),
    ...(reasoningContent !== undefined && { reasoning_content: reasoningContent }),
    ...(Object.keys(all).length > 0 && { extra: all }),
  })
}

function describe(error: z.ZodError): string {
  const issue = findDeepestIssue(error.issues[0]!)
  const place = issue.path
    .filter(part => typeof part === 'string' || typeof part === 'number')
    .join('.')
  return place && !issue.message.includes(place) ? `${place}: ${issue.message}` : issue.message
}

function findDeepestIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().toSorted((a, b) => b.path.length - a.path.length)[0]
  return inner
    ? { ...findDeepestIssue(inner), path: [...issue.path, ...findDeepestIssue(inner).path] }
    : issue
}

function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freezeDeep(inner)
  return Object.freeze(value)
}
