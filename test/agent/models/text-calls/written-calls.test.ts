import { afterEach, expect, test } from 'vitest'
import { Agent } from '../../../../src/agent/agent.ts'
import { defineTool } from '../../../../src/agent/tools/define-tool.ts'
import { ChatModels } from '../../../../src/app/chat-models.ts'
import { loadSettings } from '../../../../src/config.ts'
import {
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../../fakes/scripted-model-server.ts'

const open: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

const DONE: ScriptedReply = { text: ['Done.'] }
const callsIn = ({ body }: RecordedRequest) =>
  body.messages.flatMap(({ role, tool_calls }) => (role === 'assistant' ? [tool_calls] : []))

/** An agent as `open()` makes one, with a tool, over a server that says this first. */
async function start(said: ScriptedReply) {
  const server = await startScriptedModel([said, DONE])
  open.push(server)
  const settings = await loadSettings({
    environment: {},
    settings: { model: { url: server.url, name: 'writer' } },
  })
  const look = defineTool({
    name: 'look',
    description: '',
    parameters: [{ name: 'at' }],
    call: async () => 'Seen.',
  })
  return { server, agent: new Agent({ model: new ChatModels(settings).open(), tools: [look] }) }
}

const inPieces = (text: string, length: number) =>
  text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? []
const JSON_CALL = '<tool_call>\n{"name": "look", "arguments": {"at": "x"}}\n</tool_call>'
const OTHER_CALL = JSON_CALL.replace('"x"', '"y"')

test.each([
  ['in JSON', JSON_CALL],
  ['without its end', JSON_CALL.replace('</tool_call>', '')],
  [
    'in tags',
    '<tool_call>\n<function=look>\n<parameter=at>\nx\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'in keys and values',
    '<tool_call>look\n<arg_key>at</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
  ],
  ['after thoughts', `<think>A ${OTHER_CALL}?</think>\n${JSON_CALL}`],
  ['after thoughts that nothing opened', `A ${OTHER_CALL}?</think>\n${JSON_CALL}`],
])('a call that a model writes as text is made: %s', async (_, said) => {
  for (const length of [3, 1000]) {
    const { server, agent } = await start({ text: inPieces(said, length) })
    expect((await agent.run('Look').result).text).toBe('Done.')
    expect(callsIn(server.requests[1]!)).toMatchObject([
      [{ function: { name: 'look', arguments: '{"at":"x"}' } }],
    ])
  }
})

test.each([
  ['names no tool', '<tool_call>{"name": "other", "arguments": {}}</tool_call> is a call.'],
  ['is none', 'Write <tool_call>NAME</tool_call>.'],
  ['does not end', 'So a <tool_call> begins.'],
])('what only looks like a call stays text where it %s', async (_, said) => {
  const { agent } = await start({ text: inPieces(said, 3) })
  expect((await agent.run('Look').result).text).toBe(said)
})

test('a call that the server reads, too, is made once', async () => {
  const { server, agent } = await start({
    text: [JSON_CALL],
    calls: [{ name: 'look', arguments: { at: 'x' } }],
  })
  await agent.run('Look').result
  expect(callsIn(server.requests[1]!)).toMatchObject([[{ id: 'call_1' }]])
})
