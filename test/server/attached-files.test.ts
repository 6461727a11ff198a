import path from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { conversationTables } from '../../src/conversations/tables.ts'
import { createApp } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
let app: ReturnType<typeof createApp>

beforeAll(async () => {
  sandbox = await Sandbox.make()
  await start()
  await json('POST', '/v1/vector_stores', { name: 'default' })
})
afterAll(() => sandbox.remove())

async function start(): Promise<void> {
  passim = await sandbox.open({ settings: { conversations: { keepDays: 7 } } })
  app = createApp(oneStore(passim), { settings: passim.settings.server, log: () => {} })
}

async function json<Answer>(method: string, route: string, body?: object): Promise<Answer> {
  const response = await app.request(route, { method, ...(body && { body: JSON.stringify(body) }) })
  return (await response.json()) as Answer // the routes under test answer so
}

async function upload(name: string, purpose = 'user_data'): Promise<string> {
  const form = new FormData()
  form.append('purpose', purpose)
  form.append('file', new File([`Breakfast of ${name} costs 14 euros.`], name))
  const response = await app.request('/v1/files', { method: 'POST', body: form })
  return ((await response.json()) as { id: string }).id
}

/** Asks about these files in a new thread, and waits for the answer. */
async function asked(...files: readonly string[]): Promise<string> {
  const message = { role: 'user', content: { type: 'plain', text: 'What does breakfast cost?' } }
  const attachments = files.map(file_id => ({ file_id }))
  const { thread_id } = await json<{ thread_id: string }>('POST', '/api/threads/messages', {
    ...message,
    attachments,
  })
  expect(await (await app.request(`/api/threads/${thread_id}/events`)).text()).toContain('euros')
  return thread_id
}

const isThere = async (file: string) =>
  (await app.request(`/v1/files/${file}/content`)).status === 200
const forget = (thread: string) => json('DELETE', `/api/threads/${thread}`)

test('what was attached goes with its conversation, bytes and all', async () => {
  const file = await upload('a.txt')
  const thread = await asked(file)
  const { sha256 } = await passim.files.get(file)
  expect(await isThere(file)).toBe(true)
  await forget(thread)
  expect(await isThere(file)).toBe(false)
  expect((await passim.collections.list()).every(({ hidden }) => !hidden)).toBe(true)
  const database = new Database(path.join(sandbox.home, 'catalog.db'))
  for (const table of ['files', 'documents', 'deleted_rows'])
    expect(JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all())).not.toContain(sha256)
  database.close()
})

test('what another conversation, a response or a collection has stays with that', async () => {
  const [shared, answered, collected] = [
    await upload('b.txt'),
    await upload('c.txt'),
    await upload('d.txt'),
  ]
  const first = await asked(shared, answered, collected)
  const second = await asked(shared)
  const content = [
    { type: 'input_text', text: 'What does breakfast cost?' },
    { type: 'input_file', file_id: answered },
  ]
  const response = await json<{ id: string }>('POST', '/v1/responses', {
    input: [{ role: 'user', content }],
  })
  await json('POST', '/v1/vector_stores', { name: 'kept', file_ids: [collected] })
  await forget(first)
  expect(await Promise.all([shared, answered, collected].map(isThere))).toEqual([true, true, true])
  await forget(second)
  await json('DELETE', `/v1/responses/${response.id}`)
  expect(await Promise.all([shared, answered, collected].map(isThere))).toEqual([false, true, true])
})

test('a file that was not put up to be asked about is nobody’s attachment', async () => {
  const file = await upload('e.txt', 'assistants')
  await forget(await asked(file))
  expect(await isThere(file)).toBe(true)
})

test('what has expired takes its attachments along, also where its process was killed in between, or was of an older format', async () => {
  const [old, halfGone] = [await upload('f.txt'), await upload('g.txt')]
  const [expired, deleted] = [await asked(old), await asked(halfGone)]
  await sandbox.close()
  const database = new Database(path.join(sandbox.home, 'catalog.db'))
  for (const sql of ['DROP TABLE file_uses', ...conversationTables[16]!]) database.exec(sql)
  database.prepare('UPDATE conversations SET updated_at = 0 WHERE id = ?').run(expired)
  database.prepare('DELETE FROM conversations WHERE id = ?').run(deleted)
  database.close()
  await start()
  await passim.expiry.sweep()
  expect(await Promise.all([old, halfGone].map(isThere))).toEqual([false, false])
})

test('a conversation outlives a file that came with it, and says what its answer is made without', async () => {
  const file = await upload('gone.txt')
  const thread = await asked(file)
  await json('DELETE', `/v1/files/${file}`)
  const content = { type: 'plain', text: 'What does breakfast cost?' }
  await json('POST', '/api/threads/messages', { thread_id: thread, role: 'user', content })
  await (await app.request(`/api/threads/${thread}/events`)).text()
  const items = await passim.conversations.items(thread, { limit: 1, order: 'desc' })
  expect(items).toMatchObject([
    {
      kind: 'message',
      role: 'assistant',
      answer: { warnings: [{ code: 'missing', message: expect.stringContaining(file) }] },
    },
  ])
})
