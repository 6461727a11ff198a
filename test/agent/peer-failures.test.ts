import { describe, expect, test } from 'vitest'
import { runToEnd } from '../../src/agent/agent.ts'
import { defineTool } from '../../src/agent/define-tool.ts'
import { FnCallAgent } from '../../src/agent/fn-call-agent.ts'
import { Memory } from '../../src/agent/memory.ts'
import { CachedModel } from '../../src/agent/models/cached.ts'
import { MemoryCache } from '../../src/agent/text-cache.ts'
import { callTool } from '../../src/agent/tool.ts'
import { retrievalTools } from '../../src/agent/tools/retrieval.ts'
import { MemoryKnowledge } from '../fakes/memory-knowledge.ts'
import { ScriptedChatModel, says, toolCall } from '../fakes/scripted-chat-model.ts'

/** What Qwen-Agent 0.0.34 was seen to get wrong, in the part of it that agents are. Files, parsers and indexes have tests of their own. */
describe('what the peer fails at', () => {
  const knowledge = new MemoryKnowledge([
    { name: 'a.md', text: 'The retrieval settings are here. The pump is blue.' },
    { name: 'b.md', text: 'Something else.' },
  ])
  const retrieve = (args: object) =>
    callTool(retrievalTools({ knowledge }), toolCall('retrieval', JSON.stringify(args))).then(text => JSON.parse(text))

  test('a cache of answers that is blind to the model', async () => {
    const cache = new MemoryCache({ ttlMs: 60_000 })
    const ask = async (id: string) => {
      const agent = new FnCallAgent({ model: new CachedModel(new ScriptedChatModel([says(id)], id), cache), tools: [] })
      return (await runToEnd(agent, [{ role: 'user', content: 'Hi' }])).at(-1)?.content
    }
    expect([await ask('one'), await ask('two')]).toEqual(['one', 'two'])
  })
  test('a search without a match that is filled up with the first document', async () =>
    expect(await retrieve({ query: 'zebra' })).toMatchObject({ results: [] }))
  test('a bad file that ends the retrieval, a missing one that is passed over in silence', async () =>
    expect(await retrieve({ query: 'pump', files: ['a.md', 'gone.txt'] })).toMatchObject({
      results: [{ source: 'a.md' }],
      failed: [{ file: 'gone.txt' }],
    }))
  test('a keyword of several words that never matches', async () =>
    expect(await retrieve({ query: '{"keywords_en": ["retrieval settings"]}' })).toMatchObject({
      results: [{ source: 'a.md' }],
    }))
  test('an empty answer that is asked for twenty times', async () => {
    const model = new ScriptedChatModel([[{ type: 'finish', reason: 'stop' }]])
    const echo = defineTool({ name: 'echo', description: '', parameters: [], call: async () => '' })
    const agent = new FnCallAgent({ model, tools: [echo] })
    await expect(runToEnd(agent, [{ role: 'user', content: 'Hi' }])).rejects.toMatchObject({
      code: 'model_unavailable',
    })
    expect(model.requests).toHaveLength(1)
  })
  test('a stack with the paths of the server, shown to the model', async () => {
    const failing = defineTool({
      name: 'fail',
      description: '',
      parameters: [],
      call: async () => {
        throw new Error(`cannot read ${import.meta.filename}`)
      },
    })
    const told = await callTool([failing], toolCall('fail'))
    expect(told).toBe('An error occurred when calling tool fail: Error: cannot read peer-failures.test.ts')
  })
  test('keywords that a model is asked for though everything fits', async () => {
    const model = new ScriptedChatModel([says('{}')])
    await new Memory({ knowledge, model, hasAll: true }).recall([{ role: 'user', content: 'pump?' }])
    expect(model.requests).toHaveLength(0)
  })
  test('a follow-up that is searched without what was said before', async () => {
    const small = new Memory({ knowledge, hasAll: true, maxTokens: 3 })
    const asked = [
      { role: 'user', content: '水泵是什么颜色？' },
      { role: 'assistant', content: '蓝色。' },
    ] as const
    await small.recall([...asked, { role: 'user', content: '那它呢' }])
    expect(knowledge.searcher.queries.at(-1)?.text).toBe('水泵是什么颜色？\n那它呢')
  })
})
