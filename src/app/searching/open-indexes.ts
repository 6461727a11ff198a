import type { IndexEngine } from '../../ingest/store/catalog/collections.ts'
import type { Catalog } from '../../ingest/store/catalog.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import { DamageIndex } from '../../search/damage-index.ts'
import { EngineIndex, EngineIndexes } from '../../search/engine-index.ts'
import type { Indexes } from '../../search/index-reader.ts'
import type { IndexCache } from '../../search/lance/index-cache.ts'
import { buildIndexId, LanceIndex } from '../../search/lance/lance-index.ts'
import { LanceIndexes } from '../../search/lance/lance-indexes.ts'
import { LanceTables } from '../../search/lance/lance-tables.ts'
import type { TablePlace } from '../../search/lance/table-place.ts'
import type { LanguageMeans } from '../../search/language-means.ts'
import type { TermRarity } from '../../search/term-rarity.ts'
import type { Foreground } from '../../system/foreground.ts'
import type { Analyzer } from '../../text/analyzer.ts'
import type { openWeaviate } from './weaviate.ts'

export type IndexesDeps = {
  readonly catalog: Catalog
  readonly place: TablePlace
  readonly indexCache: IndexCache
  readonly weaviate: ReturnType<typeof openWeaviate> | undefined
  /** Searches run before indexing. */
  readonly foreground: Foreground
  readonly analyzer: Analyzer
  readonly means: LanguageMeans
  readonly rarity: TermRarity
  readonly upkeepProcessRows: number
  readonly upkeepMemoryBytes: number
  readonly partitionBytes: number | undefined
}

type OpenedIndexes = {
  readonly tables: LanceTables
  readonly engines: readonly IndexEngine[]
  readonly index: ChunkIndex
  readonly indexes: Indexes
}

export function openIndexes(deps: IndexesDeps): OpenedIndexes {
  const { catalog, foreground, analyzer, means, rarity } = deps
  const state = async () => await catalog.state()
  const earlier = buildIndexId({ id: analyzer.idWithoutValues })
  const tables = new LanceTables(deps.place, buildIndexId(analyzer), deps.indexCache, earlier)
  const lance = new LanceIndex(tables, analyzer, [means, rarity], {
    foreground,
    upkeepProcessRows: deps.upkeepProcessRows,
    upkeepMemoryBytes: deps.upkeepMemoryBytes,
    partitionBytes: deps.partitionBytes,
  })
  const weaviate = deps.weaviate?.({ analyzer, state, foreground, means, rarity })
  return {
    tables,
    engines: weaviate ? ['lance', 'weaviate'] : ['lance'],
    index: new DamageIndex(new EngineIndex({ lance, weaviate: weaviate?.index })),
    indexes: new EngineIndexes({
      lance: new LanceIndexes(tables, state),
      weaviate: weaviate?.indexes,
    }),
  }
}
