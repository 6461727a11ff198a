import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from '../config.ts'
import { combineFormats } from '../ingest/store/catalog.ts'
import { MEMORY, SqliteCatalog } from '../ingest/store/catalogs/sqlite.ts'
import { VisibleCatalog } from '../ingest/store/catalogs/visible-catalog.ts'
import { TableFolder } from '../search/lance/table-place.ts'
import { meansSchema } from '../search/language-means.ts'
import { termRaritySchema } from '../search/term-rarity.ts'
import { createTemporaryName, makePrivateFolder } from '../system/disk.ts'
import { type Access, VisibleDocuments } from './documents/visible-documents.ts'
import type { OpenedStore } from './open-search.ts'
import { computeUpkeepBytes } from './searching/index-memory.ts'
import { openSearching } from './searching/searching.ts'
import { composeStore, VIEWS } from './stores/store.ts'

const STATISTICS = combineFormats([{ 1: meansSchema }, { 1: termRaritySchema }])

type View = {
  readonly settings: Settings
  readonly opened: OpenedStore
  readonly closeStore: () => Promise<void>
}

/**
 * Opens the part of a store that a reader may see: its catalog hides all other rows, its index is
 * a copy.
 */
export async function openView(
  opened: OpenedStore,
  access: Access,
  onClosed?: () => void,
): Promise<View> {
  const { store, searching, foreground } = opened
  const visible = new VisibleDocuments(store, access)
  const catalog = new VisibleCatalog(store.catalog, async () => await visible.listIds())
  const own = composeStore(store.home, catalog, store.content)
  const folder = path.join(store.home, VIEWS)
  await makePrivateFolder(folder)
  const home = createTemporaryName(path.join(folder, 'view'))
  const statistics = SqliteCatalog.open(MEMORY, STATISTICS)
  const embedders = opened.embedders.shareModels()
  const settings = removeFolders(opened.settings)
  const viewed = openSearching(own, embedders, searching.priors, {
    reranker: opened.reranker,
    weights: settings.searching.weights,
    place: new TableFolder(home),
    indexCache: searching.tables.cache,
    weaviate: undefined,
    foreground,
    upkeepProcessRows: settings.upkeep.processRows,
    upkeepMemoryBytes: computeUpkeepBytes(settings),
    partitionBytes: settings.upkeep.partitionBytes,
    view: { from: searching.tables, statistics },
  })
  const closeStore = async () => {
    await embedders.close()
    await viewed.tables.close()
    await statistics.close()
    await rm(home, { recursive: true, force: true })
    onClosed?.()
  }
  const embedder = embedders.configured
  const visibleStore = { ...opened, settings, store: own, embedders, embedder, searching: viewed }
  return { settings, opened: visibleStore, closeStore }
}

/** Folders and tools of the operator show more than the documents. */
function removeFolders(settings: Settings): Settings {
  return { ...settings, agent: { ...settings.agent, roots: [], mcpServers: {} } }
}
