import type { Message } from '../agent/message.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import { recordEvents } from '../ingest/store/catalog/events.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import { parseOwnJson } from '../system/own-json.ts'
import { FileUses } from './file-uses.ts'

/** OpenAI's default of 30 days. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

const UNDER_WAY = `IN ('queued', 'in_progress')`

/** Stored status of a response whose failure is recorded, and whose body is not complete. */
const ABANDONED = 'abandoned'

/** Turns of a conversation; protects its recursive query. */
const MAX_TURNS = 1_000

export type StoredResponse = {
  readonly id: string
  readonly previousId?: string | undefined
  /** `queued` and `in_progress` are running; others are final. */
  readonly status: string
  readonly messages: readonly Message[]
  /** Input and output as the face encodes them. */
  readonly input: readonly unknown[]
  readonly body: Readonly<Record<string, unknown>>
}

type ConversationBounds = {
  readonly maxBytes: number
  readonly readBytes: number
}

/** `total`: bytes of this turn and later ones. */
type Turn = {
  readonly id: string
  readonly previous_id: string | null
  readonly bytes: number
  readonly total: number
}

/** Walks from the newest turn back within both limits, without reading text. */
const TURNS = `WITH RECURSIVE turns (id, previous_id, bytes, total, turn) AS (
    SELECT id, previous_id, octet_length(messages), octet_length(messages), 1
    FROM responses INDEXED BY responses_by_size WHERE id = ?1
    UNION ALL
    SELECT earlier.id, earlier.previous_id, octet_length(earlier.messages), total + octet_length(earlier.messages), turn + 1
    FROM turns JOIN responses AS earlier INDEXED BY responses_by_size ON earlier.id = turns.previous_id
    WHERE total <= ?2 AND turn < ?3
  )
  SELECT id, previous_id, bytes, total FROM turns ORDER BY turn`

type Row = {
  id: string
  previous_id: string | null
  status: string
  messages: string
  input: string
  body: string
}

export class StoredResponses {
  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Saves a new state; deleted or cancelled responses stay so. */
  async save(response: StoredResponse, kind: 'new' | 'progress'): Promise<void> {
    const { id, previousId, status, messages, input, body } = response
    if (kind === 'new') {
      const sql = 'INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?)'
      const texts = [JSON.stringify(messages), JSON.stringify(input), JSON.stringify(body)]
      await this.#catalog.transaction(async inside => {
        await inside.run(sql, id, previousId ?? null, status, ...texts, Date.now())
        await new FileUses(inside).note(id, messages)
        await recordEnd(inside, response)
      })
      return
    }
    const sql = 'UPDATE responses SET status = ?, messages = ?, body = ? WHERE id = ? AND status'
    const values = [status, JSON.stringify(messages), JSON.stringify(body), id]
    await this.#catalog.transaction(async inside => {
      if ((await inside.run(`${sql} ${UNDER_WAY}`, ...values)) > 0)
        await recordEnd(inside, response)
      else await inside.run(`${sql} = ?`, ...values, ABANDONED)
    })
  }

  /** Records the failure of a response whose process died; its body is completed when it is read. */
  async noteFailure(id: string): Promise<void> {
    const sql = `UPDATE responses SET status = ? WHERE id = ? AND status ${UNDER_WAY}`
    if ((await this.#catalog.run(sql, ABANDONED, id)) > 0)
      await recordEnd(this.#catalog, { id, status: 'failed' })
  }

  async find(id: string): Promise<StoredResponse | undefined> {
    const row = await this.#catalog.get<Row>('SELECT * FROM responses WHERE id = ?', id)
    return row && fromRow(row)
  }

  /**
   * Returns the last turns up to this response within `readBytes`, oldest first; undefined if any
   * is missing. Throws `too_large` beyond the limits.
   */
  async readConversation(
    id: string,
    { maxBytes, readBytes }: ConversationBounds,
  ): Promise<readonly Message[] | undefined> {
    const turns = await this.#catalog.all<Turn>(TURNS, id, maxBytes, MAX_TURNS)
    const first = turns.at(-1)
    if (!first) return undefined
    if (first.total > maxBytes)
      throw createTooLongError(`${maxBytes} bytes (server.maxConversationBytes)`)
    if (first.previous_id !== null && turns.length >= MAX_TURNS)
      throw createTooLongError(`${MAX_TURNS} turns`)
    if (first.previous_id !== null) return undefined
    const read = turns.filter(({ total, bytes }) => total - bytes < readBytes).toReversed()
    return (await Promise.all(read.map(async turn => await this.#readMessages(turn.id)))).flat()
  }

  async #readMessages(id: string): Promise<readonly Message[]> {
    const row = await this.#catalog.get<Pick<Row, 'messages'>>(
      'SELECT messages FROM responses WHERE id = ?',
      id,
    )
    return row ? parseOwnJson<readonly Message[]>(row.messages) : []
  }

  /** Removes input and output that a guardrail revoked. */
  async withdraw(id: string): Promise<void> {
    const body = (await this.find(id))?.body
    if (!body) return
    const empty = {
      ...body,
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      output: [],
    }
    const sql = `UPDATE responses SET status = 'incomplete', messages = '[]', input = '[]', body = ? WHERE id = ?`
    await this.#catalog.run(sql, JSON.stringify(empty), id)
  }

  /** Returns false if there was none. */
  async delete(id: string): Promise<boolean> {
    return await this.#catalog.transaction(async inside => {
      await new FileUses(inside).forgetAll(id)
      return (await inside.run('DELETE FROM responses WHERE id = ?', id)) > 0
    })
  }

  /** Deletes expired responses and their file notes, all or none. */
  async prune(): Promise<void> {
    const before = Date.now() - KEEP_MS
    const old = 'SELECT id FROM responses WHERE created_at < ?'
    await this.#catalog.transaction(async inside => {
      await inside.run(`DELETE FROM file_uses WHERE owner_id IN (${old})`, before)
      await inside.run('DELETE FROM responses WHERE created_at < ?', before)
    })
  }
}

const ENDS = ['completed', 'failed', 'incomplete', 'cancelled'] as const

async function recordEnd(
  inside: Statements,
  { id, status }: Pick<StoredResponse, 'id' | 'status'>,
): Promise<void> {
  const end = ENDS.find(name => name === status)
  if (end) await recordEvents(inside, [{ type: `response.${end}`, responseId: id }])
}

function createTooLongError(limit: string): AppError {
  const advice =
    'Begin a new one, without previous_response_id, and send of this one only what it needs.'
  return new AppError(
    'too_large',
    localizable`This conversation has more than ${limit}, and cannot be continued. ${advice}`,
  )
}

function fromRow(row: Row): StoredResponse {
  return {
    id: row.id,
    ...(row.previous_id !== null && { previousId: row.previous_id }),
    status: row.status === ABANDONED ? 'in_progress' : row.status,
    messages: parseOwnJson<readonly Message[]>(row.messages),
    input: parseOwnJson<readonly unknown[]>(row.input),
    body: parseOwnJson<Readonly<Record<string, unknown>>>(row.body),
  }
}
