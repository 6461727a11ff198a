import { expect, test } from 'vitest'
import { SynonymLeg } from '../../../src/search/rank/synonym-leg.ts'
import { QueryReader } from '../../../src/search/readers/query-reader.ts'
import { toSynonymTerm } from '../../../src/search/synonyms/synonyms.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'
import { MemoryIndex } from '../../fakes/memory-index.ts'

test('a search that is aborted looks for no further synonym', async () => {
  const analyzer = new Analyzer()
  const index = new MemoryIndex(analyzer)
  await index.add({ id: 'vs_1', dimensions: 0 }, [])
  const inner = await index.open('vs_1')
  if (!inner) throw new Error('The table is missing.')
  const controller = new AbortController()
  const words = {
    find: async () => {
      controller.abort(new Error('The reader has gone.'))
      return []
    },
    judge: async () => new Map(),
    findTerms: async () => new Map(),
    computeFullScore: async () => undefined,
  }
  const query = {
    text: 'laptop',
    collections: [],
    index: new QueryReader(inner, 'default', controller.signal),
    only: {},
    synonyms: [
      {
        written: toSynonymTerm('laptop', analyzer),
        others: [toSynonymTerm('notebook', analyzer)],
      },
    ],
  }
  const leg = new SynonymLeg(words)
  await expect(leg.find(query, 10, controller.signal)).rejects.toThrow('The reader has gone.')
})
