import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, Server } from '@modelcontextprotocol/server'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { toAISDK } from '../../src/agent/export/ai-sdk.ts'
import { toLangChain } from '../../src/agent/export/langchain.ts'
import { toMCP } from '../../src/agent/export/mcp.ts'
import { toOpenAI } from '../../src/agent/export/openai.ts'
import { callTool } from '../../src/agent/tool.ts'
import { defineTool } from '../../src/agent/tools/define-tool.ts'
import { createRetrievalTools } from '../../src/agent/tools/retrieval.ts'
import { MemoryKnowledge } from '../fakes/memory-knowledge.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'

const knowledge = new MemoryKnowledge([
  { name: 'leave.md', text: 'Employees receive 24 days of leave.' },
])
const boom = defineTool({
  name: 'boom',
  description: 'Fails.',
  parameters: [],
  call: async () => {
    throw new Error('no such file /home/ada/x.txt')
  },
})
const photo = defineTool({
  name: 'photo',
  description: 'A picture.',
  parameters: [],
  call: async () => ({
    content: [
      { text: 'The gate.' },
      { image: 'data:image/png;base64,aGk=' },
      { image: 'https://x.test/a.png' },
    ],
  }),
})
const count = defineTool({
  name: 'count',
  description: 'Values of all kinds.',
  parameters: [],
  call: async () => [{ big: 12n, days: new Map([['mon', 1]]), when: new Date(0), none: undefined }],
})
const COUNTED = [{ big: '12', days: [['mon', 1]], when: '1970-01-01T00:00:00.000Z' }]
const tools = [...createRetrievalTools({ knowledge }).slice(0, 1), boom]
const ARGS = { query: 'leave' }
const FOUND = /"source":"leave.md".*24 days/
const FOUND_VALUE = { results: [{ source: 'leave.md', text: expect.stringContaining('24 days') }] }
const FAILED = 'An error occurred when calling tool boom: Error: no such file x.txt'

let server: ScriptedModel | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test("OpenAI's client calls the tools", async () => {
  server = await startScriptedModel([
    { calls: [{ id: 'c1', name: 'retrieval', arguments: ARGS }] },
    { text: ['24.'] },
  ])
  const openai = new OpenAI({ baseURL: server.url, apiKey: 'none' })
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: 'How many days?' },
  ]
  const stream = openai.chat.completions.stream({
    model: 'm',
    messages,
    tools: toOpenAI(tools) as OpenAI.ChatCompletionTool[],
  })
  const { message } = (await stream.finalChatCompletion()).choices[0]!
  const [made] = message.tool_calls ?? []
  expect(server.requests[0]?.body.tools).toMatchObject([
    { type: 'function', function: { name: 'retrieval' } },
    {},
  ])
  if (made?.type !== 'function') throw new Error('no call')
  expect(await callTool(tools, { id: made.id, ...made.function })).toMatch(FOUND)
})

test("Vercel's AI SDK calls the tools in its own loop", async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const call = (toolName: string, input: object) =>
    ({ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }) as const
  const toolCalls = { unified: 'tool-calls', raw: undefined } as const
  const stop = { unified: 'stop', raw: undefined } as const
  const model = new MockLanguageModelV3({
    doGenerate: [
      {
        content: [call('retrieval', ARGS), call('boom', {}), call('photo', {}), call('count', {})],
        finishReason: toolCalls,
        usage,
        warnings: [],
      },
      { content: [{ type: 'text', text: '24.' }], finishReason: stop, usage, warnings: [] },
    ],
  })
  const { text, steps } = await generateText({
    model,
    tools: await toAISDK([...tools, photo, count]),
    prompt: 'How many?',
    stopWhen: stepCountIs(3),
  })
  expect(text).toBe('24.')
  expect(steps[0]?.toolResults.map(result => result.output)).toMatchObject([
    FOUND_VALUE,
    FAILED,
    { content: [{ text: 'The gate.' }, {}, {}] },
    COUNTED,
  ])
  const shown = model.doGenerateCalls[1]?.prompt.at(-1)?.content
  expect(shown).toMatchObject([
    { output: { type: 'json', value: FOUND_VALUE } },
    { output: { type: 'text', value: FAILED } },
    {
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'The gate.' },
          { type: 'image-data', data: 'aGk=', mediaType: 'image/png' },
          { type: 'text', text: 'https://x.test/a.png' },
        ],
      },
    },
    { output: { type: 'json', value: COUNTED } },
  ])
  expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
    name: 'retrieval',
    inputSchema: { type: 'object', required: ['query'] },
  })
})

test('LangChain calls the tools', async () => {
  const [retrieval, failing, picture, counting] = await toLangChain([...tools, photo, count])
  expect(await retrieval!.invoke(ARGS)).toMatchObject(FOUND_VALUE)
  expect(await counting!.invoke({})).toEqual(COUNTED)
  const counted = { type: 'tool_call' as const, id: 'c0', name: 'count', args: {} }
  expect(await counting!.invoke(counted)).toMatchObject({
    content: JSON.stringify(COUNTED),
    artifact: COUNTED,
  })
  expect(await picture!.invoke({ ...counted, name: 'photo' })).toMatchObject({
    content: [
      { type: 'text', text: 'The gate.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
    ],
  })
  const result = await retrieval!.invoke({
    type: 'tool_call',
    id: 'c1',
    name: 'retrieval',
    args: ARGS,
  })
  expect(result).toBeInstanceOf(ToolMessage)
  expect(result).toMatchObject({
    content: expect.stringMatching(FOUND),
    artifact: FOUND_VALUE,
    tool_call_id: 'c1',
  })
  expect(await failing!.invoke({})).toBe(FAILED)
  expect(await retrieval!.invoke({ query: 7 })).toMatch(
    /An error occurred when calling tool retrieval: .*query/s,
  )
  const wrong = await retrieval!.invoke({
    type: 'tool_call',
    id: 'c2',
    name: 'retrieval',
    args: {},
  })
  expect(wrong).toBeInstanceOf(ToolMessage)
  expect(wrong).toMatchObject({
    content: expect.stringMatching(/retrieval: .*query/s),
    tool_call_id: 'c2',
  })
  const stopped = retrieval!.invoke(
    { query: 7 },
    { signal: AbortSignal.abort(new Error('stopped')) },
  )
  await expect(stopped).rejects.toThrow('stopped')
  expect(new HumanMessage('x').content).toBe('x')
})

test("an MCP server of one's own offers the tools to the official client", async () => {
  const { list, call } = toMCP(tools)
  const mcp = new Server({ name: 'own', version: '1' }, { capabilities: { tools: {} } })
  mcp.setRequestHandler('tools/list', async () => list())
  mcp.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => ({
    ...(await call(params, mcpReq.signal)),
  }))
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await mcp.connect(ours)
  await client.connect(theirs)
  const listed = (await client.listTools()).tools
  expect(listed).toMatchObject([
    { name: 'retrieval', annotations: { readOnlyHint: true } },
    { name: 'boom' },
  ])
  const found = await client.callTool({ name: 'retrieval', arguments: ARGS })
  expect(found.structuredContent).toMatchObject({ results: [{ source: 'leave.md' }] })
  expect(await client.callTool({ name: 'boom' })).toMatchObject({
    isError: true,
    content: [{ text: FAILED }],
  })
  await client.close()
})
