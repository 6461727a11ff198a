import { afterEach, describe, expect, test } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { Message } from '../../../src/agent/message.ts'
import type { GenerateConfig } from '../../../src/agent/models/generate-config.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import { ChatModels } from '../../../src/app/chat-models.ts'
import { loadSettings } from '../../../src/config.ts'
import {
  type ModelScript,
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../fakes/scripted-model-server.ts'

const open: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

/** The chat models of `open()` over a server that answers by this script, and an agent of one with a tool. */
async function start(script: ModelScript) {
  const server = await startScriptedModel(script)
  open.push(server)
  const settings = await loadSettings({
    environment: {},
    settings: { model: { url: server.url, name: 'thinker' } },
  })
  const models = new ChatModels(settings)
  const look = defineTool({
    name: 'look',
    description: '',
    parameters: [{ name: 'at' }],
    call: async () => 'Seen.',
  })
  const agentOf = (name?: string, config?: GenerateConfig) =>
    new Agent({ model: models.open(name), tools: [look], config })
  return { server, agentOf, agent: agentOf() }
}

/** An answer in these pieces. */
function pieces(...deltas: readonly object[]): ScriptedReply {
  const choices = [...deltas.map(delta => ({ delta })), { delta: {}, finish_reason: 'stop' }]
  const raw = choices
    .map(choice => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    .join('')
  return { raw: `${raw}data: [DONE]\n\n` }
}

const CALL = {
  tool_calls: [
    { index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } },
  ],
}
const DONE: ScriptedReply = { text: ['Done.'] }
const refusal = (message: string, more: object = {}): string =>
  JSON.stringify({ error: { message, ...more } })
const spoken = ({ body }: RecordedRequest) =>
  body.messages.filter(({ role }) => role === 'assistant')

describe('thoughts', () => {
  const details = [{ type: 'reasoning.text', text: 'I look.', index: 0, signature: 's' }]
  test.each<readonly [field: string, deltas: readonly object[], returned: object]>([
    [
      'reasoning_content',
      [{ reasoning_content: 'I ' }, { reasoning_content: 'look.' }],
      { reasoning_content: 'I look.' },
    ],
    ['reasoning', [{ reasoning: 'I look.' }], { reasoning: 'I look.' }],
    ['an empty field', [{ reasoning_content: '' }], { reasoning_content: '' }],
    [
      'reasoning_details',
      [
        { reasoning: 'I ', reasoning_details: [{ type: 'reasoning.text', text: 'I ', index: 0 }] },
        {
          reasoning: 'look.',
          reasoning_details: [{ type: 'reasoning.text', text: 'look.', index: 0 }],
        },
        { reasoning_details: [{ type: 'reasoning.text', signature: 's', index: 0 }] },
      ],
      { reasoning: 'I look.', reasoning_details: details },
    ],
  ])('go back with the call in the form in which they came: %s', async (_, deltas, returned) => {
    const { server, agent } = await start([pieces(...deltas, CALL), DONE])
    expect((await agent.run('Look').result).text).toBe('Done.')
    const {
      role: _r,
      content: _c,
      tool_calls,
      name: _n,
      ...thoughts
    } = spoken(server.requests[1]!)[0]!
    expect([tool_calls, thoughts]).toEqual([[expect.objectContaining({ id: 'c1' })], returned])
  })

  test('go to no other model, though the conversation has them', async () => {
    const { server, agent, agentOf } = await start([
      pieces({ reasoning_content: 'I look.' }, CALL),
      DONE,
    ])
    const { messages } = await agent.run('Look').result
    const said: readonly Message[] = [
      { role: 'user', content: 'Look' },
      ...messages,
      { role: 'user', content: 'Again' },
    ]
    await agentOf('other').run(JSON.parse(JSON.stringify(said))).result
    expect(JSON.stringify(server.requests[2]?.body)).not.toMatch(/reasoning|I look/)
    await agent.run(JSON.parse(JSON.stringify(said))).result
    expect(spoken(server.requests[3]!)[0]).toMatchObject({ reasoning_content: 'I look.' })
  })

  test('are empty with messages of others, for a server that gives them with its own', async () => {
    const { server, agent } = await start([pieces({ reasoning_content: 'I look.' }, CALL), DONE])
    const said: readonly Message[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ]
    await agent.run([...said, { role: 'user', content: 'Look' }]).result
    expect(spoken(server.requests[0]!)[0]).not.toHaveProperty('reasoning_content')
    expect(spoken(server.requests[1]!).map(message => message.reasoning_content)).toEqual([
      '',
      'I look.',
    ])
  })

  const called: readonly Message[] = [
    { role: 'user', content: 'Look' },
    {
      role: 'assistant',
      content: '',
      functionCall: { name: 'look', arguments: '{}' },
      functionId: 'c0',
    },
    { role: 'function', name: 'look', content: 'Seen.', functionId: 'c0' },
    { role: 'user', content: 'Again' },
  ]
  test('that a server misses are sent empty, and from then on at once', async () => {
    const { server, agent } = await start(({ body }) =>
      body.messages.some(
        message => message.role === 'assistant' && !('reasoning_content' in message),
      )
        ? { status: 400, body: refusal('assistant message 1 lacks reasoning_content') }
        : DONE,
    )
    for (const requests of [2, 3]) {
      expect((await agent.run(called).result).text).toBe('Done.')
      expect(server.requests).toHaveLength(requests)
    }
  })

  test.each(['messages.1.reasoning_content: extra inputs are not permitted', ''])(
    'that their own server refuses are left out: %s',
    async reason => {
      const { server, agent } = await start(({ body }) => {
        if (body.messages.some(message => 'reasoning_content' in message))
          return { status: 422, body: refusal(reason) }
        return body.messages.at(-1)?.role === 'tool'
          ? DONE
          : pieces({ reasoning_content: 'I look.' }, CALL)
      })
      expect((await agent.run('Look').result).text).toBe('Done.')
      expect(server.requests.map(({ body }) => 'tools' in body)).toEqual([true, true, true])
    },
  )

  test('sealed in a call go back with it', async () => {
    const extra_content = { google: { thought_signature: 'abc' } }
    const [call] = CALL.tool_calls
    const { server, agent, agentOf } = await start([
      pieces({ tool_calls: [{ ...call, extra_content }] }),
      DONE,
    ])
    const { messages } = await agent.run('Look').result
    expect(spoken(server.requests[1]!)[0]).toMatchObject({
      tool_calls: [{ id: 'c1', extra_content }],
    })
    await agentOf('other').run([
      { role: 'user', content: 'Look' },
      ...messages,
      { role: 'user', content: 'Again' },
    ]).result
    expect(JSON.stringify(server.requests[2]?.body)).not.toContain('thought_signature')
  })

  test('of a ReAct step are reasoning, and stand in the next one', async () => {
    const { server, agentOf } = await start([
      { text: ['Thought: First x.\nAction: look\nAction Input: {"at": "x"}\n'] },
      { text: ['Thought: Then y.\nAction: look\nAction Input: {"at": "y"}\n'] },
      { text: ['Thought: Enough.\nFinal Answer: Done.'] },
    ])
    const { text, messages } = await agentOf(undefined, { functionCalling: 'react' }).run('Look')
      .result
    expect([text, messages.flatMap(({ reasoningContent = [] }) => reasoningContent)]).toEqual([
      'Done.',
      ['First x.', 'Then y.', 'Enough.'],
    ])
    expect(server.requests[2]?.body.messages.at(-1)?.content).toBe(
      'Look\n\nThought: First x.\nAction: look\nAction Input: {"at": "x"}\nObservation: Seen.\n' +
        'Thought: Then y.\nAction: look\nAction Input: {"at": "y"}\nObservation: Seen.\nThought: ',
    )
  })
})

describe('a model that takes no tools', () => {
  const withoutTools =
    (status: number, body: string): ModelScript =>
    request =>
      'tools' in request.body ? { status, body } : DONE
  test.each([
    [400, refusal('registry/library/x:4b does not support tools')],
    [
      400,
      refusal(
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      ),
    ],
    [500, refusal('tools param requires --jinja flag')],
    [404, refusal('No endpoints found that support tool use.')],
    [422, '{"detail": "Unprocessable"}'],
    [400, ''],
  ])('is asked once more without them, and from then on at once: %d %s', async (status, body) => {
    const { server, agent } = await start(withoutTools(status, body))
    for (const requests of [2, 3]) {
      const { text, warnings } = await agent.run('Look').result
      expect([text, warnings]).toEqual([
        'Done.',
        [
          {
            code: 'tools_refused',
            message: expect.stringContaining('without tools'),
            advice: expect.stringContaining('model.functionCalling'),
          },
        ],
      ])
      expect(server.requests).toHaveLength(requests)
    }
  })

  test.each(['Internal Server Error', '{"detail":"Internal Server Error"}', ''])(
    'is found by a failure that says nothing, which may pass: each request is tried with them first: %s',
    async body => {
      const { server, agent } = await start(withoutTools(500, body))
      for (const requests of [2, 4]) {
        expect((await agent.run('Look').result).text).toBe('Done.')
        expect(server.requests).toHaveLength(requests)
      }
    },
  )

  test('is told of earlier calls as text', async () => {
    const { server, agent } = await start(request =>
      'tools' in request.body || request.body.messages.some(({ role }) => role === 'tool')
        ? { status: 400, body: refusal('no') }
        : DONE,
    )
    const call = { name: 'look', arguments: '{}' }
    const said: readonly Message[] = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: '', functionCall: call, functionId: 'c0' },
      { role: 'function', name: 'look', content: 'Seen.', functionId: 'c0' },
    ]
    expect((await agent.run(said).result).text).toBe('Done.')
    expect(server.requests[1]?.body.messages.slice(1).map(({ content }) => content)).toEqual([
      'Look',
      expect.stringContaining('<tool_call>'),
      expect.stringContaining('Seen.'),
    ])
  })

  test.each([
    [
      'the context is too small',
      400,
      refusal(
        "This model's maximum context length is 512 tokens, you requested 900 (300 in the functions).",
      ),
    ],
    ['the input is too long', 400, refusal('Range of input length should be [1, 6000]')],
    ['a filter minds', 400, refusal('data_inspection_failed')],
    ['another field is wrong', 400, refusal('Unsupported value', { param: 'temperature' })],
    ['the definition of one tool is wrong', 400, refusal("Invalid schema for function 'look'")],
    ['the key is wrong', 401, refusal('no')],
    ['the server says what failed', 500, refusal('CUDA out of memory')],
    ['the model is not there', 404, refusal('model "thinker" not found, try pulling it first')],
  ])('is not meant where %s: nothing is sent again', async (_, status, body) => {
    const { server, agent } = await start(withoutTools(status, body))
    await expect(agent.run('Look').result).rejects.toMatchObject({
      message: expect.stringContaining(` answered ${status}: `),
    })
    expect(server.requests).toHaveLength(1)
  })

  test('is not one that took tools before', async () => {
    const { server, agent } = await start([DONE, { status: 400, body: refusal('no') }])
    await agent.run('Look').result
    await expect(agent.run('Look').result).rejects.toThrow(/answered 400: no/)
    expect(server.requests).toHaveLength(2)
  })

  test('is told by the first refusal where it refuses without them, too', async () => {
    const { agent } = await start(({ body }) => ({
      status: 400,
      body: refusal('tools' in body ? 'first' : 'second'),
    }))
    await expect(agent.run('Look').result).rejects.toThrow(/answered 400: first/)
  })
})

