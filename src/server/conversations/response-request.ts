import { z } from 'zod'
import type { ToolChoice } from '../../agent/model.ts'
import type { GenerateConfig } from '../../agent/models/generate-config.ts'
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
import { createInvalid, createUnsupported } from '../http/errors.ts'
import { pageSchema } from '../http/pagination.ts'
import {
  localParameters,
  markForwarded,
  markRefused,
  markTolerant,
  markWithoutEffect,
  NO_LOGPROBS,
  paddingSchema,
  penaltyParameters,
  pickLocalFields,
  samplingParameters,
  selectForwarded,
  sharedParameters,
  TOOLS_SERVED,
} from '../http/parameters.ts'
import { inputSchema } from './openai-input.ts'
import { INCLUDE_NOTE, includeSchema } from './openai-items.ts'

const toolSchema = z.discriminatedUnion(
  'type',
  [
    fileSearchSchema,
    functionSchema.extend({
      type: z.literal('function').describe('Kind of the tool: a function that your client runs.'),
    }),
  ],
  { error: TOOLS_SERVED },
)

const CHOICE = 'Kind of the choice: some allowed tools, one function, or `file_search`.'

const choiceSchema = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    allowedSchema.extend({ type: z.literal('allowed_tools').describe(CHOICE) }),
    z.strictObject({
      type: z.literal('function').describe(CHOICE),
      name: z.string().describe('Name of the function that the model must call.'),
    }),
    z.strictObject({ type: z.literal('file_search').describe(CHOICE) }),
  ],
  { error: TOOLS_SERVED },
)

const FORMAT = 'Form of the answer: `text` (default), `json_object`, or `json_schema`.'

const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'json_object']).describe(FORMAT) }),
  jsonSchemaSchema
    .required({ schema: true })
    .extend({ type: z.literal('json_schema').describe(FORMAT) }),
])

/** Effort; other fields concern display, which the model's server decides. */
const reasoningSchema = z.strictObject({
  effort: z
    .string()
    .nullish()
    .describe('How long a reasoning model may think, usually `low`, `medium` or `high`.'),
  mode: z.string().nullish().describe('No effect: the server of the model decides how it reasons.'),
  summary: z.string().nullish().describe('No effect: reasoning is returned as the model wrote it.'),
  generate_summary: z
    .string()
    .nullish()
    .describe('No effect, as for `summary`, whose old name it is.'),
  context: z
    .string()
    .nullish()
    .describe('No effect: the conversation decides which reasoning is sent back.'),
})

const textSchema = z.strictObject({
  format: formatSchema.optional().describe('Form of the answer. Default: text with citations.'),
  verbosity: z
    .string()
    .nullish()
    .describe('How long answers should be, usually `low`, `medium` or `high`.'),
})

/** Chat parameters that OpenAI's responses lack, but other servers have. */
const FORWARDED = {
  ...penaltyParameters,
}

const FORWARDED_NAMES = Object.keys(FORWARDED) as readonly (keyof typeof FORWARDED)[]

const { max_tokens: _, ...sampling } = samplingParameters

export const responseRequestSchema = markTolerant(
  z.strictObject({
    ...localParameters,
    ...sharedParameters,
    ...FORWARDED,
    model: answererSchema.optional(),
    input: inputSchema.describe('The question as text, or a list of conversation items.'),
    instructions: z
      .string()
      .nullish()
      .describe('System message for this response only. Later responses do not inherit it.'),
    ...createToolsShape(toolSchema, choiceSchema),
    parallel_tool_calls: markForwarded(
      z.boolean(),
      'Whether the model may call several tools at once.',
    ),
    max_tool_calls: z
      .int()
      .min(1)
      .nullish()
      .describe(
        'Maximum number of further searches that the model may make after the first one (1 or more).',
      ),
    include: includeSchema.nullish().describe(INCLUDE_NOTE),
    stream: z
      .boolean()
      .nullish()
      .describe('If true, send server-sent events while the answer is written. Default false.'),
    stream_options: z
      .object({ include_obfuscation: paddingSchema })
      .nullish()
      .describe('Options of the stream. None has an effect.'),
    store: z
      .boolean()
      .nullish()
      .describe(
        'Whether to store the response for 30 days (default true). With `false` nothing is stored.',
      ),
    background: z
      .boolean()
      .nullish()
      .describe(
        'If true, return at once and write the response in the background. Fetch it later by its id. Default false.',
      ),
    previous_response_id: z
      .string()
      .nullish()
      .describe('Id of the stored response to continue from.'),
    max_output_tokens: markForwarded(
      z.int().min(16),
      'Maximum number of tokens that the model may write (16 or more).',
    ),
    ...sampling,
    top_logprobs: markWithoutEffect(z.int().min(0).max(20), NO_LOGPROBS),
    reasoning: reasoningSchema
      .nullish()
      .describe('Reasoning options. The effort is passed on to the chat model.'),
    metadata: metadataSchema
      .nullish()
      .describe(
        'Up to 16 key-value pairs of yours, stored with the object (keys up to 64 characters, values up to 512).',
      ),
    text: textSchema
      .nullish()
      .describe('Text options. The format and the verbosity are passed on to the chat model.'),
    truncation: z
      .enum(['auto', 'disabled'])
      .nullish()
      .describe('No effect: long conversations are always shortened, oldest messages first.'),
    conversation: z
      .union([
        z.string().min(1),
        z.strictObject({
          id: z.string().min(1).describe('Id of the conversation to continue with this response.'),
        }),
      ])
      .nullish()
      .describe('Id of the conversation to continue. The input and the answer are appended to it.'),
    prompt: markRefused(
      'stored prompts exist only at OpenAI; send the text as input or instructions',
    ),
    context_management: markRefused(
      'long conversations are shortened automatically, oldest messages first',
    ),
  }),
)

