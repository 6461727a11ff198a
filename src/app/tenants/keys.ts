import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import {
  type Catalog,
  combineFormats,
  type Statements,
  type Tables,
} from '../../ingest/store/catalog.ts'
import { SqliteCatalog } from '../../ingest/store/catalogs/sqlite.ts'
import { makeFolder } from '../../system/disk.ts'
import { parseOwnJson } from '../../system/own-json.ts'
import type { Access } from '../documents/visible-documents.ts'
import { requireNotMigrated, TAKING_OVER } from '../stores/store.ts'
import { KeyWatch } from './key-watch.ts'
import { MemoryRates, type Rates, SharedRates } from './rates.ts'
import { SharedLinks } from './shared-links.ts'
import { StoredAnswers } from './stored-answers.ts'

const keyTables: Tables = {
  1: [
    `CREATE TABLE keys (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, tenant TEXT NOT NULL, scope TEXT NOT NULL, hash TEXT NOT NULL,
    created_at INTEGER NOT NULL, revoked_at INTEGER
  ) WITHOUT ROWID`,
  ],
  2: ['ALTER TABLE keys ADD COLUMN last_used_at INTEGER'],
  5: ['ALTER TABLE keys ADD COLUMN access TEXT'],
}

export const KEY_FORMATS = combineFormats([
  keyTables,
  SharedRates.tables,
  StoredAnswers.tables,
  SharedLinks.tables,
])

export const KEYS_FILE = 'server.db'

type KeysPlace = Pick<Settings, 'home'> & Partial<Pick<Settings, 'catalog'>>

/** Interval between recorded uses, so that requests do not wait for the disk. */
const USE_MS = 60_000

/** Each scope includes the ones before. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Tenant of the command line: its store is the home itself. */
export const DEFAULT_TENANT = 'default'

/** Allows lower-case letters, digits and hyphens, because it names a folder. */
export function isTenantName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(name)
}

/** Access of a user to a tenant. The secret is shown once. */
export type Key = Access & {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly scope: Scope
  readonly createdAt: number
  /** Accurate to a minute; absent before the first use. */
  readonly lastUsedAt?: number
  readonly revokedAt?: number
  /** Set for a signed token only. */
  readonly expiresAt?: number
}

type KeyRequest = Pick<Key, 'name' | 'tenant' | 'scope' | 'collections' | 'filter'>

type NewKey = { readonly key: Key; readonly token: string }

type Row = {
  id: string
  name: string
  tenant: string
  scope: Scope
  hash: string
  created_at: number
  revoked_at: number | null
  last_used_at: number | null
  access: string | null
}

/** `passim_<id>_<secret>`; the id finds the key. */
const TOKEN = /^passim_([0-9a-f]{12})_([\w-]{43})$/

/** Explains the refusal: losing the keys would open the service. */
function createUnmigratedError(file: string): AppError {
  const message = localizable`The keys in ${file} are not in the database yet.`
  const advice = 'To move them there, run passim migrate.'
  return new AppError('store_mismatch', message, { subject: 'store', advice })
}

export function getKeysPlace({ url, schema }: { readonly url: string; readonly schema: string }) {
  return { url, schema: `${schema}_keys` }
}

/** Compared for unknown keys, so that both cases take the same time. */
const NOBODY = hashToken('nobody')

/** Keys in a small database. Secrets have 256 random bits, so a plain hash is safe. */
export class Keys {
  readonly #catalog: Catalog
  #isRequired = false
  readonly #areShared: boolean
  readonly #watch: KeyWatch

  private constructor(catalog: Catalog, areShared: boolean) {
    this.#catalog = catalog
    this.#areShared = areShared
    this.#watch = new KeyWatch(catalog)
  }

  static async open({ home, catalog }: KeysPlace): Promise<Keys> {
    const file = path.join(home, KEYS_FILE)
    if (catalog?.url !== undefined) {
      if ([file, `${file}${TAKING_OVER}`].some(existsSync)) throw createUnmigratedError(file)
      const { PostgresCatalog } = await import('../../ingest/store/catalogs/postgres.ts')
      return new Keys(
        await PostgresCatalog.open(getKeysPlace({ ...catalog, url: catalog.url }), KEY_FORMATS),
        true,
      )
    }
    requireNotMigrated(file)
    await makeFolder(home, 0o700)
    return new Keys(await SqliteCatalog.open(file, KEY_FORMATS), false)
  }

  openRates(perMinute: number): Rates {
    return this.#areShared ? new SharedRates(this.#catalog, perMinute) : new MemoryRates(perMinute)
  }

