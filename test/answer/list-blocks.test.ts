import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive.ts'
import type { PlacedBlock } from '../../src/ingest/block.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

/** Blocks as a parser of Markdown gives them: items of a list have no marks, their kind tells. */
class ListSearcher extends MemorySearcher {
  readonly #items: readonly string[]

  constructor(text: string, items: readonly string[]) {
    super([{ name: 'boats.md', text }])
    this.#items = items
  }

  override async *blocks(documentId: string): AsyncIterable<PlacedBlock> {
    for await (const block of super.blocks(documentId))
      yield this.#items.includes(block.text) ? { ...block, kind: 'list' } : block
  }
}

function ask(question: string, lead: string, items: readonly string[], end: string) {
  const memory = new ListSearcher([lead, ...items, end].join('\n\n'), items)
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
    }),
  )
}

test.each([
  [
    'What equipment must be carried?',
    'Boats are rinsed. The following equipment must be carried:',
    ['a whistle', 'a bow ball', 'a spare shear pin'],
    'Oars hang on the wall.',
  ],
  [
    '禁止带入食堂的物品有哪些？',
    '禁止带入食堂的物品：',
    ['宠物', '易燃物', '外来酒水'],
    '桨挂在墙上。',
  ],
])(
  '%s is answered with all that a colon announces, marked or not',
  async (question, lead, items, end) => {
    const { answer, citations } = await ask(question, lead, items, end)
    for (const item of items) expect(answer).toContain(item)
    expect(answer).not.toContain(end)
    expect(citations[0]?.text.endsWith(items.at(-1) ?? '?')).toBe(true)
  },
)

test('of a list that is too long to be quoted it is said how many items more there are', async () => {
  const items = Array.from(
    { length: 60 },
    (_, at) => `a rope of the kind that is kept in locker number ${at + 1} at the quay`,
  )
  const { answer } = await ask(
    'What must be carried?',
    'The following must be carried:',
    items,
    'Oars hang on the wall.',
  )
  expect(answer).toContain('locker number 20 ')
  expect(answer).not.toContain('locker number 60 ')
  expect(answer).toMatch(/\d+ more passages were found/)
})
