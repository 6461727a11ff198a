import type { Catalog, Schema } from '../ingest/catalog.ts'
import type { Message } from './message.ts'

export const responseSchema: Schema = [
  `CREATE TABLE responses (
    id TEXT PRIMARY KEY, previous_id TEXT, status TEXT NOT NULL, messages TEXT NOT NULL, input TEXT NOT NULL,
    body TEXT NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX responses_by_time ON responses (created_at)',
]

/** Kept so long after they were made. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

/** Turns that a conversation may have. */
const MAX_TURNS = 1_000

/** One turn of a conversation, kept so that it can be shown again and gone on from. */
export type StoredResponse = {
  readonly id: string
  readonly previousId?: string | undefined
  /** `queued` and `in_progress` are under way; everything else is final. */
  readonly status: string
  /** What was said in this turn, by both sides. */
  readonly messages: readonly Message[]
  /** What came in and what went out, as the face that made it shows it; nobody else reads them. */
  readonly input: readonly unknown[]
  readonly body: Readonly<Record<string, unknown>>
}

type Row = { id: string; previous_id: string | null; status: string; messages: string; input: string; body: string }

/** The responses of a store. */
export class StoredResponses {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** A new one, or the next state of one that is still under way: what was deleted or cancelled meanwhile stays so. */
  save(response: StoredResponse, kind: 'new' | 'progress'): void {
    const { id, previousId, status, messages, input, body } = response
    if (kind === 'new') {
      const sql = 'INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?)'
      const texts = [JSON.stringify(messages), JSON.stringify(input), JSON.stringify(body)]
      this.#catalog.run(sql, id, previousId ?? null, status, ...texts, Date.now())
      return
    }
    this.#catalog.run(
      `UPDATE responses SET status = ?, messages = ?, body = ? WHERE id = ? AND status IN ('queued', 'in_progress')`,
      status,
      JSON.stringify(messages),
      JSON.stringify(body),
      id,
    )
  }

  find(id: string): StoredResponse | undefined {
    const row = this.#catalog.get<Row>('SELECT * FROM responses WHERE id = ?', id)
    return row && fromRow(row)
  }

  /** Everything said up to and with this response, oldest first; undefined where a turn of it is not there any more. */
  conversation(id: string): readonly Message[] | undefined {
    const turns: (readonly Message[])[] = []
    for (let next: string | undefined = id; next !== undefined; ) {
      const found: StoredResponse | undefined = turns.length < MAX_TURNS ? this.find(next) : undefined
      if (!found) return undefined
      turns.unshift(found.messages)
      next = found.previousId
    }
    return turns.flat()
  }

  /** False when there was none. */
  delete(id: string): boolean {
    return this.#catalog.run('DELETE FROM responses WHERE id = ?', id) > 0
  }

  prune(): void {
    this.#catalog.run('DELETE FROM responses WHERE created_at < ?', Date.now() - KEEP_MS)
  }
}

function fromRow(row: Row): StoredResponse {
  return {
    id: row.id,
    ...(row.previous_id !== null && { previousId: row.previous_id }),
    status: row.status,
    messages: JSON.parse(row.messages) as readonly Message[], // written by this class only
    input: JSON.parse(row.input) as readonly unknown[], // same
    body: JSON.parse(row.body) as Readonly<Record<string, unknown>>, // same
  }
}
