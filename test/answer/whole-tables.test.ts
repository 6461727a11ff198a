import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/extractive.ts'
import { tableText } from '../../src/ingest/block.ts'
import { readTables } from '../../src/ingest/tables/read-tables.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

const ROWS = [
  ['Boat', 'Seats', 'Deposit (euros)'],
  ['Canoe', '3', '40'],
  ['Kayak', '1', '25'],
  ['Rowing boat', '4', '60'],
]

/** Answers over a document whose table is typed, as a parser's is. */
async function ask(question: string) {
  const text = tableText(ROWS)
  class TypedSearcher extends MemorySearcher {
    override tables(documentId: string) {
      const charStart = this.textOf(documentId).indexOf(text)
      async function* blocks() {
        yield { kind: 'table' as const, text, rows: ROWS, charStart, charEnd: charStart + text.length }
      }
      return readTables(blocks())
    }
  }
  const boats = `# Boats for hire\n\n${text}\n\nThe jetty closes at dusk.`
  const memory = new TypedSearcher([{ name: 'boats.md', text: boats }])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(
    answerer.answer({ question, collectionIds: ['default'], documents: async () => memory.documents }),
  )
}

test('two rows that are asked for together are both quoted, with their columns named', async () => {
  const { answer, citations } = await ask('What is the deposit for the canoe and the kayak?')
  expect(answer).toContain('Boat: Canoe; Seats: 3; Deposit (euros): 40')
  expect(answer).toContain('Boat: Kayak; Seats: 1; Deposit (euros): 25')
  expect(citations).toHaveLength(1)
})

test('of one thing its row is quoted, not the table', async () => {
  const { answer } = await ask('What is the deposit for the kayak?')
  expect(answer).toContain('Boat: Kayak')
  expect(answer).not.toContain('Rowing boat')
})

test('of the least of something its row is quoted, though no row says that word, and not the table', async () => {
  const { answer } = await ask('Which boat has the lowest deposit?')
  expect(answer).toContain('Boat: Kayak')
  expect(answer).not.toContain('Rowing boat')
})

test('of a bound the rows within it are quoted', async () => {
  const { answer } = await ask('Which boats have more than 2 seats?')
  expect(answer).toContain('Boat: Canoe')
  expect(answer).toContain('Boat: Rowing boat')
  expect(answer).not.toContain('Kayak')
})