  openAnswers(): StoredAnswers {
    return new StoredAnswers(this.#catalog)
  }

  openLinks(maxDays: number): SharedLinks {
    return new SharedLinks(this.#catalog, maxDays)
  }

  /** True once a key has existed: revoking the last one must not open the service. */
  async isRequired(): Promise<boolean> {
    this.#isRequired ||= await hasKeys(this.#catalog)
    return this.#isRequired
  }

  async isAnyValid(): Promise<boolean> {
    const sql = 'SELECT EXISTS (SELECT 1 FROM keys WHERE revoked_at IS NULL) AS n'
    return (await this.#catalog.get<{ n: number }>(sql))?.n === 1
  }

  async create(key: KeyRequest): Promise<NewKey> {
    return await this.#catalog.transaction(async inside => await insertKey(inside, key))
  }

  /** The first key must be able to create others. Throws `conflict`. */
  async createRemotely(key: KeyRequest): Promise<NewKey> {
    return await this.#catalog.transaction(async inside => {
      if (!isOperatorKey(key) && !(await hasKeys(inside))) {
        const message = localizable`The first key must have the scope admin and the tenant ${DEFAULT_TENANT}: once it exists, every request needs a key, and only such a key can create others.`
        throw new AppError('conflict', message)
      }
      return await insertKey(inside, key)
    })
  }

  /** Newest first, with revoked ones. */
  async list(): Promise<readonly Key[]> {
    return (await this.#catalog.all<Row>('SELECT * FROM keys ORDER BY created_at DESC, id')).map(
      fromRow,
    )
  }

  /** Ends its work here at once, in other processes within a second. Throws `not_found`. */
  async revoke(id: string): Promise<Key> {
    const sql = 'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'
    const key = await this.#catalog.transaction(async inside => {
      await inside.run(sql, Date.now(), id)
      return await getKey(inside, id)
    })
    this.#watch.endWork(id)
    return key
  }

  /** Returns a function that unregisters `end`. */
  watchRevocation(id: string, end: (reason: AppError) => void): () => void {
    return this.#watch.watch(id, end)
  }

  /** Takes the same time for every invalid token. */
  async authenticate(token: string): Promise<Key | undefined> {
    const [, id = '', secret = ''] = TOKEN.exec(token) ?? []
    const row = await this.#catalog.get<Row>('SELECT * FROM keys WHERE id = ?', id)
    const isRight = timingSafeEqual(hashToken(secret), row ? Buffer.from(row.hash, 'hex') : NOBODY)
    if (!row || !isRight || row.revoked_at !== null) return undefined
    const now = Date.now()
    if (now - (row.last_used_at ?? 0) < USE_MS) return fromRow(row)
    await this.#noteUse(id, now)
    return fromRow({ ...row, last_used_at: now })
  }

  /** Ignores a full disk, which must not lock users out. */
  async #noteUse(id: string, now: number): Promise<void> {
    try {
      await this.#catalog.run('UPDATE keys SET last_used_at = ? WHERE id = ?', now, id)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'disk_full') throw error
    }
  }

  async find(id: string): Promise<Key | undefined> {
    const row = await this.#catalog.get<Row>('SELECT * FROM keys WHERE id = ?', id)
    return row && fromRow(row)
  }

  async isValid(id: string): Promise<boolean> {
    const key = await this.find(id)
    return key !== undefined && key.revokedAt === undefined
  }

  async close(): Promise<void> {
    await this.#watch.close()
    await this.#catalog.close()
  }
}

/** Throws `invalid_input` if the tenant's name is not valid, or a restricted key could write. */
async function insertKey(inside: Statements, request: KeyRequest): Promise<NewKey> {
  const { name, tenant, scope, collections, filter } = request
  if (!isTenantName(tenant)) {
    throw new AppError(
      'invalid_input',
      localizable`Tenant ${tenant}: use up to 63 small letters, digits and hyphens.`,
    )
  }
  if (isRestricted(request) && scope !== 'read') {
    const message = 'A key with collections or a filter can only read: give it the scope read.'
    throw new AppError('invalid_input', message)
  }
  const id = randomBytes(6).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  const hash = hashToken(secret).toString('hex')
  const access = isRestricted(request) ? JSON.stringify({ collections, filter }) : null
  const sql = `INSERT INTO keys (id, name, tenant, scope, hash, created_at, access) VALUES (?, ?, ?, ?, ?, ?, ?)`
  await inside.run(sql, id, name, tenant, scope, hash, Date.now(), access)
  return { key: await getKey(inside, id), token: `passim_${id}_${secret}` }
}

async function getKey(inside: Statements, id: string): Promise<Key> {
  const row = await inside.get<Row>('SELECT * FROM keys WHERE id = ?', id)
  if (row) return fromRow(row)
  throw new AppError('not_found', localizable`There is no key ${id}.`, {
    about: id,
    advice: 'See passim keys list.',
  })
}

async function hasKeys(inside: Statements): Promise<boolean> {
  return (await inside.get<{ n: number }>('SELECT EXISTS (SELECT 1 FROM keys) AS n'))?.n === 1
}

function isOperatorKey({ tenant, scope }: Pick<Key, 'tenant' | 'scope'>): boolean {
  return scope === 'admin' && tenant === DEFAULT_TENANT
}

export function hasScope(scope: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)
}

export function isRestricted({ collections, filter, readers }: Access): boolean {
  return collections !== undefined || filter !== undefined || readers !== undefined
}

function hashToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function fromRow(row: Row): Key {
  const { id, name, tenant, scope, created_at, revoked_at, last_used_at, access } = row
  return {
    id,
    name,
    tenant,
    scope,
    ...(access !== null && parseOwnJson<Access>(access)),
    createdAt: created_at,
    ...(last_used_at !== null && { lastUsedAt: last_used_at }),
    ...(revoked_at !== null && { revokedAt: revoked_at }),
  }
}
