import { expect, test } from 'vitest'
import type { KnowledgeQuery } from '../../../src/agent/memory/knowledge-base.ts'
import { callTool } from '../../../src/agent/tool.ts'
import { createRetrievalTools } from '../../../src/agent/tools/retrieval.ts'
import type { Hit } from '../../../src/search/searcher.ts'
import { MemoryKnowledge } from '../../fakes/memory-knowledge.ts'
import { toolCall } from '../../fakes/scripted-chat-model.ts'

/** Its hits are weak, all of them or all but the first. */
class WeakKnowledge extends MemoryKnowledge {
  isFirstStrong = false
  fused: Hit['fused']

  override async search(query: KnowledgeQuery, signal?: AbortSignal) {
    const hits = await super.search(query, signal)
    const fused = this.fused && { fused: this.fused }
    return hits.map((hit, at) => ({ ...hit, ...fused, weak: !(this.isFirstStrong && at === 0) }))
  }
}

const knowledge = new WeakKnowledge([
  { name: 'a.md', text: 'The pump is blue.\n\nThe pump is old.' },
])
const find = async (name: string) =>
  JSON.parse(
    await callTool(createRetrievalTools({ knowledge }), toolCall(name, '{"query": "pump"}')),
  )

test('hits that are all too near to chance are none, which is said', async () => {
  knowledge.isFirstStrong = false
  for (const name of ['retrieval', 'keyword_search', 'vector_search', 'hybrid_search'])
    expect(await find(name)).toEqual({
      results: [],
      note: 'The documents hold nothing that bears on this.',
    })
})

test('weak hits stay beside one that is not, and so do the beginnings of documents', async () => {
  knowledge.isFirstStrong = true
  expect((await find('retrieval')).results).toHaveLength(2)
  knowledge.isFirstStrong = false
  expect((await find('front_page_search')).results).toHaveLength(2)
})

test('weak hits of a question whose words stand nowhere, as in another language, are given to who can read them', async () => {
  knowledge.isFirstStrong = false
  knowledge.fused = { keyword: 0, vector: 0.5 }
  expect((await find('hybrid_search')).results).toHaveLength(2)
  knowledge.fused = { keyword: 0.1, vector: 0.5 }
  expect((await find('hybrid_search')).results).toHaveLength(0)
})

test('where not even the best hit fits, it is cut', async () => {
  const long = new MemoryKnowledge([
    { name: 'a.md', text: 'The pump is blue and old and loud and slow.' },
  ])
  const find = createRetrievalTools({ knowledge: long, maxTokens: 5 })
  const { results } = JSON.parse(await callTool(find, toolCall('retrieval', '{"query": "pump"}')))
  expect(results).toMatchObject([{ text: 'The pump is blue and ' }])
})
