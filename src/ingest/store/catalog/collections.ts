import { newId } from '../../../system/digest.ts'
import type { Chunking } from '../../chunk/chunker.ts'
import type { Statements, Tables } from '../catalog.ts'
import type { IndexTable } from '../chunk-index.ts'

/** What an index lies in. */
export const INDEX_ENGINES = ['lance', 'weaviate'] as const
export type IndexEngine = (typeof INDEX_ENGINES)[number]

/** Stands for an embedder where only keywords are indexed. */
export const NO_EMBEDDER = 'none'

/** A named set of documents with one embedder and a default chunking. */
export type Collection = {
  readonly id: string
  readonly name: string
  readonly embedderId: string
  /** Length of its vectors; 0 without. */
  readonly dimensions: number
  /** Its table in the index. */
  readonly tableId: string
  readonly chunking: Chunking
  /** Made for the files of one question: kept out of every list. */
  readonly hidden: boolean
  /** Moves with every publication and removal, so that a reader can tell that something changed meanwhile. */
  readonly epoch: number
  readonly metadata: Readonly<Record<string, string>>
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly usedAt: number
  /** It expires so many days after its last use; never when absent. */
  readonly idleDays?: number
}

/** How the names of tables go on that lie in Weaviate: so a table says itself where it lies, and moves by being another. */
const IN_WEAVIATE = 'weaviate_'

/** Names another table of a collection. */
export function newTableId(collectionId: string, engine: IndexEngine = 'lance'): string {
  return `${collectionId}-${newId(engine === 'weaviate' ? IN_WEAVIATE : '')}`
}

/** Where a table lies. */
export function engineOf(tableId: string): IndexEngine {
  return tableId.includes(`-${IN_WEAVIATE}`) ? 'weaviate' : 'lance'
}

/** The same of a column of table ids, in SQL. */
export function engineIn(column: string): string {
  return `CASE WHEN ${column} LIKE '%-${IN_WEAVIATE}%' THEN 'weaviate' ELSE 'lance' END`
}

/** As the index has it. */
export function tableOf({
  tableId: id,
  dimensions,
  name,
}: Pick<Collection, 'tableId' | 'dimensions' | 'name'>): IndexTable {
  return { id, dimensions, collection: name }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Unix milliseconds. */
export function expiryOf({ usedAt, idleDays }: Collection): number | undefined {
  return idleDays === undefined ? undefined : usedAt + idleDays * DAY_MS
}

export function isExpired(collection: Collection): boolean {
  return (expiryOf(collection) ?? Number.POSITIVE_INFINITY) <= Date.now()
}

/** The model of a collection's vectors. */
export type EmbeddedBy = { readonly embedderId: string; readonly dimensions: number }

type NewCollection = Pick<Collection, 'name' | 'chunking'> &
  EmbeddedBy &
  Partial<Pick<Collection, 'hidden' | 'metadata'>> & {
    readonly idleDays?: number | undefined
    /** What its index lies in. */
    readonly engine?: IndexEngine | undefined
  }

export type CollectionChanges = {
  readonly name?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Null keeps it for ever. */
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

/** The collections of a store. */
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
    /** A collection that is embedded anew gets another table; one from before this has the table of its own id. */
    7: [
      'ALTER TABLE collections ADD COLUMN table_id TEXT',
      'ALTER TABLE collections ADD COLUMN dimensions INTEGER',
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** A new one, even where the name is taken: on OpenAI's wire names need not differ. */
  async create(input: NewCollection): Promise<Collection> {
    return await this.#catalog.transaction(async inside => await this.#insert(inside, input))
  }

  /** The collection of that name, made if it is not there. */
  async ensure(input: NewCollection): Promise<Collection> {
    return await this.#catalog.transaction(
      async inside =>
        (await this.#oldest(inside, input.name)) ?? (await this.#insert(inside, input)),
    )
  }

  /** What `ensure` would make, without making it. */
  planned(input: NewCollection): Collection {
    const { hidden = false, metadata = {}, idleDays, ...settings } = input
    const now = Date.now()
    const expiry = idleDays === undefined ? {} : { idleDays }
    return {
      id: '',
      tableId: '',
      hidden,
      metadata,
      ...expiry,
      ...settings,
      epoch: 0,
      createdAt: now,
      usedAt: now,
    }
  }

  /** The oldest of that name. */
  async byName(name: string): Promise<Collection | undefined> {
    return await this.#oldest(this.#catalog, name)
  }

  async byId(id: string): Promise<Collection | undefined> {
    return await this.#find(this.#catalog, id)
  }

  /** Those that a user made, by name. */
  async list(): Promise<readonly Collection[]> {
    return (
      await this.#catalog.all<Row>('SELECT * FROM collections WHERE hidden = 0 ORDER BY name')
    ).map(fromRow)
  }

  async all(): Promise<readonly Collection[]> {
    return (await this.#catalog.all<Row>('SELECT * FROM collections ORDER BY name')).map(fromRow)
  }

  /** What is not named stays as it is. Gives undefined where there is no such collection any more. */
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
      return await this.#find(inside, id)
    })
  }

  /** Of collections that an older program made. */
  async noteDimensions({ embedderId, dimensions }: EmbeddedBy): Promise<void> {
    const isMissing =
      (await this.#catalog.get('SELECT 1 FROM collections WHERE dimensions IS NULL LIMIT 1')) !==
      undefined
    const sql = 'UPDATE collections SET dimensions = ? WHERE embedder_id = ? AND dimensions IS NULL'
    if (isMissing) await this.#catalog.run(sql, dimensions, embedderId)
  }

  /** It is in use, though nothing in it changes. */
  async touch(id: string): Promise<void> {
    await this.#catalog.run('UPDATE collections SET used_at = ? WHERE id = ?', Date.now(), id)
  }

  async #oldest(inside: Statements, name: string): Promise<Collection | undefined> {
    const row = await inside.get<Row>(
      'SELECT * FROM collections WHERE name = ? ORDER BY created_at, id LIMIT 1',
      name,
    )
    return row && fromRow(row)
  }

  async #find(inside: Statements, id: string): Promise<Collection | undefined> {
    const row = await inside.get<Row>('SELECT * FROM collections WHERE id = ?', id)
    return row && fromRow(row)
  }

  async #insert(inside: Statements, input: NewCollection): Promise<Collection> {
    const id = newId('vs_')
    const now = Date.now()
    await inside.run(
      'INSERT INTO collections VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)',
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
      input.engine === 'weaviate' ? newTableId(id, input.engine) : id,
      input.dimensions,
    )
    return (await this.#find(inside, id))! // just inserted, inside the same transaction
  }
}

/** Something was published or removed: move the epoch, inside the transaction that did it. */
export async function advanceCollection(catalog: Statements, id: string): Promise<void> {
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
    metadata: JSON.parse(row.metadata) as Record<string, string>, // written by this class only
    createdAt: row.created_at,
    usedAt: row.used_at,
    ...(row.idle_days !== null && { idleDays: row.idle_days }),
  }
}
