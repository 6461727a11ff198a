import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { WeaviateClient } from './weaviate-client.ts'

const OBJECT_FORM = 'object1'

/** Windows are objects of another tenant, because only chunks count in BM25. */
export type WeaviateTable = {
  readonly className: string
  readonly chunks: string
  readonly windows: string
}

type WeaviateTablesOptions = {
  /** Name of the store in a Weaviate that stores share. */
  readonly storeId: string
  readonly analyzerId: string
  /** Analyzer of older tables that stay current. */
  readonly earlierAnalyzerId?: string | undefined
  /** Copies of each object. */
  readonly replicas: number
}

const schemaSchema = z.object({ classes: z.array(z.object({ class: z.string() })).nullish() })
const tenantsSchema = z.array(z.object({ name: z.string() }))

/** Uses a class per store and analyzer, a tenant per table. */
export class WeaviateTables {
  readonly client: WeaviateClient
  /** Names analyzer and form of objects. */
  readonly id: string
  readonly #replicas: number
  readonly #prefix: string
  readonly #className: string
  readonly #earlierClassName: string | undefined
  /** Existing tenants of that class. */
  readonly #made = new Set<string>()
  /** Readable older classes. */
  #older: Promise<readonly string[]> | undefined

  constructor(client: WeaviateClient, options: WeaviateTablesOptions) {
    const { storeId, analyzerId, earlierAnalyzerId, replicas } = options
    this.client = client
    this.#replicas = replicas
    this.#prefix = `Passim_${storeId}_`
    this.id = `${toClassWord(analyzerId)}_${OBJECT_FORM}`
    this.#className = `${this.#prefix}${this.id}`
    this.#earlierClassName =
      earlierAnalyzerId && `${this.#prefix}${toClassWord(earlierAnalyzerId)}_${OBJECT_FORM}`
  }

