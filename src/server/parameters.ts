import { z } from 'zod'

/** A parameter that is the chat model's: it goes to the server of the model as it came, and that server answers for it. */
export function handedOn<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().describe('Handed on to the chat model.')
}

/** A parameter that is taken and changes nothing. */
export function withoutEffect<Schema extends z.ZodType>(schema: Schema, reason: string) {
  return schema.nullish().describe(`Taken, without effect: ${reason}.`)
}

/** A parameter that is refused by name. */
export function refused(reason: string) {
  return z.never({ error: reason }).optional().describe(`Refused: ${reason}.`)
}

const EVENT_SIZES = 'events are sent as they are, not padded'
/** Why there are no probabilities of tokens. */
export const NO_LOGPROBS =
  'answers are checked after they were written, and no probability of a token would be true of them'

/** What is said of every other tool. */
export const TOOLS_SERVED =
  'tools are file_search and functions of yours; those of MCP servers are for whoever runs the service to configure'

export const CACHING = 'a chat server that caches prompts does so by itself'
const END_USER = 'who asks is told by the key'

/** What chat completions and responses take alike without making anything of it. */
export const sharedParameters = {
  user: withoutEffect(z.string(), END_USER),
  safety_identifier: withoutEffect(z.string(), END_USER),
  prompt_cache_key: withoutEffect(z.string(), CACHING),
  prompt_cache_options: withoutEffect(z.looseObject({}), CACHING),
  prompt_cache_retention: withoutEffect(z.string(), CACHING),
  service_tier: withoutEffect(z.string(), 'there is one tier'),
  moderation: refused('no request or answer is moderated here; ask a service that moderates'),
  top_logprobs: withoutEffect(z.literal(0, { error: NO_LOGPROBS }), `only 0, for ${NO_LOGPROBS}`),
}

/** Whether events are padded is the one option of either surface that says nothing here. */
export const paddingSchema = withoutEffect(z.boolean(), EVENT_SIZES)

/** Of a request, the fields that go to the chat model's server under their own names. */
export function handOn<Name extends string>(
  request: { readonly [key in Name]?: unknown },
  names: readonly Name[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.flatMap(name => (request[name] == null ? [] : [[name, request[name]]])))
}
