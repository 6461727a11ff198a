import { AIMessage } from '@langchain/core/messages'
import { RunnableLambda } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAISDK } from '../../examples/ai-sdk-agent.ts'
import { askLangChain } from '../../examples/langchain-agent.ts'
import { askWithTool } from '../../examples/own-tool.ts'
import { uploadAndAsk } from '../../examples/upload-and-ask.ts'
import type { Passim } from '../../src/app/passim.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let server: ScriptedModel
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  server = await startScriptedModel([
    { text: ['It is "three months" [1].'] },
    {
      calls: [
        { name: 'retrieval', arguments: { query: 'price' } },
        { name: 'convert', arguments: { dollars: 100 } },
      ],
    },
    { text: ['90 euros.'] },
  ])
  passim = await sandbox.open({ settings: { model: { url: server.url, name: 'scripted' } } })
  await sandbox.write({
    'contract.md': 'The notice period is three months. The price is 100 dollars.',
  })
  await passim.index([sandbox.path('contract.md')])
})
afterAll(async () => {
  await server.close()
  await sandbox.remove()
})

test('upload and ask: the answer cites the uploaded file', async () => {
  const { text, citations } = await uploadAndAsk(
    passim,
    [sandbox.path('contract.md')],
    'What is the notice period?',
  )
  expect(text).toContain('three months')
  expect(citations).toMatchObject([{ doc: 'contract.md', text: 'three months', verified: true }])
})

test('a tool of one’s own: the agent calls it beside retrieval', async () => {
  const { messages } = await askWithTool(passim, 'What does the contract cost in euros?')
  const results = messages
    .filter(message => message.role === 'function')
    .map(message => message.content)
  expect(results).toEqual([expect.stringContaining('100 dollars'), '{"euros":90}'])
  expect(messages.at(-1)).toMatchObject({ name: 'clerk', content: '90 euros.' })
})

test('an agent of the AI SDK retrieves', async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const call = {
    type: 'tool-call',
    toolCallId: 'c',
    toolName: 'retrieval',
    input: '{"query":"notice"}',
  } as const
  const model = new MockLanguageModelV3({
    doGenerate: [
      {
        content: [call],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'Three.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })
  expect((await askAISDK(passim, model, 'What is the notice period?')).text).toBe('Three.')
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('three months')
})

test('an agent of LangChain retrieves', async () => {
  const seen: string[] = []
  const model = new FakeListChatModel({ responses: [] })
  const tool_calls = [{ id: 'c', name: 'retrieval', args: { query: 'notice' } }]
  const answer = (messages: unknown) => {
    seen.push(JSON.stringify(messages))
    return seen.length === 1 ? new AIMessage({ content: '', tool_calls }) : new AIMessage('Three.')
  }
  Object.assign(model, { bindTools: () => RunnableLambda.from(answer) })
  expect(await askLangChain(passim, model, 'What is the notice period?')).toBe('Three.')
  expect(seen[1]).toContain('three months')
})
