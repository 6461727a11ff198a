import type { Statements, Tables } from '../catalog.ts'

export type WebhookPosition = {
  /** Number of the last event that was delivered or given up. */
  readonly number: number
  /** Failed attempts at the next event. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly nextAt: number
}

export class WebhookPositions {
  static readonly tables: Tables = {
    23: [
      `CREATE TABLE webhooks (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async find(id: string): Promise<WebhookPosition | undefined> {
    const sql = 'SELECT number, attempts, next_at FROM webhooks WHERE id = ?'
    const row = await this.#catalog.get<{ number: number; attempts: number; next_at: number }>(
      sql,
      id,
    )
    return row && { number: row.number, attempts: row.attempts, nextAt: row.next_at }
  }

  async save(id: string, { number, attempts, nextAt }: WebhookPosition): Promise<void> {
    await this.#catalog.run(
      `INSERT INTO webhooks VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET number = excluded.number,
       attempts = excluded.attempts, next_at = excluded.next_at`,
      id,
      number,
      attempts,
      nextAt,
    )
  }
}
