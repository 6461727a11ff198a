import { encodeAnswer, type StreamedAnswer, sendAtOnce } from './profile-stream.ts'
import {
  type ModelScript,
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedReply,
  startServer,
} from './scripted-model-server.ts'

type Refusal = { readonly status: number; readonly body: unknown }

type Body = RecordedRequest['body']

/** Habits of a model server that its clients meet. */
export type ModelProfile = {
  readonly name: string
  /** Page or thread that documents the habits. */
  readonly source: string
  /** Base of the URL, with its query; `/v1` by default. */
  readonly base?: string
  /** Field of thoughts in an answer, if the model thinks. */
  readonly thoughts?: 'reasoning' | 'reasoning_content'
  readonly callId?: string
  /** The form of the pieces of a call; OpenAI's by default. */
  readonly toCallDeltas?: (
    id: string,
    name: string,
    json: string,
  ) => readonly { readonly tool_calls: readonly object[] }[]
  /** Whether parallel calls have the same index. */
  readonly isIndexRepeated?: boolean
  /** Lines of the stream before the first piece. */
  readonly opening?: string
  /** Tokens of a request that are read; the rest is cut without an error. */
  readonly contextTokens?: number
  /** Returns the refusal of a request, if it is refused. */
  readonly refuse?: (request: RecordedRequest) => Refusal | undefined
}

/** Writes an error as OpenAI does. */
function refuseAs(
  message: string,
  {
    status = 400,
    ...fields
  }: { status?: number; param?: string; type?: string; code?: number } = {},
): Refusal {
  return {
    status,
    body: { error: { message, type: 'invalid_request_error', param: null, ...fields } },
  }
}

const hasTools = ({ tools }: Body) => Array.isArray(tools) && tools.length > 0
const hasCall = (message: Body['messages'][number]) => message.tool_calls !== undefined
const refuseTools =
  (refusal: Refusal) =>
  ({ body }: RecordedRequest) =>
    hasTools(body) ? refusal : undefined

/** Refuses two messages of one role in a row, as many chat templates do. */
function alternates({ messages }: Body): boolean {
  const roles = messages.filter(({ role }) => role !== 'system' && role !== 'tool')
  return roles.every((message, index) => {
    const before = roles[index - 1]
    return !before || before.role !== message.role || hasCall(before)
  })
}

/** Refuses calls of earlier turns without their thoughts. */
function refuseLostThoughts(message: string) {
  return ({ body: { messages } }: RecordedRequest) =>
    messages.some(said => hasCall(said) && typeof said.reasoning_content !== 'string')
      ? refuseAs(message)
      : undefined
}

/** Refuses to force a call while the model thinks. */
function refuseForcedCalls(message: string, fields: Parameters<typeof refuseAs>[1] = {}) {
  return ({ body: { tool_choice: choice } }: RecordedRequest) =>
    choice === 'required' || typeof choice === 'object' ? refuseAs(message, fields) : undefined
}

const AZURE_OPENING = `data: ${JSON.stringify({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] })}\n\n`

function refuseAzure(isFound: boolean, isAllowed: boolean): Refusal | undefined {
  if (!isFound)
    return { status: 404, body: { error: { code: '404', message: 'Resource not found' } } }
  const message = 'Access denied due to invalid subscription key or wrong API endpoint.'
  return isAllowed ? undefined : { status: 401, body: { error: { code: '401', message } } }
}

type Refuse = NonNullable<ModelProfile['refuse']>

const refuseFirst =
  (...rules: readonly Refuse[]): Refuse =>
  request => {
    for (const rule of rules) {
      const refusal = rule(request)
      if (refusal) return refusal
    }
    return undefined
  }

/** With less than 24 GiB of memory: https://docs.ollama.com/context-length. */
const OLLAMA_CONTEXT = 4_096

