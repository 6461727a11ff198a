import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { Message } from '../../../src/agent/message.ts'
import type { GenerateConfig } from '../../../src/agent/models/generate-config.ts'
import type { Tool } from '../../../src/agent/tool.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import { ChatModels, openChatModel } from '../../../src/app/chat-models.ts'
import { loadSettings } from '../../../src/config.ts'
import { collectAnswer } from '../../fakes/answers.ts'
import { MODEL_PROFILES, startProfile, WITHOUT_TOOLS } from '../../fakes/model-profiles.ts'
import type { RecordedRequest, ScriptedModel } from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

/** Counts the results of tools since the last question; their pictures are no question. */
function countResults({ body: { messages } }: RecordedRequest): number {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !JSON.stringify(content).includes('image_url'),
  )
  return messages.slice(asked).filter(({ role }) => role === 'tool').length
}

function hasAnswered({ body: { messages } }: RecordedRequest): boolean {
  return messages.some(({ role }) => role === 'assistant')
}

/** Looks twice if it has tools, or at two places at once if it is told to, then answers. */
function answer(request: RecordedRequest) {
  const canCall = Array.isArray(request.body.tools) && request.body.tools.length > 0
  const found = countResults(request)
  const isToldBoth = JSON.stringify(request.body.messages).includes('Look at both.')
  if (canCall && found === 0 && isToldBoth) return { calls: [{ at: 'shelf 0' }, { at: 'shelf 1' }] }
  return canCall && found < 2
    ? { call: { at: `shelf ${found}` } }
    : { text: 'Employees receive 24 days of leave [1].' }
}

/** Has a schema with keywords outside of the subset that Gemini documents. */
const look: Tool = defineTool({
  name: 'look',
  description: 'Looks at a place.',
  parameters: {
    type: 'object',
    properties: {
      at: { type: 'string' },
      how: { oneOf: [{ const: 'near' }, { const: 'far' }], additionalProperties: false },
    },
    required: ['at'],
    additionalProperties: false,
  },
  call: async () => 'Seen.',
})

const USED_TOOL: readonly Message[] = [
  { role: 'user', content: 'Look.' },
  {
    role: 'assistant',
    content: '',
    functionCall: { name: 'look', arguments: '{"at":"here"}' },
    functionId: 'call_of_another_server',
  },
  { role: 'function', name: 'look', content: 'Seen.', functionId: 'call_of_another_server' },
  { role: 'assistant', content: 'I looked.' },
  { role: 'user', content: 'Wait.' },
  { role: 'user', content: 'Look again.' },
]
const [, ASKED_CALL, RESULT] = USED_TOOL
const LOOK: Message = { role: 'user', content: 'Look.' }
/** Results that no answer follows: the run was stopped, or another model goes on. */
const UNANSWERED: readonly (readonly Message[])[] = [
  [LOOK, ASKED_CALL!, RESULT!, { role: 'user', content: 'Look again.' }],
  [LOOK, ASKED_CALL!, RESULT!],
]
const SETTINGS: GenerateConfig = {
  temperature: 0.2,
  topP: 0.9,
  maxTokens: 500,
  stop: ['END'],
  parallelFunctionCalls: false,
}

const REFUSE_FORCED_CALLS = new Set(['DeepSeek', 'DashScope', 'OpenRouter', 'Moonshot'])

