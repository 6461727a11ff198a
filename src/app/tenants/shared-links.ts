import { createHash, randomBytes } from 'node:crypto'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Catalog, Tables } from '../../ingest/store/catalog.ts'
import { createId } from '../../system/digest.ts'

export type SharedLink = {
  readonly id: string
  readonly tenant: string
  readonly conversationId: string
  /** Differs if another conversation has the id of a deleted one. */
  readonly conversationCreatedAt: number
  readonly turns: number
  readonly createdAt: number
  readonly expiresAt: number
}

type NewSharedLink = Omit<SharedLink, 'id' | 'createdAt' | 'expiresAt'> & {
  readonly days?: number
}
type Place = Pick<SharedLink, 'tenant' | 'conversationId' | 'conversationCreatedAt'>

/** Bounds what one conversation adds to the catalog. */
const MAX_LINKS = 100

/** Unit of `server.sharedLinkDays`. */
const DAY_MS = 24 * 60 * 60 * 1000

const COLUMNS = `id, tenant, conversation_id AS "conversationId", conversation_created_at AS "conversationCreatedAt",
  turns, created_at AS "createdAt", expires_at AS "expiresAt"`
const PLACE = 'tenant = ? AND conversation_id = ? AND conversation_created_at = ?'
const IS_VALID = 'expires_at > ? AND created_at > ?'

/** Links to conversations of all tenants. Secrets have 256 random bits, so a plain hash is safe. */
export class SharedLinks {
  static readonly tables: Tables = {
    6: [
      `CREATE TABLE shared_links (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, conversation_id TEXT NOT NULL,
    conversation_created_at INTEGER NOT NULL, turns INTEGER NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      'CREATE INDEX shared_links_by_conversation ON shared_links (tenant, conversation_id)',
    ],
  }

  readonly #catalog: Catalog
  readonly #maxAgeMs: number

  /** A shorter time that the operator sets also ends links that exist. */
  constructor(catalog: Catalog, maxDays: number) {
    this.#catalog = catalog
    this.#maxAgeMs = Math.floor(maxDays * DAY_MS)
  }

  /** Returns the secret once. Throws `conflict` if the conversation has too many links. */
  async create(link: NewSharedLink) {
    const { days, ...place } = link
    const { tenant, conversationId, conversationCreatedAt, turns } = place
    const createdAt = Date.now()
    const ageMs = Math.min(this.#maxAgeMs, Math.floor((days ?? Number.POSITIVE_INFINITY) * DAY_MS))
    const created = { ...place, id: createId('link_'), createdAt, expiresAt: createdAt + ageMs }
    const secret = randomBytes(32).toString('base64url')
    await this.#catalog.transaction(async inside => {
      await inside.run(`DELETE FROM shared_links WHERE NOT (${IS_VALID})`, ...this.#getTimes())
      const sql = `SELECT count(*) AS n FROM shared_links WHERE ${PLACE}`
      const values = [tenant, conversationId, conversationCreatedAt]
      if (((await inside.get<{ n: number }>(sql, ...values))?.n ?? 0) >= MAX_LINKS)
        throw new AppError(
          'conflict',
          localizable`A conversation has at most ${MAX_LINKS} links. Revoke one first.`,
        )
      const row = [created.id, hashSecret(secret), ...values, turns, createdAt, created.expiresAt]
      await inside.run('INSERT INTO shared_links VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...row)
    })
    return { link: created, secret }
  }

  async list({
    tenant,
    conversationId,
    conversationCreatedAt,
  }: Place): Promise<readonly SharedLink[]> {
    const sql = `SELECT ${COLUMNS} FROM shared_links WHERE ${PLACE} AND ${IS_VALID} ORDER BY created_at DESC, id`
    const place = [tenant, conversationId, conversationCreatedAt]
    const links = await this.#catalog.all<SharedLink>(sql, ...place, ...this.#getTimes())
    return links.map(link => this.#boundTime(link))
  }

  /** Throws `not_found`, also for a link of another conversation or tenant. */
  async revoke({ tenant, conversationId }: Place, id: string): Promise<void> {
    const sql = 'DELETE FROM shared_links WHERE id = ? AND tenant = ? AND conversation_id = ?'
    if ((await this.#catalog.run(sql, id, tenant, conversationId)) > 0) return
    throw new AppError('not_found', localizable`There is no link ${id}.`, { about: id })
  }

  async find(secret: string): Promise<SharedLink | undefined> {
    const sql = `SELECT ${COLUMNS} FROM shared_links WHERE hash = ? AND ${IS_VALID}`
    const link = await this.#catalog.get<SharedLink>(sql, hashSecret(secret), ...this.#getTimes())
    return link && this.#boundTime(link)
  }

  #boundTime(link: SharedLink): SharedLink {
    return { ...link, expiresAt: Math.min(link.expiresAt, link.createdAt + this.#maxAgeMs) }
  }

  #getTimes(): readonly number[] {
    const now = Date.now()
    return [now, now - this.#maxAgeMs]
  }
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
