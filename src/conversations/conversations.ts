import { textContent } from '../agent/message.ts'
import { AppError } from '../errors.ts'
import type { Statements, Tables } from '../ingest/store/catalog.ts'
import { newId } from '../system/digest.ts'
import { FileUses } from './file-uses.ts'
import {
  type Item,
  type ItemContent,
  itemPrefix,
  type NewItem,
  type Superseded,
  toMessages,
} from './items.ts'
import { storedJson, wellFormed } from './stored-json.ts'

/** What one item may have. */
const MAX_ITEM_BYTES = 4 * 1024 * 1024
const MAX_ITEMS = 100_000
const MAX_TITLE_CHARS = 80

/** Rows that are looked at in one query. */
const SIZES_AT_ONCE = 200

/** A list of items that only grows. */
export type Conversation = {
  readonly id: string
  /** The beginning of its first question, unless it was named. */
  readonly title: string
  readonly metadata: Readonly<Record<string, string>>
  /** Questions so far. */
  readonly turns: number
  /** In milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** `after` and `before` are numbers, not counted in. */
type ItemQuery = {
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
}

type ListQuery = {
  readonly after?: string | undefined
  readonly limit: number
  readonly withUnlisted?: boolean
}

/** `before` is a turn, not counted in. */
type SaidQuery = { readonly before: number; readonly limit: number; readonly maxBytes: number }

/** What is neither a step on the way to an answer nor found on it. */
const SAID = `AND turn > 0 AND kind IN ('message', 'status')`

type ItemSize = { readonly number: number; readonly turn: number; readonly bytes: number }

type ConversationRow = {
  id: string
  title: string
  metadata: string
  turns: number
  items: number
  bytes: number
  created_at: number
  updated_at: number
}

type ItemRow = {
  number: number
  id: string
  turn: number
  kind: ItemContent['kind']
  body: string
  created_at: number
}

/** The conversations of a store; of one transaction, where they are made over what is inside it. */
export class Conversations {
  static readonly tables: Tables = {
    11: [
      `CREATE TABLE conversations (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, metadata TEXT NOT NULL, turns INTEGER NOT NULL, items INTEGER NOT NULL,
    bytes INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      'CREATE INDEX conversations_by_use ON conversations (updated_at, id)',
      `CREATE TABLE conversation_items (
    conversation_id TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, turn INTEGER NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, created_at INTEGER NOT NULL
  )`,
      'CREATE UNIQUE INDEX conversation_items_in_order ON conversation_items (conversation_id, number)',
      'CREATE INDEX conversation_items_by_turn ON conversation_items (conversation_id, turn, number)',
      'CREATE UNIQUE INDEX conversation_items_by_id ON conversation_items (id, conversation_id)',
    ],
    /** Finds a question by the id that it has at a client of `/api/chat`. */
    18: [
      `CREATE INDEX conversation_items_by_chat ON conversation_items (conversation_id, body ->> '$.extra.chat', number)
    WHERE kind = 'message' AND body ->> '$.extra.chat' IS NOT NULL`,
    ],
  }

  readonly #catalog: Statements
  readonly #fileUses: FileUses

  constructor(catalog: Statements) {
    this.#catalog = catalog
    this.#fileUses = new FileUses(catalog)
  }

  /** One that is there already stays as it is: of several who begin it at once, the first one does. */
  async create({
    id = newId('conv_'),
    metadata = {},
    title = '',
    items = [],
    isUnlisted = false,
  }: CreateOptions = {}): Promise<Conversation> {
    const now = Date.now()
    await this.#catalog.transaction(async inside => {
      const sql =
        'INSERT INTO conversations VALUES (?, ?, ?, 0, 0, 0, ?, ?, ?) ON CONFLICT DO NOTHING'
      const isNew =
        (await inside.run(sql, id, title, storedJson(metadata), now, now, isUnlisted ? 1 : 0)) > 0
      if (isNew) await new Conversations(inside).write(id, items)
    })
    return await this.get(id)
  }

  async find(id: string): Promise<Conversation | undefined> {
    const row = await this.#row(id)
    return row && fromRow(row)
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<Conversation> {
    const found = await this.find(id)
    if (found) return found
    throw new AppError('not_found', `There is no conversation ${id}: it was deleted, or never was.`)
  }

  /** Those used last come first; `after` is the id of the last one of the page before. */
  async list({ after, limit, withUnlisted = false }: ListQuery): Promise<readonly Conversation[]> {
    const last = after === undefined ? undefined : await this.get(after)
    const where = `WHERE is_unlisted <= ? ${last ? 'AND (updated_at, id) < (?, ?)' : ''}`
    const sql = `SELECT * FROM conversations ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`
    const values = [withUnlisted ? 1 : 0, ...(last ? [last.updatedAt, last.id] : [])]
    return (await this.#catalog.all<ConversationRow>(sql, ...values, limit)).map(fromRow)
  }

  /** Throws `not_found`. */
  async update(
    id: string,
    { title, metadata }: Partial<Pick<Conversation, 'title' | 'metadata'>>,
  ): Promise<Conversation> {
    const sql =
      'UPDATE conversations SET is_unlisted = 0, title = coalesce(?, title), metadata = coalesce(?, metadata) WHERE id = ?'
    await this.#catalog.run(sql, title ?? null, metadata ? storedJson(metadata) : null, id)
    return await this.get(id)
  }

  /** For good, with everything in it, within a transaction of the caller's; false when there was none. */
  async remove(id: string): Promise<boolean> {
    await this.#catalog.run('DELETE FROM conversation_items WHERE conversation_id = ?', id)
    return (await this.#catalog.run('DELETE FROM conversations WHERE id = ?', id)) > 0
  }

  /** Throws `too_large` for a conversation that nothing may be added to any more, `not_found`. */
  async requireRoom(id: string, maxBytes: number): Promise<void> {
    const row = (await this.#row(id)) ?? this.#missing(id)
    if (row.bytes <= maxBytes && row.items < MAX_ITEMS) return
    const limit =
      row.items < MAX_ITEMS
        ? `${maxBytes} bytes (server.maxConversationBytes)`
        : `${MAX_ITEMS} items`
    const advice = 'Begin a new one, and send of this one only what it needs.'
    throw new AppError(
      'too_large',
      `The conversation ${id} has more than ${limit}, and cannot be gone on with. ${advice}`,
    )
  }

  /** Bytes that are kept because of it, besides its items. */
  async count(id: string, bytes: number): Promise<void> {
    await this.#catalog.run('UPDATE conversations SET bytes = bytes + ? WHERE id = ?', bytes, id)
  }

  /** Add items to the end, within a transaction of the caller's: what a run says has its place, though it be the last. */
  async write(id: string, items: readonly NewItem[]): Promise<readonly Item[]> {
    const row = (await this.#row(id)) ?? this.#missing(id)
    const createdAt = Date.now()
    let { turns, bytes, items: number, title } = row
    let isAnswered = !(await this.#endsInQuestion(id))
    const added: Item[] = []
    for (const { id: given, ...content } of items) {
      const isQuestion = isFromUser(content)
      if (isQuestion && isAnswered) turns++
      isAnswered = !isQuestion
      if (isQuestion && title === '') title = titleOf(content)
      const item = {
        ...content,
        id: given ?? newId(itemPrefix(content.kind)),
        number: ++number,
        turn: turns,
        createdAt,
      }
      bytes += await this.#insert(id, item)
      added.push(item)
    }
    const sql = `UPDATE conversations SET title = ?1, turns = ?2, items = ?3, bytes = ?4, updated_at = ?5,
      is_unlisted = CASE WHEN CAST(?2 AS BIGINT) > 1 THEN 0 ELSE is_unlisted END WHERE id = ?6`
    if (added.length > 0) await this.#catalog.run(sql, title, turns, number, bytes, createdAt, id)
    await this.#fileUses.note(id, toMessages(added))
    return added
  }

  /** By number; never more than `limit`. */
  async items(
    id: string,
    { after = 0, before = Number.MAX_SAFE_INTEGER, limit, order }: ItemQuery,
  ): Promise<readonly Item[]> {
    const sql = `SELECT number, id, turn, kind, body, created_at FROM conversation_items
      WHERE conversation_id = ? AND number > ? AND number < ? ORDER BY number ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT ?`
    return (await this.#catalog.all<ItemRow>(sql, id, after, before, limit)).map(itemFromRow)
  }

  /**
   * What was said in the last turns before one, in order: at most `limit` of them, and as many as are whole within `maxBytes`;
   * of a turn that alone has more, the last that was said.
   */
  async saidBefore(id: string, { before, limit, maxBytes }: SaidQuery): Promise<readonly Item[]> {
    const end = await this.#endOfTurns(id, before)
    let [first, turn, turns, bytes] = [end, 0, 0, 0]
    let firstOfWhole: number | undefined
    for await (const item of this.#sizes(id, end, SAID)) {
      if (item.turn !== turn) {
        if (turns === limit) break
        if (turns > 0) firstOfWhole = first
        turn = item.turn
        turns++
      }
      bytes += item.bytes
      if (bytes > maxBytes && first < end) {
        first = firstOfWhole ?? first
        break
      }
      first = item.number
    }
    const sql = `SELECT number, id, turn, kind, body, created_at FROM conversation_items
      WHERE conversation_id = ? AND number >= ? AND number < ? ${SAID} ORDER BY number`
    return (await this.#catalog.all<ItemRow>(sql, id, first, end)).map(itemFromRow)
  }

  /** The number after the last item of the turns before one. */
  async #endOfTurns(id: string, before: number): Promise<number> {
    const sql =
      'SELECT number FROM conversation_items WHERE conversation_id = ? AND turn < ? ORDER BY turn DESC, number DESC'
    return (
      ((await this.#catalog.get<{ number: number }>(`${sql} LIMIT 1`, id, before))?.number ?? 0) + 1
    )
  }

  /** Of these turns, in order. */
  async itemsOfTurns(id: string, first: number, last: number): Promise<readonly Item[]> {
    const sql = `SELECT number, id, turn, kind, body, created_at FROM conversation_items
      WHERE conversation_id = ? AND turn BETWEEN ? AND ? ORDER BY turn, number`
    return (await this.#catalog.all<ItemRow>(sql, id, first, last)).map(itemFromRow)
  }

  async findItem(id: string, itemId: string): Promise<Item | undefined> {
    const sql = `SELECT number, id, turn, kind, body, created_at FROM conversation_items WHERE id = ? AND conversation_id = ?`
    const row = await this.#catalog.get<ItemRow>(sql, itemId, id)
    return row && itemFromRow(row)
  }

  /** Turns that those from this one on take the place of. */
  async supersededSince(id: string, turn: number): Promise<readonly Superseded[]> {
    const sql = `SELECT turn AS end, CAST(body ->> '$.extra.from' AS BIGINT) AS first FROM conversation_items
      WHERE conversation_id = ? AND turn >= ? AND kind = 'status' AND body ->> '$.code' = 'superseded'`
    return await this.#catalog.all<Superseded>(sql, id, turn)
  }

  /** The last question that a chat's client calls by this id. */
  async askedAs(id: string, chatId: string): Promise<Item | undefined> {
    const sql = `SELECT number, id, turn, kind, body, created_at FROM conversation_items WHERE conversation_id = ?
      AND kind = 'message' AND turn > 0 AND body ->> '$.extra.chat' = ? ORDER BY number DESC LIMIT 1`
    const row = await this.#catalog.get<ItemRow>(sql, id, chatId)
    return row && itemFromRow(row)
  }

  /** Ids of what a guardrail took back. */
  async withdrawn(id: string): Promise<ReadonlySet<unknown>> {
    const sql = `SELECT body ->> '$.extra.revoked_message_id' AS item FROM conversation_items
      WHERE conversation_id = ? AND kind = 'status' AND body ->> '$.code' = 'revoked'`
    return new Set((await this.#catalog.all<{ item: unknown }>(sql, id)).map(({ item }) => item))
  }

  /**
   * What a guardrail takes back is kept no longer, nor a title that was made of it: the item says nothing. Within a
   * transaction of the caller's.
   */
  async withdraw(id: string, itemId: string): Promise<void> {
    const item = await this.findItem(id, itemId)
    if (!item) return
    const sql = 'UPDATE conversation_items SET body = ? WHERE id = ? AND conversation_id = ?'
    await this.#catalog.run(sql, storedJson(withdrawnContent(item)), itemId, id)
    if (isFromUser(item) && (await this.get(id)).title === titleOf(item))
      await this.update(id, { title: '' })
  }

  /** In whichever conversation it is. */
  async findItemAnywhere(itemId: string): Promise<Item | undefined> {
    const sql =
      'SELECT number, id, turn, kind, body, created_at FROM conversation_items WHERE id = ? LIMIT 1'
    const row = await this.#catalog.get<ItemRow>(sql, itemId)
    return row && itemFromRow(row)
  }

  /** False when there was none. The numbers of the others stay. */
  async deleteItem(id: string, itemId: string): Promise<boolean> {
    return await this.#catalog.transaction(async inside => {
      const values = [itemId, id]
      const size =
        'SELECT octet_length(body) AS bytes FROM conversation_items WHERE id = ? AND conversation_id = ?'
      const found = await inside.get<{ bytes: number }>(size, ...values)
      if (!found) return false
      await inside.run(
        'DELETE FROM conversation_items WHERE id = ? AND conversation_id = ?',
        ...values,
      )
      await inside.run('UPDATE conversations SET bytes = bytes - ? WHERE id = ?', found.bytes, id)
      return true
    })
  }

  /** The last items that begin within so many bytes and turns, oldest first, from the beginning of a turn on; no more is read. */
  async recentItems(
    id: string,
    readBytes: number,
    maxTurns = Number.POSITIVE_INFINITY,
  ): Promise<readonly Item[]> {
    let [first, before, turns] = [Number.MAX_SAFE_INTEGER, 0, 0]
    for await (const { turn, bytes } of this.#sizes(id, Number.MAX_SAFE_INTEGER)) {
      if (turn < first && (before >= readBytes || turns++ === maxTurns)) break
      first = turn
      before += bytes
    }
    return await this.itemsOfTurns(id, first, Number.MAX_SAFE_INTEGER)
  }

  /** Every item before a number, from the last one back; no text is read for it. */
  async *#sizes(id: string, end: number, which = ''): AsyncIterable<ItemSize> {
    const sql = `SELECT number, turn, octet_length(body) AS bytes FROM conversation_items
      WHERE conversation_id = ? AND number < ? ${which} ORDER BY number DESC LIMIT ${SIZES_AT_ONCE}`
    for (let number = end; ; ) {
      const rows = await this.#catalog.all<ItemSize>(sql, id, number)
      yield* rows
      const last = rows.at(-1)
      if (!last || rows.length < SIZES_AT_ONCE) return
      number = last.number
    }
  }

  /** Those that nothing was added to since this time. */
  async unusedSince(time: number, limit: number): Promise<readonly string[]> {
    const sql = 'SELECT id FROM conversations WHERE updated_at < ? ORDER BY updated_at LIMIT ?'
    return (await this.#catalog.all<{ id: string }>(sql, time, limit)).map(({ id }) => id)
  }

  async #insert(
    id: string,
    { number, id: itemId, turn, createdAt, kind, ...content }: Item,
  ): Promise<number> {
    const body = storedJson(content)
    const bytes = Buffer.byteLength(body)
    if (bytes > MAX_ITEM_BYTES) {
      const message = `An item of a conversation has at most ${MAX_ITEM_BYTES} bytes; this one has ${bytes}. Send it as a file.`
      throw new AppError('too_large', message)
    }
    const sql = 'INSERT INTO conversation_items VALUES (?, ?, ?, ?, ?, ?, ?)'
    await this.#catalog.run(sql, id, number, itemId, turn, kind, body, createdAt)
    return bytes
  }

  async #endsInQuestion(id: string): Promise<boolean> {
    const [last] = await this.items(id, { limit: 1, order: 'desc' })
    return last !== undefined && isFromUser(last)
  }

  async #row(id: string): Promise<ConversationRow | undefined> {
    return await this.#catalog.get<ConversationRow>('SELECT * FROM conversations WHERE id = ?', id)
  }

  #missing(id: string): never {
    throw new AppError('not_found', `There is no conversation ${id}: it was deleted, or never was.`)
  }
}

export type CreateOptions = {
  /** One of the caller's own making. */
  readonly id?: string
  readonly metadata?: Conversation['metadata'] | undefined
  readonly title?: string | undefined
  readonly items?: readonly NewItem[]
  /** In no list until it is gone on with or named: kept in place of the one before that was so. */
  readonly isUnlisted?: boolean
}

/** Of an item that a guardrail took back: what kind of thing it was. */
function withdrawnContent(item: Item): object {
  if (item.kind === 'message') return { role: item.role, content: '' }
  if (item.kind === 'call')
    return { callId: item.callId, name: item.name, arguments: '{}', isCallers: item.isCallers }
  if (item.kind === 'result')
    return { callId: item.callId, name: item.name, content: '', isCallers: item.isCallers }
  return item.kind === 'search' ? { query: '', results: [] } : { text: '' }
}

function isFromUser(content: ItemContent): content is Extract<ItemContent, { kind: 'message' }> {
  return content.kind === 'message' && content.role === 'user'
}

function titleOf(content: Extract<ItemContent, { kind: 'message' }>): string {
  const text = wellFormed(textContent(content)).replace(/\s+/g, ' ').trim()
  if (text.length <= MAX_TITLE_CHARS) return text
  return `${text.slice(0, MAX_TITLE_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…` // never half a character
}

function fromRow({
  id,
  title,
  metadata,
  turns,
  created_at,
  updated_at,
}: ConversationRow): Conversation {
  const parsed = JSON.parse(metadata) as Conversation['metadata'] // written by this class only
  return { id, title, metadata: parsed, turns, createdAt: created_at, updatedAt: updated_at }
}

function itemFromRow({ number, id, turn, kind, body, created_at }: ItemRow): Item {
  return { ...(JSON.parse(body) as object), kind, id, number, turn, createdAt: created_at } as Item // same
}
