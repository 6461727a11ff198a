/**
 * What conversations cost: a page of the list, the last 50 items of one, and adding to one, in milliseconds of CPU, over
 * a catalog of many, beside the same done on the same file by SQLite alone: prepared statements, and JSON parsed or written.
 * usage: npx tsx bench/conversations.ts [CONVERSATIONS 100000] [ITEMS 200]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'libsql'
import { Conversations } from '../src/agent/conversations/conversations.ts'
import type { NewItem } from '../src/agent/conversations/items.ts'
import { openCatalog } from '../src/app/store.ts'

const [conversations = 100_000, items = 200] = process.argv.slice(2).map(Number)
const ROUNDS = 200
const TEXT = 'Hotels cost at most 120 euros a night, breakfast included [1]. '

const folder = await mkdtemp(path.join(tmpdir(), 'passim-conversations-'))
const file = path.join(folder, 'catalog.db')
const catalog = await openCatalog(file)
const kept = new Conversations(catalog)
console.log(`${cpus()[0]?.model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`)

const question: NewItem = { kind: 'message', role: 'user', content: 'What do hotels cost at most?' }
const answer: NewItem = { kind: 'message', role: 'assistant', content: TEXT }
const ids: string[] = []
while (ids.length < conversations) await makeSome()
console.log(`${conversations} conversations of ${items} items, ${Math.round((await stat(file)).size / 2 ** 20)} MiB`)
const one = () => ids[Math.floor(Math.random() * ids.length)]!
const bare = new Database(file)
bare.pragma('synchronous = FULL')
const page = bare.prepare('SELECT * FROM conversations ORDER BY updated_at DESC, id DESC LIMIT 20')
const rowOf = bare.prepare('SELECT * FROM conversations WHERE id = ?')
const later = bare.prepare(
  'SELECT * FROM conversations WHERE (updated_at, id) < (?, ?) ORDER BY updated_at DESC, id DESC LIMIT 20',
)
const lastItems = bare.prepare(
  'SELECT * FROM conversation_items WHERE conversation_id = ? ORDER BY number DESC LIMIT 50',
)
const insert = bare.prepare('INSERT INTO conversation_items VALUES (?, ?, ?, ?, ?, ?, ?)')
const update = bare.prepare('UPDATE conversations SET items = ?, bytes = ?, updated_at = ? WHERE id = ?')

await compare(
  'a page of 20 of the list',
  async () => await kept.list({ limit: 20 }),
  () => metadataOf(page.all()),
)
await compare('a page of 20 from the middle', async () => await kept.list({ limit: 20, after: one() }), middle)
await compare('the last 50 items', async () => await kept.items(one(), { limit: 50, order: 'desc' }), opened)
await compare(
  'two items added',
  async () =>
    await catalog.transaction(async inside => await new Conversations(inside).write(one(), [question, answer])),
  appended,
)
console.log(
  `what a model is told of one: ${(await milliseconds(async () => await kept.recentItems(one(), 58_000 * 8))).toFixed(2)} ms of CPU`,
)
bare.close()
await catalog.close()
await rm(folder, { recursive: true })

function metadataOf(rows: unknown): readonly unknown[] {
  return (rows as { metadata: string }[]).map(({ metadata }) => JSON.parse(metadata)) // libsql types rows as unknown
}

function middle(): readonly unknown[] {
  const last = rowOf.get(one()) as { updated_at: number; id: string } // same
  return metadataOf(later.all(last.updated_at, last.id))
}

function opened(): readonly unknown[] {
  return (lastItems.all(one()) as { body: string }[]).map(({ body }) => JSON.parse(body)) // same
}

function appended(): void {
  bare
    .transaction(() => {
      const id = one()
      const row = rowOf.get(id) as { items: number; bytes: number } // same
      let { items: number, bytes } = row
      for (const { kind, ...content } of [question, answer]) {
        const body = JSON.stringify(content)
        bytes += body.length
        insert.run(id, ++number, `msg_bare${id}${number}`, Math.ceil(number / 2), kind, body, Date.now())
      }
      update.run(number, bytes, Date.now(), id)
    })
    .immediate()
}

/** A thousand in one transaction, as quickly as they can be made: by SQL, for what is measured is what comes after. */
async function makeSome(): Promise<void> {
  await catalog.transaction(async inside => {
    for (let at = 0; at < 1_000 && ids.length < conversations; at++) {
      const id = `conv_${String(ids.length).padStart(24, '0')}`
      const now = 1_700_000_000_000 + ids.length
      ids.push(id)
      await inside.run(
        'INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)',
        id,
        'Hotels',
        '{}',
        items / 2,
        items,
        items * 100,
        now,
        now,
      )
      for (let number = 1; number <= items; number++) {
        const [role, content] = number % 2 === 1 ? ['user', 'What do hotels cost at most?'] : ['assistant', TEXT]
        const sql = 'INSERT INTO conversation_items VALUES (?, ?, ?, ?, ?, ?, ?)'
        const turn = Math.ceil(number / 2)
        await inside.run(
          sql,
          id,
          number,
          `msg_${ids.length}i${number}`,
          turn,
          'message',
          JSON.stringify({ role, content }),
          now,
        )
      }
    }
  })
}

async function compare(name: string, ours: () => Promise<unknown>, alone: () => unknown): Promise<void> {
  const [mine, theirs] = [await milliseconds(ours), await milliseconds(async () => alone())]
  const ratio = `${(mine / theirs).toFixed(1)} times`
  console.log(`${name}: ${mine.toFixed(2)} ms of CPU, SQLite alone ${theirs.toFixed(2)}, ${ratio}`)
}

/** Of CPU, for one of many. */
async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 5; round++) await work()
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / ROUNDS
}
