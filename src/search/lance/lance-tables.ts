import {
  type Connection,
  type ConnectionOptions,
  connect,
  Index,
  type Table,
} from '@lancedb/lancedb'
import { AppError } from '../../errors.ts'
import { IndexCache } from './index-cache.ts'
import type { TablePlace } from './table-place.ts'

/** Version of the row form: changes with the columns below. */
export const ROW_FORM = 'row@5'

/** Columns of every readable table; `rowSchema` has their types. */
export const COLUMNS = [
  'version',
  'ordinal',
  'chunk_id',
  'page_first',
  'page_last',
  'details',
  'terms',
  'window',
  'vector',
] as const

/** How the names of tables end whose rows can be read: these, and those that had a column for the language of their vectors. */
const READABLE = [ROW_FORM, 'row@4'].map(form => `-${form.replace('@', '')}`)

/** Rows that are chunks: all but the further windows of one. */
export const IS_CHUNK = '(`window` IS NULL OR `window` = 0)'

/** LanceDB's name for the index of column `vector`. */
export const VECTOR_INDEX = 'vector_idx'

/** LanceDB's name for the index of column `version`. */
export const VERSION_INDEX = 'version_idx'

/** LanceDB's name for the index of column `terms`. */
export const FULL_TEXT_INDEX = 'terms_idx'

/**
 * Terms are ready made, one blank between two: LanceDB must not touch them. Without their positions the index is built
 * for a quarter less CPU: phrases are looked for in the texts of candidates.
 */
const FULL_TEXT = {
  baseTokenizer: 'whitespace',
  stem: false,
  removeStopWords: false,
  lowercase: false,
  asciiFolding: false,
  withPosition: false,
  maxTokenLength: 1000,
} as const

/** The LanceDB tables of a store: one for each table of the catalog, named after it and the index's id. */
export class LanceTables {
  readonly place: TablePlace
  readonly cache: IndexCache
  readonly #suffix: string
  /** Open tables by name. */
  readonly #open = new Map<string, Promise<Table>>()
  /** The name of the table that is read, by the id it is named after. */
  readonly #read = new Map<string, string>()
  /** The session goes here: a third argument of `connect` for it is there, and not looked at (0.37.1). */
  readonly #options: Partial<ConnectionOptions>
  #connection: Promise<Connection> | undefined
  #snapshots: Promise<Connection> | undefined

  /** `suffix` names the analyzer and row form: another one, another table. */
  constructor(place: TablePlace, suffix: string, cache = new IndexCache()) {
    this.place = place
    this.cache = cache
    this.#options = { session: cache.session, storageOptions: { ...place.storageOptions } }
    this.#suffix = suffix
  }

  /** The table to write to; undefined while nothing was ever written. */
  async find(tableId: string): Promise<Table | undefined> {
    const name = this.#name(tableId)
    if (this.#open.has(name)) return await this.#open.get(name)
    const isThere = (await this.#listed(tableId)).includes(name)
    return isThere ? await this.#openTable(name) : undefined
  }

  async ensure(tableId: string, dimensions: number): Promise<Table> {
    const known = await this.find(tableId)
    if (known) return known
    const name = this.#name(tableId)
    const { buildRowSchema: rowSchema } = await import('./row-batch.ts') // writers only: Arrow takes a tenth of a second to load
    await this.place.removeHalfMade(name)
    return await this.#remember(name, async connection => {
      const table = await connection.createEmptyTable(name, rowSchema(dimensions))
      await table.createIndex('terms', { config: Index.fts(FULL_TEXT) })
      return table
    })
  }

