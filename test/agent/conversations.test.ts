import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Conversations } from '../../src/agent/conversations/conversations.ts'
import type { NewItem } from '../../src/agent/conversations/items.ts'
import { Runs } from '../../src/agent/conversations/runs.ts'
import { openCatalog } from '../../src/app/store.ts'
import { type Catalog, MEMORY } from '../../src/ingest/catalog.ts'

let catalog: Catalog
let conversations: Conversations
beforeEach(() => {
  catalog = openCatalog(MEMORY)
  conversations = new Conversations(catalog)
})
afterEach(() => catalog.close())

const message = (role: 'user' | 'assistant', chars: number): NewItem => ({
  kind: 'message',
  role,
  content: 'x'.repeat(chars),
})
const result = (chars: number): NewItem => ({ kind: 'result', callId: 'c', name: 'tool', content: 'x'.repeat(chars) })

test('of a page of turns as many are read as are whole within its bytes, and of a longer one the last that was said', () => {
  const said = fc.constantFrom(message('user', 30), message('assistant', 30), message('assistant', 400), result(300))
  const page = fc.record({ before: fc.integer({ min: 1, max: 12 }), limit: fc.integer({ min: 1, max: 4 }) })
  fc.assert(
    fc.property(
      fc.array(said, { maxLength: 30 }),
      page,
      fc.integer({ min: 50, max: 1_500 }),
      (items, page, maxBytes) => {
        const { id } = conversations.create({ items })
        const all = conversations.items(id, { limit: 100, order: 'asc' })
        const spoken = all.filter(({ kind, turn }) => kind === 'message' && turn > 0 && turn < page.before)
        const turns = [...new Set(spoken.map(({ turn }) => turn))].slice(-page.limit)
        const read = conversations.saidBefore(id, { ...page, maxBytes })
        const bytes = (turn: number) =>
          spoken.filter(item => item.turn === turn).reduce((sum, item) => sum + bytesOf(id, item.id), 0)
        const whole = turns.filter((_, at) => turns.slice(at).reduce((sum, turn) => sum + bytes(turn), 0) <= maxBytes)
        if (whole.length > 0) expect(read).toEqual(spoken.filter(({ turn }) => whole.includes(turn)))
        else
          expect(read).toEqual(
            lastWithin(
              id,
              spoken.filter(({ turn }) => turn === turns.at(-1)),
              maxBytes,
            ),
          )
      },
    ),
  )
})

function bytesOf(id: string, itemId: string): number {
  const sql = 'SELECT octet_length(body) AS bytes FROM conversation_items WHERE conversation_id = ? AND id = ?'
  return catalog.get<{ bytes: number }>(sql, id, itemId)!.bytes // it is there
}

/** The last of them that have so many bytes together; at least one. */
function lastWithin<One extends { readonly id: string }>(id: string, items: readonly One[], maxBytes: number) {
  return items.filter((_, at) => {
    const after = items.slice(at).reduce((sum, item) => sum + bytesOf(id, item.id), 0)
    return at === items.length - 1 || after <= maxBytes
  })
}

test('what is asked of a run counts with its conversation, is read by who asks for it, and goes with the run', () => {
  const runs = new Runs(catalog)
  const { id: conversationId } = conversations.create({ items: [message('user', 10)] })
  const request = { asked: { instructions: 'x'.repeat(2_000) } }
  runs.begin({ id: 'run_1', conversationId, turn: 1, request })
  expect(runs.request('run_1')).toEqual(request)
  expect(runs.requestBytes('run_1')).toBeGreaterThan(2_000)
  expect(JSON.stringify([runs.find('run_1'), runs.last(conversationId)])).not.toContain('xxx')
  conversations.requireRoom(conversationId, 2_000)
  conversations.count(conversationId, runs.requestBytes('run_1'))
  expect(() => conversations.requireRoom(conversationId, 2_000)).toThrow(/more than 2000 bytes/)
  runs.deleteOf(conversationId)
  expect(catalog.all('SELECT * FROM run_requests')).toEqual([])
})
