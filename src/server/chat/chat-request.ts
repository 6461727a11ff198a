import { z } from 'zod'
import type { Message } from '../../agent/message.ts'
import type { ToolChoice } from '../../agent/model.ts'
import type { GenerateConfig } from '../../agent/models/generate-config.ts'
import { identifyServer } from '../../agent/models/openai/openai.ts'
import { contentSchema, toContent } from '../generation/content-parts.ts'
import {
  allowedSchema,
  answererSchema,
  type CallerFunction,
  createToolsShape,
  fileSearchSchema,
  functionSchema,
  getAllowed,
  joinFileSearch,
  jsonSchemaSchema,
  toConfig,
  toResponseFormat,
  toToolChoice,
} from '../generation/generation-request.ts'
import { metadataSchema } from '../generation/metadata.ts'
import { storeFiles } from '../generation/request-files.ts'
import type { RequestContext } from '../http/context.ts'
import {
  CALLS_SERVED,
  localParameters,
  markForwarded,
  markRefused,
  markTolerant,
  markWithoutEffect,
  NO_LOGPROBS,
  paddingSchema,
  penaltyParameters,
  pickLocalFields,
  ROLES_SERVED,
  samplingParameters,
  selectForwarded,
  sharedParameters,
  TOOLS_SERVED,
} from '../http/parameters.ts'

const callSchema = z.object({
  id: z.string().describe('Id of the call, which the result names.'),
  type: z
    .literal('function', { error: CALLS_SERVED })
    .describe('Kind of the call; only functions can be called.'),
  function: z
    .object({
      name: z.string().describe('Name of the function that the model called.'),
      arguments: z.string().describe('Arguments of the call, as a JSON object in a string.'),
    })
    .describe('Function that the model called, with its arguments.'),
})

const ROLE =
  'Author of the message: `system` or `developer`, `user`, `assistant`, or `tool` for a result.'
const CONTENT = 'Content of the message: a text, or a list of parts.'
const AUTHOR = 'Name of the author, to tell apart authors of the same role.'
const ROLES = 'roles are system, developer, user, assistant and tool'

/** Returns undefined for what is no object, which is reported as such. */
function describeRoles(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined
  return 'role' in message && message.role === 'function' ? ROLES_SERVED : ROLES
}

/** Ignores other forms, which clients return from other servers. */
const thoughtsSchema = z.string().nullish().catch(undefined)

const messageSchema = z.discriminatedUnion(
  'role',
  [
    z.object({
      role: z.enum(['system', 'developer', 'user']).describe(ROLE),
      content: contentSchema.describe(CONTENT),
      name: z.string().nullish().describe(AUTHOR),
    }),
    z.object({
      role: z.literal('assistant').describe(ROLE),
      content: contentSchema.nullish().describe(CONTENT),
      tool_calls: z
        .array(callSchema)
        .nullish()
        .describe('Calls of tools that the model made in this message.'),
      name: z.string().nullish().describe(AUTHOR),
      reasoning_content: thoughtsSchema.describe(
        'Reasoning of an earlier answer of the configured model. It is sent back to that model.',
      ),
      reasoning: thoughtsSchema.describe(
        'The same as `reasoning_content`; some servers use this name.',
      ),
      function_call: markRefused('deprecated by OpenAI; use `tool_calls` instead'),
    }),
    z.object({
      role: z.literal('tool').describe(ROLE),
      content: contentSchema.describe(CONTENT),
      tool_call_id: z.string().describe('Id of the call that this message answers.'),
    }),
  ],
  { error: ({ input }) => describeRoles(input) },
)

const toolSchema = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('function').describe('Kind of the tool: a function that your client runs.'),
      function: functionSchema.describe('Name, description and parameters of the function.'),
    }),
    fileSearchSchema,
  ],
  { error: ({ input }) => (typeof input === 'object' ? TOOLS_SERVED : undefined) },
)

const CHOICE = 'Kind of the choice: some allowed tools, or one function.'

const choiceSchema = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    z.object({
      type: z.literal('allowed_tools').describe(CHOICE),
      allowed_tools: allowedSchema.describe('Tools that the model may or must call.'),
    }),
    z.object({
      type: z.literal('function').describe(CHOICE),
      function: z
        .object({ name: z.string().describe('Name of the function that the model must call.') })
        .describe('Function that the model must call first.'),
    }),
  ],
  { error: TOOLS_SERVED },
)

const FORMAT = 'Form of the answer: `text` (default), `json_object`, or `json_schema`.'

const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'json_object']).describe(FORMAT) }),
  z.object({
    type: z.literal('json_schema').describe(FORMAT),
    json_schema: jsonSchemaSchema.describe('Name and JSON Schema that the answer must match.'),
  }),
])

const FORWARDED = {
  reasoning_effort: markForwarded(
    z.string(),
    'How long a reasoning model may think, usually `low`, `medium` or `high`.',
  ),
  verbosity: markForwarded(
    z.string(),
    'How long answers should be, usually `low`, `medium` or `high`.',
  ),
  ...penaltyParameters,
  max_completion_tokens: markForwarded(
    z.int().min(1),
    'Maximum number of tokens that the model may write, reasoning included (1 or more).',
  ),
  prediction: markForwarded(
    z.looseObject({
      type: z.literal('content').describe('Kind of the prediction; only `content` is known.'),
    }),
    'Text that the answer is expected to repeat, which makes it faster.',
  ),
  reasoning: markForwarded(
    z.unknown(),
    'Reasoning options in the form of the server of the model.',
  ),
}

const FORWARDED_NAMES = Object.keys(FORWARDED) as readonly (keyof typeof FORWARDED)[]

