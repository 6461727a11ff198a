import { createId } from '../../../system/digest.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Chunking } from '../../chunk/chunker.ts'
import type { Statements, Tables } from '../catalog.ts'
import type { IndexTable } from '../chunk-index.ts'

export const INDEX_ENGINES = ['lance', 'weaviate'] as const
export type IndexEngine = (typeof INDEX_ENGINES)[number]

export const NO_EMBEDDER = 'none'

export type Collection = {
  readonly id: string
  readonly name: string
  readonly embedderId: string
  /** 0 without vectors. */
  readonly dimensions: number
  readonly tableId: string
  readonly chunking: Chunking
  /** Holds the files of one question; not listed. */
  readonly hidden: boolean
  /** Increases with every publication and removal, so that readers notice. */
  readonly epoch: number
  readonly metadata: Readonly<Record<string, string>>
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly usedAt: number
  /** Days without use until it expires. Default: never. */
  readonly idleDays?: number
}

/** Prefix, so that a table's id tells the engine. */
const WEAVIATE_MARK = 'weaviate_'

export function createTableId(collectionId: string, engine: IndexEngine = 'lance'): string {
  return `${collectionId}-${createId(engine === 'weaviate' ? WEAVIATE_MARK : '')}`
}

export function parseEngine(tableId: string): IndexEngine {
  return tableId.includes(`-${WEAVIATE_MARK}`) ? 'weaviate' : 'lance'
}

export function toEngineSql(column: string): string {
  return `CASE WHEN ${column} LIKE '%-${WEAVIATE_MARK}%' THEN 'weaviate' ELSE 'lance' END`
}

