import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCatalog } from '../../src/app/stores/store.ts'
import { Conversations } from '../../src/conversations/conversations.ts'
import type { Item, NewItem } from '../../src/conversations/items.ts'
import { Runs } from '../../src/conversations/runs.ts'
import { MEMORY, type SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'

let catalog: SqliteCatalog
let conversations: Conversations
beforeEach(async () => {
  catalog = await openCatalog(MEMORY)
  conversations = new Conversations(catalog)
})
afterEach(async () => await catalog.close())

const message = (role: 'user' | 'assistant', chars: number): NewItem => ({
  kind: 'message',
  role,
  content: 'x'.repeat(chars),
})
const result = (chars: number): NewItem => ({
  kind: 'result',
  callId: 'c',
  name: 'tool',
  content: 'x'.repeat(chars),
})

test('of a page of turns as many are read as are whole within its bytes, and of a longer one the last that was said', async () => {
  const said = fc.constantFrom(
    message('user', 30),
    message('assistant', 30),
    message('assistant', 400),
    result(300),
  )
  const page = fc.record({
    before: fc.integer({ min: 1, max: 12 }),
    limit: fc.integer({ min: 1, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { maxLength: 30 }),
      page,
      fc.integer({ min: 50, max: 1_500 }),
      async (items, page, maxBytes) => {
        const { id } = await conversations.create({ items })
        const all = await conversations.items(id, { limit: 100, order: 'asc' })
        const spoken = all.filter(
          ({ kind, turn }) => kind === 'message' && turn > 0 && turn < page.before,
        )
        const turns = [...new Set(spoken.map(({ turn }) => turn))].slice(-page.limit)
        const read = await conversations.readHistoryBefore(id, { ...page, maxBytes })
        const sizes = new Map<string, number>()
        for (const { id: itemId } of spoken) sizes.set(itemId, await bytesOf(id, itemId))
        const bytes = (items: readonly Item[]) =>
          items.reduce((sum, item) => sum + sizes.get(item.id)!, 0) // all are there
        const from = (first: number) =>
          spoken.filter(({ turn }) => turns.slice(first).includes(turn))
        const whole = turns.findIndex((_, at) => bytes(from(at)) <= maxBytes)
        if (whole !== -1) expect(read).toEqual(from(whole))
        else {
          const last = from(turns.length - 1)
          const fits = last.findIndex(
            (_, at) => at === last.length - 1 || bytes(last.slice(at)) <= maxBytes,
          )
          expect(read).toEqual(last.slice(Math.max(0, fits)))
        }
      },
    ),
  )
})

async function bytesOf(id: string, itemId: string): Promise<number> {
  const sql =
    'SELECT octet_length(body) AS bytes FROM conversation_items WHERE conversation_id = ? AND id = ?'
  return (await catalog.get<{ bytes: number }>(sql, id, itemId))!.bytes // it is there
}

test('what is asked of a run counts with its conversation, is read by who asks for it, and goes with the run', async () => {
  const runs = new Runs(catalog)
  const { id: conversationId } = await conversations.create({ items: [message('user', 10)] })
  const request = { asked: { instructions: 'x'.repeat(2_000) } }
  await runs.start({ id: 'run_1', conversationId, turn: 1, request })
  expect(await runs.findRequest('run_1')).toEqual(request)
  expect(await runs.countRequestBytes('run_1')).toBeGreaterThan(2_000)
  expect(
    JSON.stringify([await runs.find('run_1'), await runs.findLast(conversationId)]),
  ).not.toContain('xxx')
  await conversations.requireRoom(conversationId, 2_000)
  await conversations.count(conversationId, await runs.countRequestBytes('run_1'))
  await expect(conversations.requireRoom(conversationId, 2_000)).rejects.toThrow(
    /more than 2000 bytes/,
  )
  await runs.deleteByConversation(conversationId)
  expect(await catalog.all('SELECT * FROM run_requests')).toEqual([])
})

test('a title and notes that are given at once are both kept', async () => {
  const { id } = await conversations.create({ title: 'old', metadata: { a: 'old' } })
  await Promise.all([
    conversations.update(id, { title: 'new' }),
    conversations.update(id, { metadata: { a: 'new' } }),
  ])
  expect(await conversations.get(id)).toMatchObject({ title: 'new', metadata: { a: 'new' } })
  await expect(conversations.update('conv_none', { title: 'new' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
