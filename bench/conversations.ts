/**
 * What conversations cost: a page of the list, the last 50 items of one, and adding to one, in milliseconds of CPU, over
 * a catalog of many.
 * usage: npx tsx bench/conversations.ts [CONVERSATIONS 100000] [ITEMS 200]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { Conversations } from '../src/agent/conversations/conversations.ts'
import type { NewItem } from '../src/agent/conversations/items.ts'
import { openCatalog } from '../src/app/store.ts'

const [conversations = 100_000, items = 200] = process.argv.slice(2).map(Number)
const ROUNDS = 200
const TEXT = 'Hotels cost at most 120 euros a night, breakfast included [1]. '

const folder = await mkdtemp(path.join(tmpdir(), 'passim-conversations-'))
const file = path.join(folder, 'catalog.db')
const catalog = openCatalog(file)
const kept = new Conversations(catalog)
console.log(`${cpus()[0]?.model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`)

const question: NewItem = { kind: 'message', role: 'user', content: 'What do hotels cost at most?' }
const answer: NewItem = { kind: 'message', role: 'assistant', content: TEXT }
const ids: string[] = []
while (ids.length < conversations) makeSome()
console.log(`${conversations} conversations of ${items} items, ${Math.round((await stat(file)).size / 2 ** 20)} MiB`)
const one = () => ids[Math.floor(Math.random() * ids.length)]!
measure('a page of 20 of the list', () => kept.list({ limit: 20 }))
measure('a page of 20 from the middle', () => kept.list({ limit: 20, after: one() }))
measure('the last 50 items', () => kept.items(one(), { limit: 50, order: 'desc' }))
measure('the history for a model', () => kept.recentItems(one(), 58_000 * 8))
measure('two items added', () => catalog.transaction(() => kept.write(one(), [question, answer])))
catalog.close()
await rm(folder, { recursive: true })

/** A thousand in one transaction, as quickly as they can be made: by SQL, for what is measured is what comes after. */
function makeSome(): void {
  catalog.transaction(() => {
    for (let at = 0; at < 1_000 && ids.length < conversations; at++) {
      const id = `conv_${String(ids.length).padStart(24, '0')}`
      const now = 1_700_000_000_000 + ids.length
      ids.push(id)
      catalog.run(
        'INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
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
        catalog.run(
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

function measure(name: string, work: () => unknown): void {
  for (let round = 0; round < 5; round++) work()
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) work()
  const { user, system } = process.cpuUsage(before)
  console.log(`${name}: ${((user + system) / 1000 / ROUNDS).toFixed(2)} ms of CPU`)
}