export function toIndexTable({
  tableId: id,
  dimensions,
  name,
}: Pick<Collection, 'tableId' | 'dimensions' | 'name'>): IndexTable {
  return { id, dimensions, collection: name }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns unix milliseconds. */
export function computeExpiry({ usedAt, idleDays }: Collection): number | undefined {
  return idleDays === undefined ? undefined : usedAt + idleDays * DAY_MS
}

export function isExpired(collection: Collection): boolean {
  return (computeExpiry(collection) ?? Number.POSITIVE_INFINITY) <= Date.now()
}

export type EmbeddedBy = { readonly embedderId: string; readonly dimensions: number }

type NewCollection = Pick<Collection, 'name' | 'chunking'> &
  EmbeddedBy &
  Partial<Pick<Collection, 'hidden' | 'metadata'>> & {
    readonly idleDays?: number | undefined
    /** Default: LanceDB. */
    readonly engine?: IndexEngine | undefined
  }

export type CollectionChanges = {
  readonly name?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Null: never expires. */
  readonly idleDays?: number | null | undefined
}

type Row = {
  id: string
  name: string
  embedder_id: string
  chunk_tokens: number
  overlap: number
  hidden: number
  epoch: number
  metadata: string
  created_at: number
  used_at: number
  idle_days: number | null
  table_id: string | null
  dimensions: number | null
}

export const TOUCH_SQL = 'UPDATE collections SET used_at = ? WHERE id = ?'

export class Collections {
  static readonly tables: Tables = {
    1: [
      `CREATE TABLE collections (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, embedder_id TEXT NOT NULL, chunk_tokens INTEGER NOT NULL,
    overlap REAL NOT NULL, hidden INTEGER NOT NULL, epoch INTEGER NOT NULL, metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL, used_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      'CREATE INDEX collections_by_name ON collections (name, created_at)',
    ],
    2: ['ALTER TABLE collections ADD COLUMN idle_days INTEGER'],
    /** The default id of a table is the collection's. */
    7: [
      'ALTER TABLE collections ADD COLUMN table_id TEXT',
      'ALTER TABLE collections ADD COLUMN dimensions INTEGER',
    ],
    21: ['ALTER TABLE collections ADD COLUMN synonyms TEXT'],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Accepts an existing name, as OpenAI's API does. */
  async create(input: NewCollection): Promise<Collection> {
    return await this.#catalog.transaction(async inside => await this.#insert(inside, input))
  }

  async ensure(input: NewCollection): Promise<Collection> {
    return await this.#catalog.transaction(
      async inside =>
        (await this.findByName(input.name, inside)) ?? (await this.#insert(inside, input)),
    )
  }

  buildPreview(input: NewCollection): Collection {
    const { hidden = false, metadata = {}, idleDays, ...settings } = input
    const now = Date.now()
    return {
      id: '',
      tableId: '',
      hidden,
      metadata,
      ...(idleDays !== undefined && { idleDays }),
      ...settings,
      epoch: 0,
      createdAt: now,
      usedAt: now,
    }
  }

  async findByName(
    name: string,
    inside: Statements = this.#catalog,
  ): Promise<Collection | undefined> {
    const row = await inside.get<Row>(
      'SELECT * FROM collections WHERE name = ? ORDER BY created_at, id LIMIT 1',
      name,
    )
    return row && fromRow(row)
  }

  async findById(id: string, inside: Statements = this.#catalog): Promise<Collection | undefined> {
    const row = await inside.get<Row>('SELECT * FROM collections WHERE id = ?', id)
    return row && fromRow(row)
  }

  async list(): Promise<readonly Collection[]> {
    return (
      await this.#catalog.all<Row>('SELECT * FROM collections WHERE hidden = 0 ORDER BY name')
    ).map(fromRow)
  }

  async listAll(): Promise<readonly Collection[]> {
    return (await this.#catalog.all<Row>('SELECT * FROM collections ORDER BY name')).map(fromRow)
  }

  async update(
    id: string,
    { name, metadata, idleDays }: CollectionChanges,
  ): Promise<Collection | undefined> {
    return await this.#catalog.transaction(async inside => {
      if (name !== undefined)
        await inside.run('UPDATE collections SET name = ? WHERE id = ?', name, id)
      if (metadata)
        await inside.run(
          'UPDATE collections SET metadata = ? WHERE id = ?',
          JSON.stringify(metadata),
          id,
        )
      if (idleDays !== undefined)
        await inside.run('UPDATE collections SET idle_days = ? WHERE id = ?', idleDays, id)
      return await this.findById(id, inside)
    })
  }

  async readSynonyms(id: string): Promise<string> {
    const sql = 'SELECT synonyms FROM collections WHERE id = ?'
    const row = await this.#catalog.get<{ synonyms: string | null }>(sql, id)
    return row?.synonyms ?? ''
  }

  async writeSynonyms(id: string, list: string): Promise<boolean> {
    const sql = 'UPDATE collections SET synonyms = ? WHERE id = ?'
    return (await this.#catalog.run(sql, list === '' ? null : list, id)) > 0
  }

  /** Records the length for collections of older programs. */
  async recordDimensions({ embedderId, dimensions }: EmbeddedBy): Promise<void> {
    const isMissing =
      (await this.#catalog.get('SELECT 1 FROM collections WHERE dimensions IS NULL LIMIT 1')) !==
      undefined
    const sql = 'UPDATE collections SET dimensions = ? WHERE embedder_id = ? AND dimensions IS NULL'
    if (isMissing) await this.#catalog.run(sql, dimensions, embedderId)
  }

  async touch(id: string): Promise<boolean> {
    return (await this.#catalog.run(TOUCH_SQL, Date.now(), id)) > 0
  }

  async #insert(inside: Statements, input: NewCollection): Promise<Collection> {
    const id = createId('vs_')
    const now = Date.now()
    await inside.run(
      'INSERT INTO collections VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, NULL)',
      id,
      input.name,
      input.embedderId,
      input.chunking.tokens,
      input.chunking.overlap,
      input.hidden ? 1 : 0,
      JSON.stringify(input.metadata ?? {}),
      now,
      now,
      input.idleDays ?? null,
      input.engine === 'weaviate' ? createTableId(id, input.engine) : id,
      input.dimensions,
    )
    return (await this.findById(id, inside))!
  }
}

/** Returns false if it was used after it was read. */
export async function isUnusedSince(
  inside: Statements,
  { id, usedAt }: Collection,
): Promise<boolean> {
  const sql = 'SELECT 1 FROM collections WHERE id = ? AND used_at = ?'
  return (await inside.get(sql, id, usedAt)) !== undefined
}

/** Call it inside the transaction that publishes or removes something. */
export async function raiseEpoch(catalog: Statements, id: string): Promise<void> {
  await catalog.run(
    'UPDATE collections SET epoch = epoch + 1, used_at = ? WHERE id = ?',
    Date.now(),
    id,
  )
}

function fromRow(row: Row): Collection {
  return {
    id: row.id,
    name: row.name,
    embedderId: row.embedder_id,
    dimensions: row.dimensions ?? 0,
    tableId: row.table_id ?? row.id,
    chunking: { tokens: row.chunk_tokens, overlap: row.overlap },
    hidden: row.hidden === 1,
    epoch: row.epoch,
    metadata: parseOwnJson<Record<string, string>>(row.metadata),
    createdAt: row.created_at,
    usedAt: row.used_at,
    ...(row.idle_days !== null && { idleDays: row.idle_days }),
  }
}
