import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import { createId } from '../system/digest.ts'
import { parseOwnJson } from '../system/own-json.ts'
import { FileUses } from './file-uses.ts'
import { formatBatchCondition, type ItemRange, type ItemSlice } from './item-batches.ts'
import {
  getItemPrefix,
  type Item,
  type ItemContent,
  isQuestion,
  type NewItem,
  type Superseded,
  toMessages,
  toTitle,
  withdrawContent,
} from './items.ts'
import { toStoredJson } from './stored-json.ts'

/** Size of an item, so that one read stays cheap. */
const MAX_ITEM_BYTES = 4 * 1024 * 1024
const MAX_ITEMS = 100_000

/** Rows per query; protects memory. */
const SIZES_AT_ONCE = 200

/** A list of items that only grows. */
export type Conversation = {
  readonly id: string
  /** First question's beginning, unless named. */
  readonly title: string
  readonly metadata: Readonly<Record<string, string>>
  readonly turns: number
  readonly createdAt: number
  readonly updatedAt: number
}

type ListQuery = {
  readonly after?: Conversation | string | undefined
  readonly limit: number
  readonly title?: string | undefined
  readonly withUnlisted?: boolean
  readonly isPinned?: boolean | undefined
}

type HistoryQuery = { readonly before: number; readonly limit: number; readonly maxBytes: number }

/** Selects questions, answers and statuses, without the steps to an answer. */
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

