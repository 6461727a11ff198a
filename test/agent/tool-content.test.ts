import { expect, test } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { toMCP } from '../../src/agent/export/mcp.ts'
import { createRequestBody } from '../../src/agent/models/openai/messages.ts'
import { callTool } from '../../src/agent/tool.ts'
import { defineTool } from '../../src/agent/tools/define-tool.ts'
import { calls, ScriptedChatModel, says, toolCall } from '../fakes/scripted-chat-model.ts'

const image = 'data:image/png;base64,iVBORw0KGgo='
const content = [{ text: 'A page.' }, { image }]
const conversations: (string | undefined)[] = []
const camera = defineTool({
  name: 'camera',
  description: 'Shows.',
  parameters: [],
  async call(_, __, { conversation } = {}) {
    conversations.push(conversation)
    return { content }
  },
})

test('the pictures of a tool go to the model as pictures, after all results of the turn', async () => {
  const model = new ScriptedChatModel([
    calls(toolCall('camera', '{}', 'a'), toolCall('camera', '{}', 'b')),
    says('Seen.'),
  ])
  await new Agent({ model, tools: [camera] }).run('Look').result
  const { messages } = createRequestBody({ server: '', model: 'm' }, model.requests[1]!) as {
    messages: { role: string; content: unknown }[]
  } // as it is sent
  expect(messages.slice(-3)).toMatchObject([
    { role: 'tool', content: 'A page.', tool_call_id: 'a' },
    { role: 'tool', content: 'A page.', tool_call_id: 'b' },
    {
      role: 'user',
      content: [
        { type: 'text' },
        { type: 'image_url', image_url: { url: image } },
        { type: 'image_url' },
      ],
    },
  ])
})

test('a bare list with pictures is content, and a list of texts is data', async () => {
  const bare = (result: unknown) =>
    defineTool({ name: 'bare', description: '', parameters: [], call: async () => result })
  expect(await callTool([bare(content)], toolCall('bare'))).toBe('A page.')
  expect(await toMCP([bare(content)]).call({ name: 'bare' })).toMatchObject({
    content: [{ type: 'text' }, { type: 'image' }],
  })
  expect(await callTool([bare([{ text: 'a' }])], toolCall('bare'))).toBe('[{"text":"a"}]')
  expect(await callTool([bare([])], toolCall('bare'))).toBe('[]')
})

test('who takes text gets the text; over MCP pictures are pictures', async () => {
  expect(await callTool([camera], toolCall('camera'))).toBe('A page.')
  expect(await toMCP([camera]).call({ name: 'camera' })).toEqual({
    content: [
      { type: 'text', text: 'A page.' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    ],
  })
})

test('a tool is told the conversation; runs without one have nothing in common', async () => {
  conversations.length = 0
  const agent = (answer = 'Seen.') =>
    new Agent({
      model: new ScriptedChatModel([calls(toolCall('camera')), says(answer)]),
      tools: [camera],
    })
  await agent().run('Look', { conversation: 'c1' }).result
  await agent().run('Look').result
  await agent().run('Look').result
  expect([conversations[0], new Set(conversations).size]).toEqual(['c1', 3])
})
