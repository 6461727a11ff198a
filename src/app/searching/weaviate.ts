import type { Settings } from '../../config.ts'
import type { LanguageMeans } from '../../search/language-means.ts'
import type { TermRarity } from '../../search/term-rarity.ts'
import { WeaviateClient } from '../../search/weaviate/weaviate-client.ts'
import { WeaviateIndex } from '../../search/weaviate/weaviate-index.ts'
import { WeaviateIndexes } from '../../search/weaviate/weaviate-indexes.ts'
import { WeaviateTables } from '../../search/weaviate/weaviate-tables.ts'
import type { Foreground } from '../../system/foreground.ts'
import type { Analyzer } from '../../text/analyzer.ts'

type WeaviateDeps = {
  readonly analyzer: Analyzer
  readonly state: () => Promise<string>
  readonly foreground: Foreground
  readonly means: LanguageMeans
  readonly rarity: TermRarity
}

export function openWeaviate(
  { urls, key, replicas }: NonNullable<Settings['weaviate']>,
  storeId: string,
) {
  return ({ analyzer, state, foreground, means, rarity }: WeaviateDeps) => {
    const tables = new WeaviateTables(new WeaviateClient({ urls, key }), {
      storeId,
      analyzerId: analyzer.id,
      earlierAnalyzerId: analyzer.idWithoutValues,
      replicas,
    })
    const getCountedChunks = async (tableId: string) => await rarity.getCountedChunks(tableId)
    const index = new WeaviateIndex(tables, {
      analyzer,
      foreground,
      statistics: [means, rarity],
      countedChunks: getCountedChunks,
    })
    return { index, indexes: new WeaviateIndexes(tables, state) }
  }
}