test.each([
  [
    'OpenAI',
    { ...SETTINGS, extraBody: { reasoning_effort: 'high' } },
    [
      'parallel_tool_calls is left out',
      'reasoning_effort is sent as none with tools',
      'temperature is left out',
      'top_p is left out',
    ],
  ],
  ['OpenAI', { parallelFunctionCalls: true, extraBody: { reasoning_effort: 'none' } }, []],
  ['OpenAI', {}, []],
  ['Moonshot', SETTINGS, ['temperature is left out']],
  ['Gemini', SETTINGS, ['parallel_tool_calls is left out']],
])('a setting that %s refuses is named in a warning: %j', async (name, config, expected) => {
  const profile = MODEL_PROFILES.find(candidate => candidate.name === name)
  if (!profile) throw new Error(`There is no profile ${name}.`)
  const server = await startProfile(profile, answer)
  onTestFinished(() => server.close())
  const model = openChatModel({ url: server.url, name: 'thinker', key: 'secret' })
  const agent = new Agent({ model, tools: [look], config })
  for (const run of ['first', 'later']) {
    const { warnings = [] } = await agent.run(`Look, ${run}.`).result
    const said = warnings.map(({ message }) => /of this request: (.*)\.$/.exec(message)?.[1])
    expect(said.toSorted()).toEqual(expected)
  }
})

test.each([
  [
    'OpenAI',
    /^calls tools; returns no reasoning; reports tokens\. .*temperature is left out, max_tokens is sent as max_completion_tokens, top_p is left out, stop is left out/,
  ],
  [
    'DeepSeek',
    /^calls tools; returns its reasoning; .* adapted: tool_choice is sent as auto, every message has a field for thoughts$/,
  ],
  ['OpenRouter', /adapted: tool_choice is sent as auto$/],
  ['Azure', /^calls tools; returns no reasoning; reports tokens$/],
  ['Azure with a version', /^calls tools; .* adapted: stream_options is left out$/],
  ['Ollama', /^calls tools; returns its reasoning; reports tokens$/],
  ['Ollama without tools', /^did not call a tool: .* adapted: tools are left out$/],
  [
    'Gemini',
    /parallel_tool_calls is left out, parameters of tools use the schema subset of OpenAPI 3.0, tool calls of others are marked as unsigned$/,
  ],
  [
    'Mistral',
    /adapted: tool calls have ids of nine characters, results of tools are followed by an answer$/,
  ],
  ['vLLM', /^calls tools; .* adapted: consecutive messages of one role are merged$/],
  ['LM Studio', /adapted: a named tool_choice is sent as required, with that tool alone$/],
])('doctor finds out what a model of %s can do', async (name, expected) => {
  const profile = MODEL_PROFILES.find(candidate => candidate.name === name)
  if (!profile) throw new Error(`There is no profile ${name}.`)
  const server = await startProfile(profile, request =>
    countResults(request) === 0 && Array.isArray(request.body.tools) && !hasAnswered(request)
      ? { name: 'echo', call: { word: 'doctor' } }
      : { text: 'done' },
  )
  const sandbox = await Sandbox.make()
  onTestFinished(async () => {
    await server.close()
    await sandbox.remove()
  })
  const model = { url: server.url, name: 'thinker', key: 'secret' }
  const passim = await sandbox.open({ settings: { model } })
  const findDetail = async (options: { readonly model?: boolean }) =>
    (await passim.doctor(options)).checks.find(check => check.name === 'chat model in use')?.detail
  expect(await findDetail({ model: true })).toMatch(expected)
  expect(await findDetail({})).toBeUndefined()
})

