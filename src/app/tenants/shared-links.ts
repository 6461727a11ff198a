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

type NewSharedLink = Omit<SharedLink, 'id' | 'createdAt'>
type Place = Pick<SharedLink, 'tenant' | 'conversationId' | 'conversationCreatedAt'>

/** Bounds what one conversation adds to the catalog. */
const MAX_LINKS = 100

const COLUMNS = `id, tenant, conversation_id AS "conversationId", conversation_created_at AS "conversationCreatedAt",
  turns, created_at AS "createdAt", expires_at AS "expiresAt"`
const PLACE = 'tenant = ? AND conversation_id = ? AND conversation_created_at = ?'

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

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Returns the secret once. Throws `conflict` if the conversation has too many links. */
  async create(link: NewSharedLink) {
    const { tenant, conversationId, conversationCreatedAt, turns, expiresAt } = link
    const secret = randomBytes(32).toString('base64url')
    const created = { ...link, id: createId('link_'), createdAt: Date.now() }
    await this.#catalog.transaction(async inside => {
      await inside.run('DELETE FROM shared_links WHERE expires_at <= ?', created.createdAt)
      const sql = `SELECT count(*) AS n FROM shared_links WHERE ${PLACE}`
      const place = [tenant, conversationId, conversationCreatedAt]
      if (((await inside.get<{ n: number }>(sql, ...place))?.n ?? 0) >= MAX_LINKS)
        throw new AppError(
          'conflict',
          localizable`A conversation has at most ${MAX_LINKS} links. Revoke one first.`,
        )
      const values = [created.id, hashSecret(secret), ...place, turns, created.createdAt, expiresAt]
      await inside.run('INSERT INTO shared_links VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values)
    })
    return { link: created, secret }
  }

  async list({
    tenant,
    conversationId,
    conversationCreatedAt,
  }: Place): Promise<readonly SharedLink[]> {
    const sql = `SELECT ${COLUMNS} FROM shared_links WHERE ${PLACE} AND expires_at > ? ORDER BY created_at DESC, id`
    const place = [tenant, conversationId, conversationCreatedAt]
    return await this.#catalog.all<SharedLink>(sql, ...place, Date.now())
  }

  /** Throws `not_found`, also for a link of another conversation or tenant. */
  async revoke({ tenant, conversationId }: Place, id: string): Promise<void> {
    const sql = 'DELETE FROM shared_links WHERE id = ? AND tenant = ? AND conversation_id = ?'
    if ((await this.#catalog.run(sql, id, tenant, conversationId)) > 0) return
    throw new AppError('not_found', localizable`There is no link ${id}.`, { about: id })
  }

  async find(secret: string): Promise<SharedLink | undefined> {
    const sql = `SELECT ${COLUMNS} FROM shared_links WHERE hash = ? AND expires_at > ?`
    return await this.#catalog.get<SharedLink>(sql, hashSecret(secret), Date.now())
  }
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