  /** Returns the table to write; undefined before the first write. */
  async find(tableId: string): Promise<WeaviateTable | undefined> {
    for (const className of [this.#className, this.#earlierClassName]) {
      if (className === undefined) continue
      const table = toWeaviateTable(className, tableId)
      if (await this.#isThere(table.className, table.chunks)) return table
    }
    return undefined
  }

  async ensure(tableId: string): Promise<WeaviateTable> {
    const existing = await this.find(tableId)
    if (existing) return existing
    const table = toWeaviateTable(this.#className, tableId)
    await this.#make(table.className, table.chunks)
    return table
  }

  isEarlier({ className }: WeaviateTable): boolean {
    return className === this.#earlierClassName
  }

  async ensureWindows({ className, windows }: WeaviateTable): Promise<void> {
    await this.#make(className, windows)
  }

  async hasWindows({ className, windows }: WeaviateTable): Promise<boolean> {
    return await this.#isThere(className, windows)
  }

  /** Returns the table to read, the older one during a rewrite. */
  async findReadable(tableId: string): Promise<WeaviateTable | undefined> {
    const current = await this.find(tableId)
    this.#older ??= this.#listOlderClasses()
    for (const className of await this.#older) {
      if (className === current?.className || !className.endsWith(`_${OBJECT_FORM}`)) continue
      const older = toWeaviateTable(className, tableId)
      if (await this.#isThere(className, older.chunks)) return older
    }
    return current
  }

  async isComplete(tableId: string): Promise<boolean> {
    const current = await this.find(tableId)
    if (!current) return false
    for (const className of await this.#listOlderClasses()) {
      if (className === current.className) continue
      if (await this.#isThere(className, toWeaviateTable(className, tableId).chunks)) return false
    }
    return true
  }

  async dropOlder(tableId: string): Promise<void> {
    const current = await this.find(tableId)
    for (const className of await this.#listOlderClasses())
      if (className !== current?.className) await this.#dropTenant(className, tableId)
    this.#older = undefined
  }

  async drop(tableId: string): Promise<void> {
    for (const className of await this.#listClasses()) await this.#dropTenant(className, tableId)
    this.forget(tableId)
  }

  forget(tableId: string): void {
    this.#forgetTenants(tableId)
    this.#older = undefined
  }

  async listIds(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>()
    for (const className of await this.#listClasses()) {
      for (const name of await this.#listTenants(className)) if (!isOfWindows(name)) ids.add(name)
    }
    return ids
  }

  async #listTenants(className: string): Promise<readonly string[]> {
    const { json } = await this.client.send({ method: 'GET', path: `schema/${className}/tenants` })
    return tenantsSchema.parse(json).map(({ name }) => name)
  }

  async #listClasses(): Promise<readonly string[]> {
    const { json } = await this.client.send({ method: 'GET', path: 'schema' })
    const names = (schemaSchema.parse(json).classes ?? []).map(entry => entry.class)
    return names.filter(name => name.startsWith(this.#prefix))
  }

  async #listOlderClasses(): Promise<readonly string[]> {
    return (await this.#listClasses()).filter(name => name !== this.#className)
  }

  async #isThere(className: string, tenant: string): Promise<boolean> {
    const isCurrent = className === this.#className || className === this.#earlierClassName
    if (isCurrent && this.#made.has(`${className}/${tenant}`)) return true
    const expected = [404, 422]
    const { status } = await this.client.send({
      method: 'HEAD',
      path: `schema/${className}/tenants/${tenant}`,
      expected,
    })
    if (isCurrent && status === 200) this.#made.add(`${className}/${tenant}`)
    return status === 200
  }

  /** Idempotent. */
  async #make(className: string, tenant: string): Promise<void> {
    if (await this.#isThere(className, tenant)) return
    const { status } = await this.client.send({
      method: 'GET',
      path: `schema/${className}`,
      expected: [404],
    })
    if (status === 404) await this.#makeClass(className)
    const body = [{ name: tenant }]
    await this.client.send({ method: 'POST', path: `schema/${className}/tenants`, body })
    this.#made.add(`${className}/${tenant}`)
  }

  /** Accepts 422: another process created it meanwhile. */
  async #makeClass(className: string): Promise<void> {
    const body = buildClass(className, this.#replicas)
    const { status, json } = await this.client.send({
      method: 'POST',
      path: 'schema',
      body,
      expected: [422],
    })
    if (status !== 422 || /already exists/.test(JSON.stringify(json))) return
    const message = localizable`${this.client.name} takes no class of Passim's: ${JSON.stringify(json)}. It must be version 1.35 or later.`
    throw new AppError('store_mismatch', message, { subject: 'store' })
  }

  async #dropTenant(className: string, tableId: string): Promise<void> {
    const { chunks, windows } = toWeaviateTable(className, tableId)
    const path = `schema/${className}/tenants`
    await this.client.send({
      method: 'DELETE',
      path,
      body: [chunks, windows],
      expected: [404, 422],
    })
    this.#forgetTenants(tableId)
  }

  #forgetTenants(tableId: string): void {
    for (const className of [this.#className, this.#earlierClassName]) {
      if (className === undefined) continue
      const { chunks, windows } = toWeaviateTable(className, tableId)
      for (const tenant of [chunks, windows]) this.#made.delete(`${className}/${tenant}`)
    }
  }
}

const OF_WINDOWS = '-w'

function isOfWindows(tenant: string): boolean {
  return tenant.endsWith(OF_WINDOWS)
}

function toWeaviateTable(className: string, tableId: string): WeaviateTable {
  if (!/^[\w-]{1,62}$/.test(tableId) || isOfWindows(tableId)) {
    throw new AppError(
      'corrupt',
      localizable`The catalog names a table ${JSON.stringify(tableId)}, which is not an id.`,
    )
  }
  return { className, chunks: tableId, windows: `${tableId}${OF_WINDOWS}` }
}

function toClassWord(text: string): string {
  return text.replace(/\W/g, '')
}

/** Leaves prepared terms as they are. Vectors compare by dot product. */
function buildClass(name: string, replicas: number): object {
  const none = { indexFilterable: false, indexSearchable: false }
  const text = (name: string, indexes: object) => ({
    name,
    dataType: ['text'],
    ...none,
    ...indexes,
  })
  const createIntegerProperty = (name: string, indexes: object) => ({
    name,
    dataType: ['int'],
    ...none,
    ...indexes,
  })
  return {
    class: name,
    vectorizer: 'none',
    vectorIndexType: 'hnsw',
    vectorIndexConfig: { distance: 'dot' },
    multiTenancyConfig: { enabled: true, autoTenantActivation: true },
    replicationConfig: {
      factor: replicas,
      asyncEnabled: replicas > 1,
      ...(replicas > 1 && { deletionStrategy: 'TimeBasedResolution' }),
    },
    invertedIndexConfig: { bm25: { k1: 1.2, b: 0.75 }, stopwords: { preset: 'none' } },
    properties: [
      text('terms', { tokenization: 'whitespace', indexSearchable: true }),
      text('details', { tokenization: 'field' }),
      text('language', { tokenization: 'field', indexFilterable: true }),
      text('chunk', { tokenization: 'field', indexFilterable: true }),
      createIntegerProperty('version', { indexFilterable: true, indexRangeFilters: true }),
      createIntegerProperty('ordinal', { indexRangeFilters: true }),
      createIntegerProperty('pageFirst', { indexRangeFilters: true }),
      createIntegerProperty('pageLast', { indexRangeFilters: true }),
      createIntegerProperty('draw', { indexRangeFilters: true }),
    ],
  }
}