describe.each(MODEL_PROFILES)('$name', profile => {
  let server: ScriptedModel
  let sandbox: Sandbox
  let models: ChatModels
  const openModels = async () => {
    const model = { url: server.url, name: 'thinker', key: 'secret' }
    return new ChatModels(await loadSettings({ environment: {}, settings: { model } }))
  }
  beforeAll(async () => {
    server = await startProfile(profile, answer)
    sandbox = await Sandbox.make()
    models = await openModels()
  })
  afterAll(async () => {
    await server.close()
    await sandbox.remove()
  })

  test('an answer is streamed with its thoughts apart', async () => {
    const run = new Agent({ model: models.open() }).run('Hello')
    const types = new Set<string>()
    for await (const event of run.events) types.add(event.type)
    expect(types).toContain('text-delta')
    expect(types.has('reasoning-delta')).toBe(profile.thoughts !== undefined)
    expect((await run.result).text).toBe('Employees receive 24 days of leave [1].')
  })

  test('tools are called in a loop, after calls of another server, with all settings', async () => {
    const agent = new Agent({ model: models.open(), tools: [look], config: SETTINGS })
    const { text, messages } = await agent.run(USED_TOOL).result
    expect(text).toBe('Employees receive 24 days of leave [1].')
    const results = messages.filter(({ role }) => role === 'function')
    expect(results).toHaveLength(WITHOUT_TOOLS.has(profile.name) ? 0 : 2)
  })

  test('a question may follow a result, and a result may be of another server', async () => {
    for (const messages of UNANSWERED) {
      const agent = new Agent({ model: (await openModels()).open(), tools: [look] })
      expect((await agent.run(messages).result).text).toBe(
        'Employees receive 24 days of leave [1].',
      )
    }
  })

  test('calls side by side are told apart', async () => {
    const agent = new Agent({ model: models.open(), tools: [look] })
    const { messages } = await agent.run('Look at both.').result
    const places = messages.flatMap(({ functionCall }) => functionCall?.arguments ?? [])
    expect(places).toEqual(
      WITHOUT_TOOLS.has(profile.name) ? [] : ['{"at":"shelf 0"}', '{"at":"shelf 1"}'],
    )
  })

  test('a picture that a tool shows reaches the model', async () => {
    const photo = {
      ...look,
      call: async () => ({ content: [{ image: 'data:image/png;base64,AAAA' }] }),
    }
    const agent = new Agent({ model: (await openModels()).open(), tools: [photo] })
    expect((await agent.run('Look').result).text).toBe('Employees receive 24 days of leave [1].')
    const isShown = JSON.stringify(server.requests.at(-1)?.body).includes('base64,AAAA')
    expect(isShown).toBe(!WITHOUT_TOOLS.has(profile.name))
  })

  test('the accepted form is remembered', async () => {
    const agent = new Agent({ model: models.open(), tools: [look], config: SETTINGS })
    await agent.run(USED_TOOL).result
    const before = server.requests.length
    await agent.run(USED_TOOL).result
    const refused = server.requests.slice(before).filter(request => profile.refuse?.(request))
    expect(refused).toEqual([])
  })

  test('a call that is forced is made, or left to the model', async () => {
    const model = (await openModels()).open() // that knows nothing of the server
    const forced = { model, tools: [look], toolChoice: { name: 'look' } }
    const { messages, warnings = [] } = await new Agent(forced).run('Look').result
    const isRefused = WITHOUT_TOOLS.has(profile.name)
    const isMade = !isRefused || profile.name.startsWith('vLLM')
    expect(messages.some(({ role }) => role === 'function')).toBe(isMade)
    const isLeft = REFUSE_FORCED_CALLS.has(profile.name)
    expect(warnings.map(({ code }) => code)).toEqual(
      isRefused ? ['tools_refused'] : isLeft ? ['setting_refused'] : [],
    )
  })

  test('a request that was cut without an error is told of', async () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `Shelf ${at} is empty.`).join(' ')
    const { warnings = [] } = await new Agent({ model: models.open() }).run(long).result
    expect(warnings.map(({ code }) => code)).toEqual(
      profile.contextTokens === undefined ? [] : ['request_shortened'],
    )
  })

  test('an answer cites its source', async () => {
    const model = { url: server.url, name: 'thinker', key: 'secret' }
    const passim = await sandbox.open({ settings: { model } })
    await passim.index([await sandbox.write({ 'leave.md': 'Employees receive 24 days of leave.' })])
    const { answer: text, citations } = await collectAnswer(
      passim.ask({ question: 'How many days of leave do employees receive?' }),
    )
    expect(text).toContain('24 days of leave')
    expect(citations.map(({ doc }) => doc)).toEqual(['leave.md'])
  })
})