export const MODEL_PROFILES: readonly ModelProfile[] = [
  {
    name: 'OpenAI',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    refuse: refuseFirst(
      ({ body }) =>
        body.max_tokens === undefined
          ? undefined
          : refuseAs(
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
              { param: 'max_tokens' },
            ),
      // https://github.com/GoogleChromeLabs/webmcp-tools/issues/417
      ({ body }) =>
        hasTools(body) && body.reasoning_effort !== 'none'
          ? refuseAs(
              "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
              { param: 'reasoning_effort' },
            )
          : undefined,
      // https://platform.openai.com/docs/guides/reasoning
      ({ body }) => {
        const param = ['top_p', 'stop', 'parallel_tool_calls'].find(
          field => body[field] !== undefined,
        )
        const message = `Unsupported parameter: '${param}' is not supported with this model.`
        return param === undefined ? undefined : refuseAs(message, { param })
      },
      ({ body: { temperature = 1 } }) =>
        temperature === 1
          ? undefined
          : refuseAs(
              "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
              { param: 'temperature' },
            ),
    ),
  },
  {
    name: 'DeepSeek',
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
    thoughts: 'reasoning_content',
    callId: 'call_00_jx8vKp2mQ4',
    refuse: refuseFirst(
      refuseLostThoughts(
        'The `reasoning_content` in the thinking mode must be passed back to the API.',
      ),
      // https://github.com/deepseek-ai/DeepSeek-V3/issues/1376
      refuseForcedCalls('Thinking mode does not support this tool_choice'),
    ),
  },
  {
    name: 'DashScope',
    source: 'https://help.aliyun.com/zh/model-studio/qwen-function-calling',
    thoughts: 'reasoning_content',
    toCallDeltas: (id, name, json) => [
      { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] },
      { tool_calls: [{ index: 0, id: '', type: 'function', function: { arguments: json } }] },
    ],
    // https://github.com/QwenLM/qwen-code/issues/7659
    refuse: refuseForcedCalls(
      '<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode',
    ),
  },
  {
    name: 'vLLM',
    source: 'https://docs.vllm.ai/en/latest/features/tool_calling.html',
    thoughts: 'reasoning',
    callId: 'chatcmpl-tool-5c1a2b3d4e5f',
    refuse({ body }) {
      const refuseForm = (message: string) => ({
        status: 400,
        body: { error: { message, type: 'BadRequestError', param: null, code: 400 } },
      })
      if (!alternates(body))
        return refuseForm(
          'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
        )
      return undefined
    },
  },
  {
    name: 'vLLM without a tool parser',
    source: 'https://docs.vllm.ai/en/latest/features/tool_calling.html',
    // a named call is forced by structured output, which needs no parser
    refuse: ({ body }) =>
      hasTools(body) && body.tool_choice === 'auto'
        ? {
            status: 400,
            body: {
              object: 'error',
              message:
                '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
              type: 'BadRequestError',
              param: null,
              code: 400,
            },
          }
        : undefined,
  },
  {
    name: 'Ollama',
    source: 'https://docs.ollama.com/api/openai-compatibility',
    contextTokens: OLLAMA_CONTEXT,
    thoughts: 'reasoning',
    callId: 'call_x2c1a9fk',
    toCallDeltas: sendAtOnce,
  },
  {
    name: 'Ollama without tools',
    source: 'https://docs.ollama.com/api/openai-compatibility',
    contextTokens: OLLAMA_CONTEXT,
    refuse: refuseTools(
      // https://github.com/ollama/ollama/issues/13578
      refuseAs('registry.ollama.ai/library/gemma2:latest does not support tools', {
        type: 'api_error',
      }),
    ),
  },
  {
    name: 'LM Studio',
    source: 'https://lmstudio.ai/docs/developer/openai-compat',
    thoughts: 'reasoning_content',
    callId: '365174485',
    toCallDeltas: (id, name, json) => [
      { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: json } }] },
    ],
    // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670
    refuse: ({ body }) =>
      typeof body.tool_choice === 'object'
        ? {
            status: 400,
            body: {
              error:
                "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
            },
          }
        : undefined,
  },
  {
    name: 'llama.cpp',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md',
    refuse({ body }) {
      const fault = { status: 500, code: 500, type: 'server_error' }
      if (hasTools(body)) return refuseAs('tools param requires --jinja flag', fault)
      return alternates(body)
        ? undefined
        : refuseAs('Conversation roles must alternate user/assistant/user/assistant/...', fault)
    },
  },
  {
    name: 'OpenRouter',
    source: 'https://openrouter.ai/docs/api-reference/streaming',
    thoughts: 'reasoning',
    opening: ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n',
    // https://github.com/zed-industries/zed/issues/36094
    refuse: refuseForcedCalls(
      "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
      { status: 404, code: 404 },
    ),
  },
  {
    name: 'Azure',
    source: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle',
    base: '/openai/v1',
    opening: AZURE_OPENING,
    refuse: ({ path, headers }) =>
      refuseAzure(
        path === '/openai/v1/chat/completions',
        headers.authorization === 'Bearer secret',
      ),
  },
  {
    name: 'Azure with a version',
    source: 'https://learn.microsoft.com/azure/ai-services/openai/reference',
    base: '/openai/deployments/gpt-4o?api-version=2024-06-01',
    opening: AZURE_OPENING,
    refuse: ({ path, headers, body }) =>
      refuseAzure(
        path === '/openai/deployments/gpt-4o/chat/completions?api-version=2024-06-01',
        headers['api-key'] === 'secret',
      ) ??
      // https://github.com/jamesrochabrun/SwiftOpenAI/issues/67
      (body.stream_options === undefined
        ? undefined
        : refuseAs("Unknown parameter: 'stream_options'.", { param: 'stream_options' })),
  },
  {
    name: 'Gemini',
    source: 'https://ai.google.dev/gemini-api/docs/openai',
    base: '/v1beta/openai',
    callId: 'function-call-14101838401',
    // parallel calls have one index: https://github.com/NousResearch/hermes-agent/issues/62940
    isIndexRepeated: true,
    toCallDeltas: (id, name, json) => [
      {
        tool_calls: [
          {
            index: 0,
            id,
            type: 'function',
            function: { name, arguments: json },
            extra_content: { google: { thought_signature: 'EsMCCsACAb4' } },
          },
        ],
      },
    ],
    refuse({ body }) {
      // of the current turn: https://ai.google.dev/gemini-api/docs/thought-signatures
      const asked = body.messages.findLastIndex(({ role }) => role === 'user')
      const isUnsigned = body.messages
        .slice(asked)
        .some(said => hasCall(said) && !JSON.stringify(said).includes('"thought_signature":"'))
      if (isUnsigned)
        return refuseForm('Function call is missing a thought_signature in functionCall parts.')
      const unknown = [
        body.parallel_tool_calls !== undefined &&
          `Unknown name "parallel_tool_calls": Cannot find field.`,
        /"(?:additionalProperties|\$schema|const|oneOf)":/.test(JSON.stringify(body.tools ?? [])) &&
          `Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
      ].find(Boolean)
      return unknown ? refuseForm(`Invalid JSON payload received. ${unknown}`) : undefined

      function refuseForm(message: string): Refusal {
        return {
          status: 400,
          body: [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }],
        }
      }
    },
  },
  {
    name: 'Mistral',
    source: 'https://docs.mistral.ai/capabilities/function_calling',
    callId: 'D681PevKs',
    toCallDeltas: sendAtOnce,
    refuse({ body }) {
      const refuseForm = (message: string, type = 'invalid_function_call', code = '3280') => ({
        status: 400,
        body: { object: 'error', message, type, param: null, code },
      })
      const wrong = body.messages
        .map(({ tool_call_id: id }) => id)
        .find(id => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(String(id)))
      if (wrong !== undefined)
        return refuseForm(
          `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`,
        )
      // the order of mistral_common's validator, which servers of its models run
      const isUnanswered = body.messages.some(
        ({ role }, index) => role === 'user' && body.messages[index - 1]?.role === 'tool',
      )
      return isUnanswered
        ? refuseForm(
            "Unexpected role 'user' after role 'tool'",
            'invalid_request_message_order',
            '3230',
          )
        : undefined
    },
  },
  {
    name: 'Moonshot',
    source: 'https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model',
    thoughts: 'reasoning_content',
    callId: 'look:0',
    refuse: refuseFirst(
      refuseLostThoughts(
        'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
      ),
      // https://github.com/AstrBotDevs/AstrBot/issues/7805
      refuseForcedCalls("tool_choice 'specified' is incompatible with thinking enabled"),
      ({ body: { temperature = 1 } }) =>
        temperature === 1
          ? undefined
          : refuseAs('invalid temperature: only 1 is allowed for this model'),
    ),
  },
  {
    name: 'GLM',
    source: 'https://docs.z.ai/guides/capabilities/function-calling',
    base: '/api/paas/v4',
    thoughts: 'reasoning_content',
    toCallDeltas: sendAtOnce,
  },
]

/** Servers that refuse tools: models answer without them. */
export const WITHOUT_TOOLS: ReadonlySet<string> = new Set([
  'vLLM without a tool parser',
  'Ollama without tools',
  'llama.cpp',
])

/** Answer of a scripted model: text, or calls of tools. */
type ProfileAnswer = {
  readonly text?: string
  readonly name?: string
  readonly call?: object
  /** Calls side by side. */
  readonly calls?: readonly object[]
}

/** Starts a server with these habits. It answers accepted requests by the script. */
export async function startProfile(
  profile: ModelProfile,
  answer: (request: RecordedRequest) => ProfileAnswer,
): Promise<ScriptedModel> {
  return await startHabits(profile, request => {
    const { text = '', name = 'look', call, calls = call ? [call] : [] } = answer(request)
    return {
      pieces: [
        ...(profile.thoughts ? [{ thought: 'I ' }, { thought: 'think.' }] : []),
        ...(text.match(/[\s\S]{1,12}/g) ?? []).map(piece => ({ text: piece })),
      ],
      calls: calls.map(given => ({ name, json: JSON.stringify(given) })),
      tokens: [countRead(profile, request), 5],
    }
  })
}

/** Starts a server with these habits that streams these answers. */
export async function startHabits(
  profile: ModelProfile,
  answer: (request: RecordedRequest) => StreamedAnswer,
): Promise<ScriptedModel> {
  const server = await startServer(request => {
    if (request.path.endsWith('/models')) return { status: 200, body: '{"data":[]}' }
    return findRefusal(profile, request) ?? encodeAnswer(profile, answer(request))
  })
  return atBase(profile, server)
}

/** Habits with which scripted models answer in this run of the tests; absent in `npm test`. */
export const chosenProfile = MODEL_PROFILES.find(
  ({ name }) => name === process.env.PASSIM_TEST_PROFILE,
)

/** Keys that tests of other matters leave out. */
const SECRET = { 'api-key': 'secret', authorization: 'Bearer secret' }

/** Starts a server with these habits that answers by a script, which is not asked for what the server refuses. */
export async function startWithHabits(
  profile: ModelProfile,
  script: ModelScript,
): Promise<ScriptedModel> {
  const server = await startServer(script, {
    refuse: ({ headers, ...request }) =>
      findRefusal(profile, { ...request, headers: { ...SECRET, ...headers } }),
    encode: reply =>
      'hang' in reply || 'status' in reply || 'raw' in reply
        ? reply
        : encodeAnswer(profile, toStreamedAnswer(reply)),
  })
  return atBase(profile, server)
}

function toStreamedAnswer({
  text = [],
  reasoning = [],
  calls = [],
  finish,
}: Exclude<ScriptedReply, { raw: string } | { status: number } | { hang: true }>): StreamedAnswer {
  return {
    pieces: [...reasoning.map(thought => ({ thought })), ...text.map(piece => ({ text: piece }))],
    calls: calls.map(({ id, name, arguments: given }) => ({
      name,
      json: typeof given === 'string' ? given : JSON.stringify(given),
      ...(id !== undefined && { id }),
    })),
    tokens: [10, 5],
    ...(finish !== undefined && { finish }),
  }
}

function findRefusal(profile: ModelProfile, request: RecordedRequest): ScriptedReply | undefined {
  const refusal = profile.refuse?.(request)
  return refusal && { status: refusal.status, body: JSON.stringify(refusal.body) }
}

function atBase({ base = '/v1' }: ModelProfile, server: ScriptedModel): ScriptedModel {
  return { ...server, url: `${new URL(server.url).origin}${base}` }
}

/** Counts four characters as a token, of a server that reports what it read. */
function countRead({ contextTokens }: ModelProfile, { body }: RecordedRequest): number {
  if (contextTokens === undefined) return 10
  return Math.min(contextTokens, Math.ceil(JSON.stringify(body.messages).length / 4))
}
