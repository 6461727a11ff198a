import {
  type Connection,
  type ConnectionOptions,
  connect,
  Index,
  type Table,
} from '@lancedb/lancedb'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { IndexCache } from './index-cache.ts'
import type { TablePlace } from './table-place.ts'

export const ROW_FORM = 'row@5'

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

/** Readable row forms; `row@4` lacks the language of vectors. */
const READABLE = [ROW_FORM, 'row@4'].map(form => `-${form.replace('@', '')}`)

/** Excludes further windows of a long chunk. */
export const IS_CHUNK = '(`window` IS NULL OR `window` = 0)'

export const VECTOR_INDEX = 'vector_idx'

export const VERSION_INDEX = 'version_idx'

export const FULL_TEXT_INDEX = 'terms_idx'

/**
 * Leaves prepared terms as they are. Without positions indexing takes a quarter less CPU; texts
 * are checked for phrases.
 */
export const FULL_TEXT = {
  baseTokenizer: 'whitespace',
  stem: false,
  removeStopWords: false,
  lowercase: false,
  asciiFolding: false,
  withPosition: false,
  maxTokenLength: 1000,
} as const

/** Tables are named after table id and index id. */
export class LanceTables {
  readonly place: TablePlace
  readonly cache: IndexCache
  readonly #suffix: string
  readonly #earlierSuffix: string | undefined
  readonly #open = new Map<string, Promise<Table>>()
  readonly #read = new Map<string, string>()
  /** The session belongs here: `connect` ignores its third argument (0.37.1). */
  readonly #options: Partial<ConnectionOptions>
  #connection: Promise<Connection> | undefined
  #snapshots: Promise<Connection> | undefined

  /** Suffixes name analyzer and row form: of new tables, and of older current ones. */
  constructor(place: TablePlace, suffix: string, cache = new IndexCache(), earlierSuffix?: string) {
    this.place = place
    this.cache = cache
    this.#options = { session: cache.session, storageOptions: { ...place.storageOptions } }
    this.#suffix = suffix
    this.#earlierSuffix = earlierSuffix
  }

  /** Returns the table to write; undefined before the first write. */
  async find(tableId: string): Promise<Table | undefined> {
    for (const name of this.#listCurrentNames(tableId)) {
      if (this.#open.has(name)) return await this.#open.get(name)
    }
    const names = await this.#listNames(tableId)
    const current = this.#listCurrentNames(tableId).find(name => names.includes(name))
    return current === undefined ? undefined : await this.#openTable(current)
  }

  isEarlier({ name }: Table): boolean {
    return this.#earlierSuffix !== undefined && name.endsWith(`.${this.#earlierSuffix}`)
  }

  async ensure(tableId: string, dimensions: number): Promise<Table> {
    const { buildRowSchema: rowSchema } = await import('./row-batch.ts') // only for writers: Arrow takes a tenth of a second
    return await this.#ensure(tableId, async () => rowSchema(dimensions))
  }

  async ensureLike(tableId: string, table: Table): Promise<Table> {
    return await this.#ensure(tableId, async () => await table.schema())
  }

  async #ensure(tableId: string, readSchema: () => ReturnType<Table['schema']>): Promise<Table> {
    const existing = await this.find(tableId)
    if (existing) return existing
    const name = this.#name(tableId)
    await this.place.removeHalfMade(name)
    return await this.#cacheTable(name, async connection => {
      const table = await connection.createEmptyTable(name, await readSchema())
      await table.createIndex('terms', { config: Index.fts(FULL_TEXT) })
      return table
    })
  }

  /** Returns the older table during a rewrite; undefined if its row form is unreadable. */
  async findReadable(tableId: string): Promise<Table | undefined> {
    const cached = this.#read.get(tableId)
    if (cached && this.#open.has(cached)) return await this.#open.get(cached)
    const { current, older } = this.#sortNames(tableId, await this.#listNames(tableId))
    const name =
      older.length > 0 ? older.find(name => READABLE.some(form => name.endsWith(form))) : current
    if (!name) return undefined
    this.#read.set(tableId, name)
    return await this.#openTable(name)
  }

  /** Pins the version. The garbage collector closes it, because searches may use it. */
  async openSnapshot({ name }: Table): Promise<Table> {
    this.#snapshots ??= connect(this.place.uri, this.#options)
    return await (await this.#snapshots).openTable(name)
  }

  async isComplete(tableId: string): Promise<boolean> {
    const { current, older } = this.#sortNames(tableId, await this.#listNames(tableId))
    return current !== undefined && older.length === 0
  }

  async dropOlder(tableId: string): Promise<void> {
    const { older } = this.#sortNames(tableId, await this.#listNames(tableId))
    await this.#drop(tableId, name => older.includes(name))
    this.#read.delete(tableId)
  }

  async listIds(): Promise<ReadonlySet<string>> {
    return new Set((await this.#listNames()).map(name => name.slice(0, name.indexOf('.'))))
  }

  /** Leaves out tables without a version, whose creation was killed. */
  async #listNames(tableId?: string): Promise<readonly string[]> {
    const names = await (await this.#connect()).tableNames({ limit: 1_000_000 })
    const meant =
      tableId === undefined ? names : names.filter(name => name.startsWith(`${tableId}.`))
    const made = await Promise.all(meant.map(name => this.place.wasMade(name)))
    return meant.filter((_, index) => made[index])
  }

  async drop(tableId: string): Promise<void> {
    await this.#drop(tableId)
    this.#read.delete(tableId)
  }

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

  /** Throws `corrupt` for an invalid id, which would name a folder. */
  #name(tableId: string): string {
    if (!/^[\w-]{1,128}$/.test(tableId)) {
      throw new AppError(
        'corrupt',
        localizable`The catalog names a table ${JSON.stringify(tableId)}, which is not an id.`,
      )
    }
    return `${tableId}.${this.#suffix}`
  }

  #listCurrentNames(tableId: string): readonly string[] {
    const earlier = this.#earlierSuffix
    return [this.#name(tableId), ...(earlier ? [`${tableId}.${earlier}`] : [])]
  }

  #sortNames(tableId: string, names: readonly string[]) {
    const current = this.#listCurrentNames(tableId).find(name => names.includes(name))
    return { current, older: names.filter(name => name !== current) }
  }

  async #drop(tableId: string, isMeant: (name: string) => boolean = () => true): Promise<void> {
    const connection = await this.#connect()
    for (const name of (await this.#listNames(tableId)).filter(isMeant)) {
      this.#open.delete(name)
      await connection.dropTable(name)
    }
  }

  async #openTable(name: string): Promise<Table> {
    return await this.#cacheTable(name, connection => connection.openTable(name))
  }

  async #cacheTable(
    name: string,
    open: (connection: Connection) => Promise<Table>,
  ): Promise<Table> {
    const cached = this.#open.get(name)
    if (cached) return await cached
    const table = this.#connect().then(open)
    this.#open.set(name, table)
    table.catch(() => this.#open.delete(name))
    return await table
  }

  /** Uses interval 0 to see other processes' writes at once. */
  #connect(): Promise<Connection> {
    this.#connection ??= this.place
      .prepare()
      .then(() => connect(this.place.uri, { ...this.#options, readConsistencyInterval: 0 }))
    return this.#connection
  }
}