export type ResponseRequest = z.output<typeof responseRequestSchema>

const { input, ...rest } = responseRequestSchema.pick({
  model: true,
  input: true,
  instructions: true,
  previous_response_id: true,
  conversation: true,
  tools: true,
  tool_choice: true,
  parallel_tool_calls: true,
  reasoning: true,
  text: true,
  truncation: true,
}).shape

export const inputTokensSchema = markTolerant(
  responseRequestSchema.pick({}).extend({
    ...rest,
    input: input.optional().describe('The question as text, or a list of conversation items.'),
    personality: markRefused('there are no personalities; describe one in instructions'),
  }),
)

export const retrieveSchema = z.object({
  include: includeSchema.optional().describe(INCLUDE_NOTE),
  stream: z
    .boolean()
    .optional()
    .describe(
      'If true, send the events of the response as server-sent events. Only for responses made in the background or in a conversation. Default false.',
    ),
  starting_after: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of the last event that the client received, from 0. The stream continues after it. Default: from the first event.',
    ),
  include_obfuscation: paddingSchema,
})
export const itemsSchema = pageSchema({ limit: 20, maxLimit: 100 }).extend({
  include: markWithoutEffect(includeSchema, 'items are always returned with all of their fields'),
})

export function toGeneration(request: ResponseRequest) {
  return {
    model: request.model,
    fileSearch: joinFileSearch(getTools(request)),
    functions: getFunctions(request),
    toolChoice: getToolChoice(request),
    config: toGenerateConfig(request),
    maxToolCalls: request.max_tool_calls ?? undefined,
  }
}

function getTools({ tools, tool_choice: choice }: Pick<ResponseRequest, 'tools' | 'tool_choice'>) {
  const isSome = typeof choice === 'object' && choice?.type === 'allowed_tools'
  return getAllowed(tools, isSome ? choice : undefined)
}

export function getFunctions(
  request: Pick<ResponseRequest, 'tools' | 'tool_choice'>,
): readonly CallerFunction[] {
  return getTools(request).filter(tool => tool.type === 'function')
}

/** Ignores `file_search`, because documents are searched anyway. */
function getToolChoice(request: ResponseRequest): ToolChoice {
  const { tool_choice: choice } = request
  if (!choice || typeof choice === 'string') return toToolChoice(choice, getFunctions(request))
  if (choice.type === 'allowed_tools') return toToolChoice(choice.mode, getFunctions(request))
  return choice.type === 'function' ? { name: choice.name } : 'auto'
}

function toGenerateConfig(request: ResponseRequest): GenerateConfig {
  const { format, verbosity } = request.text ?? {}
  const extraBody = {
    ...pickLocalFields(request),
    ...selectForwarded(request, FORWARDED_NAMES),
    ...selectForwarded({ reasoning_effort: request.reasoning?.effort, verbosity }, [
      'reasoning_effort',
      'verbosity',
    ]),
  }
  return {
    ...toConfig(request, request.max_output_tokens),
    extraBody,
    ...(format && toResponseFormat(format)),
  }
}

/** Refuses combinations that would be ignored otherwise. */
export function refuseUnsupported({ background, store, ...before }: ResponseRequest): void {
  if (before.conversation && before.previous_response_id) {
    throw createInvalid(
      'Send either conversation or previous_response_id, not both.',
      'conversation',
    )
  }
  if (background && store === false)
    throw createUnsupported(
      'A background response must be stored: omit store, or set it to true.',
      'store',
    )
}