export class Conversations {
  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Leaves an existing conversation as it is, so the first of concurrent creators wins. */
  async create({
    id = createId('conv_'),
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
        (await inside.run(sql, id, title, toStoredJson(metadata), now, now, isUnlisted ? 1 : 0)) > 0
      if (isNew) await new Conversations(inside).write(id, items)
    })
    return await this.get(id)
  }

  async find(id: string): Promise<Conversation | undefined> {
    const row = await this.#findRow(id)
    return row && fromRow(row)
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<Conversation> {
    return fromRow(await this.#getRow(id))
  }

  /** Lists the last used first; `after` is the last of the page before, or its id. */
  async list(query: ListQuery): Promise<readonly Conversation[]> {
    const { after, limit, title = '', withUnlisted = false, isPinned = false } = query
    const last = typeof after === 'string' ? await this.get(after) : after
    const where = `WHERE is_unlisted <= ? AND lower(title) LIKE lower(?) ESCAPE '\\' ${isPinned ? `AND metadata ->> '$.pinned' = 'true'` : ''} ${last ? 'AND (updated_at, id) < (?, ?)' : ''}`
    const sql = `SELECT * FROM conversations ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`
    const pattern = `%${title.replace(/[%_\\]/g, '\\$&')}%`
    const values = [withUnlisted ? 1 : 0, pattern, ...(last ? [last.updatedAt, last.id] : [])]
    return (await this.#catalog.all<ConversationRow>(sql, ...values, limit)).map(fromRow)
  }

  /** Throws `not_found`. */
  async update(
    id: string,
    { title, metadata }: Partial<Pick<Conversation, 'title' | 'metadata'>>,
  ): Promise<Conversation> {
    const sql =
      'UPDATE conversations SET is_unlisted = 0, title = coalesce(?, title), metadata = coalesce(?, metadata) WHERE id = ?'
    await this.#catalog.run(sql, title ?? null, metadata ? toStoredJson(metadata) : null, id)
    return await this.get(id)
  }

  async remove(id: string): Promise<void> {
    await this.#catalog.run('DELETE FROM conversation_items WHERE conversation_id = ?', id)
    await this.#catalog.run('DELETE FROM conversations WHERE id = ?', id)
  }

  /** Throws `too_large` if nothing may be added, `not_found`. */
  async requireRoom(id: string, maxBytes: number): Promise<void> {
    const row = await this.#getRow(id)
    if (row.bytes <= maxBytes && row.items < MAX_ITEMS) return
    const limit =
      row.items < MAX_ITEMS
        ? localizable`${maxBytes} bytes (server.maxConversationBytes)`
        : localizable`${MAX_ITEMS} items`
    const advice = 'Begin a new one, and send of this one only what it needs.'
    throw new AppError(
      'too_large',
      localizable`The conversation ${id} has more than ${limit}, and cannot be continued. ${advice}`,
    )
  }

  async count(id: string, bytes: number): Promise<void> {
    await this.#catalog.run('UPDATE conversations SET bytes = bytes + ? WHERE id = ?', bytes, id)
  }

  /** Appends items in the caller's transaction, also beyond the limit: a run may finish. */
  async write(id: string, items: readonly NewItem[]): Promise<readonly Item[]> {
    const row = await this.#getRow(id)
    const createdAt = Date.now()
    let { turns, bytes, items: number, title } = row
    let isAnswered = !(await this.#hasOpenQuestion(id))
    const added: Item[] = []
    for (const { id: ownId, ...content } of items) {
      const asks = isQuestion(content)
      if (asks && isAnswered) turns++
      isAnswered = !asks
      if (asks && title === '') title = toTitle(content)
      const item = {
        ...content,
        id: ownId ?? createId(getItemPrefix(content.kind)),
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
    await new FileUses(this.#catalog).note(id, toMessages(added))
    return added
  }

  async items(id: string, { limit, order }: ItemSlice): Promise<readonly Item[]> {
    const where = `conversation_id = ? ORDER BY number ${order} LIMIT ?`
    return await this.#selectItems(where, id, limit)
  }

  async *readItems(
    id: string,
    { after = 0, before = Number.MAX_SAFE_INTEGER, order }: ItemRange,
  ): AsyncGenerator<Item> {
    const where = formatBatchCondition(order)
    for (let from = order === 'asc' ? after : before; ; ) {
      const range = order === 'asc' ? [from, before] : [after, from]
      const items = await this.#selectItems(where, id, id, ...range)
      yield* items
      const last = items.at(-1)
      if (!last) return
      from = last.number
    }
  }

  /** Returns the last complete turns before one within the bounds; of a larger turn its last items. */
  async readHistoryBefore(
    id: string,
    { before, limit, maxBytes }: HistoryQuery,
  ): Promise<readonly Item[]> {
    const end = await this.#endOfTurns(id, before)
    let first = end
    let turn = 0
    let turns = 0
    let bytes = 0
    let firstComplete: number | undefined
    for await (const item of this.#readSizes(id, end, SAID)) {
      if (item.turn !== turn) {
        if (turns === limit) break
        if (turns > 0) firstComplete = first
        turn = item.turn
        turns++
      }
      bytes += item.bytes
      if (bytes > maxBytes && first < end) {
        first = firstComplete ?? first
        break
      }
      first = item.number
    }
    const where = `conversation_id = ? AND number >= ? AND number < ? ${SAID} ORDER BY number`
    return await this.#selectItems(where, id, first, end)
  }

  async #endOfTurns(id: string, before: number): Promise<number> {
    const sql = `SELECT number FROM conversation_items WHERE conversation_id = ? AND turn < ?
      ORDER BY turn DESC, number DESC LIMIT 1`
    const last = await this.#catalog.get<{ number: number }>(sql, id, before)
    return (last?.number ?? 0) + 1
  }

  async readTurnItems(id: string, first: number, last: number): Promise<readonly Item[]> {
    const where = 'conversation_id = ? AND turn BETWEEN ? AND ? ORDER BY turn, number'
    return await this.#selectItems(where, id, first, last)
  }

  /** Returns what was searched and which tools were called in these turns. */
  async readSteps(id: string, first: number, last: number): Promise<readonly Item[]> {
    const where = `conversation_id = ? AND turn BETWEEN ? AND ? AND kind IN ('search', 'call')`
    return await this.#selectItems(where, id, first, last)
  }

  async findItem(id: string, itemId: string): Promise<Item | undefined> {
    return (await this.#selectItems('id = ? AND conversation_id = ?', itemId, id))[0]
  }

  /** Returns the turns that this one and those after it replace. */
  async findSupersededSince(id: string, turn: number): Promise<readonly Superseded[]> {
    const sql = `SELECT turn AS end, CAST(body ->> '$.extra.from' AS BIGINT) AS first FROM conversation_items
      WHERE conversation_id = ? AND turn >= ? AND kind = 'status' AND body ->> '$.code' = 'superseded'`
    return await this.#catalog.all<Superseded>(sql, id, turn)
  }

  async findQuestionByChatId(id: string, chatId: string): Promise<Item | undefined> {
    const where = `conversation_id = ? AND kind = 'message' AND turn > 0 AND body ->> '$.extra.chat' = ?
      ORDER BY number DESC LIMIT 1`
    return (await this.#selectItems(where, id, chatId))[0]
  }

  async findWithdrawn(id: string): Promise<ReadonlySet<unknown>> {
    const sql = `SELECT body ->> '$.extra.revoked_message_id' AS item FROM conversation_items
      WHERE conversation_id = ? AND kind = 'status' AND body ->> '$.code' = 'revoked'`
    return new Set((await this.#catalog.all<{ item: unknown }>(sql, id)).map(({ item }) => item))
  }

  /** Empties a revoked item, and a title made of it, in the caller's transaction. */
  async withdraw(id: string, itemId: string): Promise<void> {
    const item = await this.findItem(id, itemId)
    if (!item) return
    const sql = 'UPDATE conversation_items SET body = ? WHERE id = ? AND conversation_id = ?'
    await this.#catalog.run(sql, toStoredJson(withdrawContent(item)), itemId, id)
    if (isQuestion(item) && (await this.get(id)).title === toTitle(item))
      await this.update(id, { title: '' })
  }

  async findItemAnywhere(itemId: string): Promise<Item | undefined> {
    return (await this.#selectItems('id = ? LIMIT 1', itemId))[0]
  }

  async findTurn(itemId: string) {
    const sql = 'SELECT conversation_id AS id, turn FROM conversation_items WHERE id = ? LIMIT 1'
    return await this.#catalog.get<{ id: string; turn: number }>(sql, itemId)
  }

  /** Keeps the numbers of the other items. */
  async deleteItem(id: string, itemId: string): Promise<void> {
    await this.#catalog.transaction(async inside => {
      const sql = `DELETE FROM conversation_items WHERE id = ? AND conversation_id = ?
        RETURNING octet_length(body) AS bytes`
      const deleted = await inside.get<{ bytes: number }>(sql, itemId, id)
      if (deleted) await new Conversations(inside).count(id, -deleted.bytes)
    })
  }

  /** Returns complete recent turns within `readBytes` and `maxTurns`, oldest first. */
  async readRecentItems(
    id: string,
    readBytes: number,
    maxTurns = Number.POSITIVE_INFINITY,
  ): Promise<readonly Item[]> {
    let first = Number.MAX_SAFE_INTEGER
    let before = 0
    let turns = 0
    for await (const { turn, bytes } of this.#readSizes(id, Number.MAX_SAFE_INTEGER)) {
      if (turn < first && (before >= readBytes || turns++ === maxTurns)) break
      first = turn
      before += bytes
    }
    return await this.readTurnItems(id, first, Number.MAX_SAFE_INTEGER)
  }

  /** Yields item sizes from the last one back, without reading text. */
  async *#readSizes(id: string, end: number, which = ''): AsyncIterable<ItemSize> {
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

  async listUnlisted(exceptId: string): Promise<readonly Pick<Conversation, 'id' | 'updatedAt'>[]> {
    const sql = `SELECT id, updated_at AS "updatedAt" FROM conversations WHERE is_unlisted = 1 AND id <> ?`
    return await this.#catalog.all(sql, exceptId)
  }

  async listUnusedSince(time: number, limit: number): Promise<readonly string[]> {
    const sql = 'SELECT id FROM conversations WHERE updated_at < ? ORDER BY updated_at LIMIT ?'
    return (await this.#catalog.all<{ id: string }>(sql, time, limit)).map(({ id }) => id)
  }

  async #insert(
    id: string,
    { number, id: itemId, turn, createdAt, kind, ...content }: Item,
  ): Promise<number> {
    const body = toStoredJson(content)
    const bytes = Buffer.byteLength(body)
    if (bytes > MAX_ITEM_BYTES) {
      const message = localizable`An item of a conversation has at most ${MAX_ITEM_BYTES} bytes; this one has ${bytes}. Send it as a file.`
      throw new AppError('too_large', message)
    }
    const sql = 'INSERT INTO conversation_items VALUES (?, ?, ?, ?, ?, ?, ?)'
    await this.#catalog.run(sql, id, number, itemId, turn, kind, body, createdAt)
    return bytes
  }

  async #hasOpenQuestion(id: string): Promise<boolean> {
    const [last] = await this.items(id, { limit: 1, order: 'desc' })
    return last !== undefined && isQuestion(last)
  }

  async #findRow(id: string): Promise<ConversationRow | undefined> {
    return await this.#catalog.get<ConversationRow>('SELECT * FROM conversations WHERE id = ?', id)
  }

  async #getRow(id: string): Promise<ConversationRow> {
    const row = await this.#findRow(id)
    if (row) return row
    throw new AppError(
      'not_found',
      localizable`There is no conversation ${id}: it was deleted or never existed.`,
      { about: id },
    )
  }

  async #selectItems(where: string, ...values: readonly unknown[]): Promise<readonly Item[]> {
    const sql = `SELECT number, id, turn, kind, body, created_at FROM conversation_items WHERE ${where}`
    return (await this.#catalog.all<ItemRow>(sql, ...values)).map(parseItem)
  }
}

export type CreateOptions = {
  readonly id?: string
  readonly metadata?: Conversation['metadata'] | undefined
  readonly title?: string | undefined
  readonly items?: readonly NewItem[]
  /** Hidden until continued or named. Replaces the previous hidden one. */
  readonly isUnlisted?: boolean
}

function fromRow(row: ConversationRow): Conversation {
  const { id, title, turns, created_at: createdAt, updated_at: updatedAt } = row
  return { id, title, metadata: parseOwnJson(row.metadata), turns, createdAt, updatedAt }
}

function parseItem({ number, id, turn, kind, body, created_at }: ItemRow): Item {
  return { ...parseOwnJson<object>(body), kind, id, number, turn, createdAt: created_at } as Item
}