  /**
   * The table to read. While its rows are written again, because terms are made otherwise now, that is the older one:
   * it is dropped when the new one is whole. One with rows of another form cannot be read: undefined until then.
   */
  async readable(tableId: string): Promise<Table | undefined> {
    const known = this.#read.get(tableId)
    if (known && this.#open.has(known)) return await this.#open.get(known)
    const names = await this.#listed(tableId)
    const older = names.filter(name => this.#isOlder(tableId, name))
    const own = names.find(name => name === this.#name(tableId))
    const name =
      older.length > 0 ? older.find(name => READABLE.some(form => name.endsWith(form))) : own
    if (!name) return undefined
    this.#read.set(tableId, name)
    return await this.#openTable(name)
  }

  /** The table as it is now: what is written later is not seen. Left to the garbage collector, for searches may use it. */
  async snapshot({ name }: Table): Promise<Table> {
    this.#snapshots ??= connect(this.place.uri, this.#options)
    return await (await this.#snapshots).openTable(name)
  }

  /** There is a table, and none that it is still to replace. */
  async isWhole(tableId: string): Promise<boolean> {
    const names = await this.#listed(tableId)
    return names.includes(this.#name(tableId)) && !names.some(name => this.#isOlder(tableId, name))
  }

  async dropOlder(tableId: string): Promise<void> {
    await this.#drop(tableId, name => this.#isOlder(tableId, name))
    this.#read.delete(tableId)
  }

  /** What tables are named after. */
  async ids(): Promise<ReadonlySet<string>> {
    return new Set((await this.#listed()).map(name => name.slice(0, name.indexOf('.'))))
  }

  /** All tables, or those of an id, of whatever suffix; one whose making was killed before it had a version is none yet. */
  async #listed(tableId?: string): Promise<readonly string[]> {
    const names = await (await this.#connect()).tableNames({ limit: 1_000_000 })
    const meant =
      tableId === undefined ? names : names.filter(name => name.startsWith(`${tableId}.`))
    const made = await Promise.all(meant.map(name => this.place.wasMade(name)))
    return meant.filter((_, at) => made[at])
  }

  /** Drop every table of that id, also those that another analyzer wrote. */
  async drop(tableId: string): Promise<void> {
    await this.#drop(tableId)
    this.#read.delete(tableId)
  }

  /** Forget tables that another process dropped or made anew. */
  forget(tableId: string): void {
    this.#read.delete(tableId)
    for (const name of [...this.#open.keys()])
      if (name.startsWith(`${tableId}.`)) this.#open.delete(name)
  }

  async close(): Promise<void> {
    for (const table of this.#open.values()) (await table).close()
    this.#open.clear()
    for (const connection of [this.#connection, this.#snapshots]) (await connection)?.close()
  }

  /** Throws `corrupt` for what names no table: it becomes the name of a folder, and a catalog may come from anybody. */
  #name(tableId: string): string {
    if (!/^[\w-]{1,128}$/.test(tableId)) {
      throw new AppError(
        'corrupt',
        `The catalog names a table ${JSON.stringify(tableId)}, which is no id.`,
      )
    }
    return `${tableId}.${this.#suffix}`
  }

  #isOlder(tableId: string, name: string): boolean {
    return name.startsWith(`${tableId}.`) && name !== this.#name(tableId)
  }

  async #drop(tableId: string, isMeant: (name: string) => boolean = () => true): Promise<void> {
    const connection = await this.#connect()
    for (const name of (await this.#listed(tableId)).filter(isMeant)) {
      this.#open.delete(name)
      await connection.dropTable(name)
    }
  }

  async #openTable(name: string): Promise<Table> {
    return await this.#remember(name, connection => connection.openTable(name))
  }

  async #remember(name: string, open: (connection: Connection) => Promise<Table>): Promise<Table> {
    const known = this.#open.get(name)
    if (known) return await known
    const table = this.#connect().then(open)
    this.#open.set(name, table)
    table.catch(() => this.#open.delete(name))
    return await table
  }

  /** `readConsistencyInterval: 0`: what other processes write is seen by the next query. */
  #connect(): Promise<Connection> {
    this.#connection ??= this.place
      .prepare()
      .then(() => connect(this.place.uri, { ...this.#options, readConsistencyInterval: 0 }))
    return this.#connection
  }
}
