import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb'
import { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from 'apache-arrow'
import { liftedDimensions } from './lifted-vector.ts'

/** Bounds of LanceDB's caches for all tables of a store. */
const INDEX_CACHE_BYTES = 256 * 1024 * 1024
const METADATA_CACHE_BYTES = 64 * 1024 * 1024

/** Version of the row form: changes with the columns below. */
export const ROW_FORM = 'row@2'

/** LanceDB's name for the index of column `terms`. */
export const FULL_TEXT_INDEX = 'terms_idx'

/** Terms are ready made, one blank between two: LanceDB must not touch them. */
const FULL_TEXT = {
  baseTokenizer: 'whitespace',
  stem: false,
  removeStopWords: false,
  lowercase: false,
  asciiFolding: false,
  withPosition: true,
  maxTokenLength: 1000,
} as const

/** Columns of a chunk row; `dimensions` 32-bit floats a vector and its language's mark, absent where only keywords are indexed. */
export function rowSchema(dimensions: number): Schema {
  const text = (name: string) => new Field(name, new Utf8(), false)
  const integer = (name: string, isNullable = false) => new Field(name, new Int32(), isNullable)
  return new Schema([
    text('key'),
    integer('version'),
    integer('ordinal'),
    text('chunk_id'),
    integer('char_start'),
    integer('char_end'),
    integer('page_first', true),
    integer('page_last', true),
    integer('tokens'),
    text('language'),
    text('headings'),
    text('context'),
    text('terms'),
    new Field('vector', new FixedSizeList(liftedDimensions(dimensions), new Field('item', new Float32(), true)), true),
  ])
}

/** The LanceDB tables of a store: one per collection, named after it and the index's id. */
export class LanceTables {
  readonly #folder: string
  readonly #suffix: string
  readonly #open = new Map<string, Promise<Table>>()
  readonly #session = new Session(BigInt(INDEX_CACHE_BYTES), BigInt(METADATA_CACHE_BYTES))
  #connection: Promise<Connection> | undefined
  #snapshots: Promise<Connection> | undefined

  /** `suffix` names the analyzer and row form: another one, another table. */
  constructor(home: string, suffix: string) {
    this.#folder = path.join(home, 'index')
    this.#suffix = suffix
  }

  /** Undefined while nothing was ever written. */
  async find(collectionId: string): Promise<Table | undefined> {
    const known = this.#open.get(collectionId)
    if (known) return await known
    if (!(await this.exists(collectionId))) return undefined
    return await this.#remember(collectionId, async connection => connection.openTable(this.#name(collectionId)))
  }

  async ensure(collectionId: string, dimensions: number): Promise<Table> {
    const known = await this.find(collectionId)
    if (known) return known
    return await this.#remember(collectionId, async connection => {
      const table = await connection.createEmptyTable(this.#name(collectionId), rowSchema(dimensions))
      await table.createIndex('terms', { config: Index.fts(FULL_TEXT) })
      return table
    })
  }

  /** The table as it is now: what is written later is not seen. Left to the garbage collector, for searches may use it. */
  async snapshot(collectionId: string): Promise<Table> {
    this.#snapshots ??= connect(this.#folder, {}, this.#session)
    return await (await this.#snapshots).openTable(this.#name(collectionId))
  }

  async exists(collectionId: string): Promise<boolean> {
    return (await this.names()).includes(this.#name(collectionId))
  }

  /** Tables of all collections, of whatever suffix. */
  async names(): Promise<readonly string[]> {
    return await (await this.#connect()).tableNames({ limit: 1_000_000 })
  }

  /** Drop every table of the collection, also those that another analyzer wrote. */
  async drop(collectionId: string): Promise<void> {
    this.#open.delete(collectionId)
    const connection = await this.#connect()
    for (const name of await this.names()) if (name.startsWith(collectionId)) await connection.dropTable(name)
  }

  /** Forget a table that another process dropped or made anew. */
  forget(collectionId: string): void {
    this.#open.delete(collectionId)
  }

  async close(): Promise<void> {
    for (const table of this.#open.values()) (await table).close()
    this.#open.clear()
    for (const connection of [this.#connection, this.#snapshots]) (await connection)?.close()
  }

  #name(collectionId: string): string {
    return `${collectionId}.${this.#suffix}`
  }

  async #remember(collectionId: string, open: (connection: Connection) => Promise<Table>): Promise<Table> {
    const table = this.#connect().then(open)
    this.#open.set(collectionId, table)
    table.catch(() => this.#open.delete(collectionId))
    return await table
  }

  /** `readConsistencyInterval: 0`: what other processes write is seen by the next query. */
  #connect(): Promise<Connection> {
    this.#connection ??= mkdir(this.#folder, { recursive: true }).then(() =>
      connect(this.#folder, { readConsistencyInterval: 0 }, this.#session),
    )
    return this.#connection
  }
}
