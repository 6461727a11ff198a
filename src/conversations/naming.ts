import type { Statements } from '../ingest/store/catalog.ts'
import { parseOwnJson } from '../system/own-json.ts'

/** Few, so that long conversations stay out of memory. */
const ROWS_AT_ONCE = 8

const ID = /(?:doc_|file-)\w+/g

type Texts = { readonly key: string; readonly texts: readonly string[] }

type ItemRow = {
  readonly conversation_id: string
  readonly number: number
  readonly kind: string
  readonly body: string
}

type Named = {
  readonly conversations: ReadonlySet<string>
  readonly responses: ReadonlySet<string>
  readonly runs: ReadonlySet<string>
  readonly hits: readonly ItemRow[]
}

export async function findNaming(
  catalog: Statements,
  ids: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Named> {
  const isNamed = (text: string) => (text.match(ID) ?? []).some(id => ids.has(id))
  const select = async (rows: AsyncIterable<Texts>) => {
    const found = new Set<string>()
    for await (const { key, texts } of rows) {
      signal?.throwIfAborted()
      if (texts.some(isNamed)) found.add(key)
    }
    return found
  }
  const conversations = new Set<string>()
  const hits: ItemRow[] = []
  for await (const row of readItems(catalog)) {
    signal?.throwIfAborted()
    if (!isNamed(row.body)) continue
    if (row.kind === 'search') hits.push(row)
    else conversations.add(row.conversation_id)
  }
  return {
    conversations,
    responses: await select(readResponses(catalog)),
    runs: await select(readEvents(catalog)),
    hits: hits.filter(row => !conversations.has(row.conversation_id)),
  }
}

export async function removeHits(
  catalog: Statements,
  rows: readonly ItemRow[],
  ids: ReadonlySet<string>,
): Promise<void> {
  for (const { conversation_id: id, number, body } of rows) {
    const search = parseOwnJson<{ results: readonly { documentId: string; fileId: string }[] }>(
      body,
    )
    const results = search.results.filter(hit => !ids.has(hit.documentId) && !ids.has(hit.fileId))
    const fewer = JSON.stringify({ ...search, results })
    await catalog.transaction(async inside => {
      const sql = 'UPDATE conversation_items SET body = ? WHERE conversation_id = ? AND number = ?'
      await inside.run(sql, fewer, id, number)
      const freed = Buffer.byteLength(body) - Buffer.byteLength(fewer)
      await inside.run('UPDATE conversations SET bytes = bytes - ? WHERE id = ?', freed, id)
    })
  }
}

export async function listAllTurns(catalog: Statements): Promise<Named> {
  const list = async (sql: string) =>
    new Set((await catalog.all<{ id: string }>(sql)).map(row => row.id))
  return {
    conversations: await list('SELECT id FROM conversations'),
    responses: await list('SELECT id FROM responses'),
    runs: await list('SELECT id FROM runs'),
    hits: [],
  }
}

async function* readItems(catalog: Statements): AsyncGenerator<ItemRow> {
  const sql = `SELECT conversation_id, number, kind, body FROM conversation_items
    WHERE conversation_id > ?1 OR (conversation_id = ?1 AND number > ?2) ORDER BY conversation_id, number LIMIT ${ROWS_AT_ONCE}`
  for (let last: [string, number] | undefined = ['', 0]; last; ) {
    const rows: readonly ItemRow[] = await catalog.all<ItemRow>(sql, ...last)
    yield* rows
    const end = rows.at(-1)
    last = end && [end.conversation_id, end.number]
  }
}

async function* readResponses(catalog: Statements): AsyncGenerator<Texts> {
  type Row = { id: string; messages: string; input: string; body: string }
  const sql = `SELECT id, messages, input, body FROM responses WHERE id > ? ORDER BY id LIMIT ${ROWS_AT_ONCE}`
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: readonly Row[] = await catalog.all<Row>(sql, last)
    for (const { id, messages, input, body } of rows)
      yield { key: id, texts: [messages, input, body] }
    last = rows.at(-1)?.id
  }
}

async function* readEvents(catalog: Statements): AsyncGenerator<Texts> {
  type Row = { run_id: string; number: number; events: string }
  const sql = `SELECT run_id, number, events FROM run_events
    WHERE run_id > ?1 OR (run_id = ?1 AND number > ?2) ORDER BY run_id, number LIMIT ${ROWS_AT_ONCE}`
  for (let last: [string, number] | undefined = ['', 0]; last; ) {
    const rows: readonly Row[] = await catalog.all<Row>(sql, ...last)
    for (const { run_id, events } of rows) yield { key: run_id, texts: [events] }
    const end = rows.at(-1)
    last = end && [end.run_id, end.number]
  }
}