test('a text is cut at its stop texts if the server refuses them', async () => {
  const { server, agentOf } = await start(({ body }) =>
    body.stop === undefined
      ? { text: ['Done', '. E', 'ND', ' And more.'], finish: 'length' }
      : {
          status: 400,
          body: refusal("Unsupported parameter: 'stop' is not supported with this model."),
        },
  )
  const agent = agentOf(undefined, { stop: ['END'] })
  for (const requests of [2, 3]) {
    expect(await agent.run('Look').result).toMatchObject({ text: 'Done. ', finishReason: 'stop' })
    expect(server.requests).toHaveLength(requests)
  }
  expect(await agentOf(undefined, { stop: ['?'] }).run('Look').result).toMatchObject({
    ...{ text: 'Done. END And more.', finishReason: 'length' },
  })
})

test.each([401, 429, 500, 503])(
  'a server that accepts another form and then fails with %d is told of by that failure',
  async status => {
    const { server, agentOf } = await start(({ body }) =>
      body.temperature === undefined
        ? { status, headers: { 'retry-after': '30' }, body: refusal('Another time.') }
        : { status: 400, body: refusal("'temperature' is not supported with this model.") },
    )
    const run = agentOf(undefined, { temperature: 0.2 }).run('Look')
    await expect(run.result).rejects.toMatchObject({
      message: expect.stringContaining('Another time.'),
      cause: { status },
    })
    expect(server.requests.length).toBeGreaterThan(1)
  },
)