export const chatRequestSchema = markTolerant(
  z.strictObject({
    ...localParameters,
    ...sharedParameters,
    ...FORWARDED,
    model: answererSchema,
    messages: z
      .array(messageSchema)
      .min(1)
      .max(10_000)
      .describe('Messages of the conversation, oldest first (1 to 10,000).'),
    ...createToolsShape(toolSchema, choiceSchema),
    parallel_tool_calls: markForwarded(
      z.boolean(),
      'Whether the model may call several tools at once.',
    ),
    stream: z
      .boolean()
      .nullish()
      .describe('If true, send the answer in chunks while it is written. Default false.'),
    stream_options: z
      .object({
        include_usage: z
          .boolean()
          .nullish()
          .describe('Whether to end with a chunk of token counts. Default false.'),
        include_obfuscation: paddingSchema,
      })
      .nullish()
      .describe(
        'Options of the stream. `include_usage` adds a last chunk with the number of tokens.',
      ),
    ...samplingParameters,
    n: z
      .literal(1, { error: 'a question has one answer here' })
      .nullish()
      .describe('Number of answers to write. It must be 1, the default.'),
    metadata: metadataSchema
      .nullish()
      .describe(
        'Up to 16 key-value pairs of yours, stored with the object (keys up to 64 characters, values up to 512).',
      ),
    response_format: formatSchema
      .nullish()
      .describe(
        'Format of the answer: text (the default), or JSON, optionally with a schema. JSON needs a chat model.',
      ),
    modalities: markWithoutEffect(
      z.array(z.literal('text', { error: 'answers are text' })),
      'answers are text, never audio or pictures',
    ),
    store: z
      .literal(false, { error: 'completions are not stored; responses are' })
      .nullish()
      .describe('Must be false: only responses are stored.'),
    top_logprobs: markWithoutEffect(
      z.literal(0, { error: NO_LOGPROBS }),
      `must be 0, because ${NO_LOGPROBS}`,
    ),
    logprobs: markWithoutEffect(
      z.literal(false, { error: NO_LOGPROBS }),
      'must be false, as for top_logprobs',
    ),
    audio: markRefused('answers are text, never audio'),
    web_search_options: markRefused('nothing outside of the documents is searched'),
    functions: markRefused('deprecated by OpenAI; use `tools` instead'),
    function_call: markRefused('deprecated by OpenAI; use `tool_choice` instead'),
  }),
)

export type ChatRequest = z.output<typeof chatRequestSchema>

export async function toMessages(
  c: RequestContext,
  { messages }: ChatRequest,
): Promise<readonly Message[]> {
  const contents = await storeFiles(
    c,
    messages.map(({ content }) => content ?? ''),
    ([message, ...path]) => ['messages', message, 'content', ...path].join('.'),
  )
  const { model } = c.get('passim').settings
  return messages.flatMap((message, index): readonly Message[] => {
    const content = toContent(contents[index]!)
    if (message.role === 'tool')
      return [{ role: 'function', functionId: message.tool_call_id, content }]
    const named = message.name ? { name: message.name } : {}
    if (message.role !== 'assistant')
      return [{ role: message.role === 'developer' ? 'system' : message.role, content, ...named }]
    const calls = (message.tool_calls ?? []).map(
      ({ id, function: functionCall }): Message => ({
        role: 'assistant',
        content: '',
        functionCall,
        functionId: id,
      }),
    )
    const parts =
      content || calls.length === 0
        ? [{ role: 'assistant' as const, content, ...named }, ...calls]
        : calls
    const thoughts = model && readReturnedThoughts(message, identifyServer(model))
    return parts.map((part, position) => (position === 0 ? { ...part, ...thoughts } : part))
  })
}

type Thoughts = {
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
}

/** Returns thoughts for the configured model only. */
function readReturnedThoughts(
  { reasoning_content, reasoning }: Thoughts,
  server: string,
): Partial<Message> {
  const reasoningContent = reasoning_content ?? reasoning
  if (typeof reasoningContent !== 'string') return {}
  const fields = [typeof reasoning_content === 'string' ? 'reasoning_content' : 'reasoning']
  return { reasoningContent, reasoningOrigin: { server, fields, isFromClient: true } }
}

export function toGeneration(request: ChatRequest) {
  return {
    model: request.model,
    fileSearch: joinFileSearch(getTools(request)),
    functions: toFunctions(request),
    toolChoice: getToolChoice(request),
    config: readConfig(request),
  }
}

function getTools({ tools, tool_choice: choice }: ChatRequest) {
  const isSome = typeof choice === 'object' && choice?.type === 'allowed_tools'
  return getAllowed(tools, isSome ? choice.allowed_tools : undefined)
}

export function toFunctions(request: ChatRequest): readonly CallerFunction[] {
  return getTools(request).flatMap(tool => (tool.type === 'function' ? [tool.function] : []))
}

function getToolChoice(request: ChatRequest): ToolChoice {
  const { tool_choice: choice } = request
  if (!choice || typeof choice === 'string') return toToolChoice(choice, toFunctions(request))
  if (choice.type === 'function') return { name: choice.function.name }
  return toToolChoice(choice.allowed_tools.mode, toFunctions(request))
}

function readConfig(request: ChatRequest): GenerateConfig {
  const { response_format: format, max_tokens } = request
  const extraBody = { ...pickLocalFields(request), ...selectForwarded(request, FORWARDED_NAMES) }
  const config = { ...toConfig(request, max_tokens), extraBody }
  if (!format) return config
  const flat = format.type === 'json_schema' ? { type: format.type, ...format.json_schema } : format
  return { ...config, ...toResponseFormat(flat) }
}
