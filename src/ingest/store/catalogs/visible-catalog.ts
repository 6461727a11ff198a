import { AppError } from '../../../errors.ts'
import { TOUCH_SQL } from '../catalog/collections.ts'
import type { Catalog } from '../catalog.ts'
import { WRITES } from './line.ts'

const OF_DOCUMENTS = 'WHERE document_id IN (SELECT id FROM documents)'

/** Hidden documents move the time of use, which only an expiry needs. */
const COLLECTION_COLUMNS = `id, name, embedder_id, chunk_tokens, overlap, hidden, epoch, metadata, created_at,
  CASE WHEN idle_days IS NULL THEN created_at ELSE used_at END AS used_at, idle_days, table_id, dimensions, synonyms`

/** Conditions of the tables that a view shows in part, in the order of their dependence. */
const PARTS = {
  collections: 'WHERE id IN (SELECT id FROM visible)',
  documents: 'WHERE id IN (SELECT id FROM visible)',
  versions: OF_DOCUMENTS,
  jobs: OF_DOCUMENTS,
  files: 'WHERE id IN (SELECT file_id FROM documents)',
  events: 'WHERE document_id IN (SELECT id FROM visible)',
} as const

/** Tables that are empty in a view, because their rows are about all documents or other users. */
const EMPTY = [
  ...['file_batches', 'file_batch_documents', 'uploads', 'upload_parts', 're_embeddings'],
  ...['deletions', 'deleted_rows', 'language_means', 'term_samples', 'file_uses', 'webhooks'],
  ...['source_runs', 'source_skips'],
  ...['batches', 'batch_results'],
  ...['conversations', 'conversation_items', 'runs', 'run_events', 'run_requests', 'responses'],
] as const

export const VIEW_TABLES: readonly string[] = [...Object.keys(PARTS), ...EMPTY]

const TABLES = [...Object.entries(PARTS), ...EMPTY.map(name => [name, 'WHERE 1 = 0'] as const)]
  .map(([name, where]) => {
    const columns = name === 'collections' ? COLLECTION_COLUMNS : '*'
    return `${name} AS NOT MATERIALIZED (SELECT ${columns} FROM main.${name} ${where})`
  })
  .join(', ')

/**
 * Shows the rows of visible documents only, by table expressions that shadow the tables. Refuses
 * writes.
 */
export class VisibleCatalog implements Catalog {
  readonly #catalog: Catalog
  readonly #listIds: () => Promise<string>

  /** `listIds` returns the ids of visible collections and documents as a JSON list. */
  constructor(catalog: Catalog, listIds: () => Promise<string>) {
    this.#catalog = catalog
    this.#listIds = listIds
  }

  async get<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined> {
    const { text, all } = await this.#restrict(sql, values)
    return await this.#catalog.get<Row>(text, ...all)
  }

  async all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    const { text, all } = await this.#restrict(sql, values)
    return await this.#catalog.all<Row>(text, ...all)
  }

  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    if (sql !== TOUCH_SQL) throw createReadOnly()
    return await this.#catalog.run(sql, ...values)
  }

  async transaction(): Promise<never> {
    throw createReadOnly()
  }

  async state(): Promise<string> {
    return await this.#catalog.state()
  }

  async integrityProblems(): Promise<never> {
    throw createReadOnly()
  }

  async copyTo(): Promise<never> {
    throw createReadOnly()
  }

  async truncateLog(): Promise<never> {
    throw createReadOnly()
  }

  async erase(): Promise<never> {
    throw createReadOnly()
  }

  /** Does nothing: the store owns the catalog. */
  async close(): Promise<void> {}

  async #restrict(sql: string, values: readonly unknown[]) {
    if (WRITES.test(sql)) throw createReadOnly()
    const ids = await this.#listIds()
    const isNumbered = /\?\d/.test(sql)
    const place = isNumbered ? `?${values.length + 1}` : '?'
    const [own = ''] = /^\s*WITH\s+(?:RECURSIVE\s+)?/i.exec(sql) ?? []
    const rest = `${own ? ', ' : ' '}${sql.slice(own.length)}`.replaceAll(/\s+INDEXED BY \w+/g, '')
    const visible = `visible AS (SELECT value AS id FROM json_each(${place}))`
    const text = `WITH RECURSIVE ${visible}, ${TABLES}${rest}`
    return { text, all: isNumbered ? [...values, ids] : [ids, ...values] }
  }
}

function createReadOnly(): AppError {
  return new AppError(
    'forbidden_source',
    'This key sees a part of the store only, so it stores nothing. Ask without files and without a conversation.',
  )
}
