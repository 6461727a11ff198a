import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive-answerer.ts'
import { listCandidates } from '../../src/answer/evidence/candidates.ts'
import { withFeatures } from '../../src/answer/evidence/features.ts'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { Terms } from '../../src/text/terms.ts'
import { type Answer, collectAnswer } from '../fakes/answers.ts'
import { type InlineDocument, MemorySearcher } from '../fakes/memory-searcher.ts'

const KILN: InlineDocument = {
  name: 'kiln.md',
  text: [
    '# The kiln\n\nThe kiln stands in the shed.',
    '## Lighting the kiln\n\nWear gloves.',
    '1. Open the valve.\n\n2. Turn the kiln key to the left.\n\n3. Light the pilot flame. Stand aside.\n\n4. Close the door.',
    'The kiln is cold after a day.',
    '## Emptying the kiln\n\nEmptying the kiln takes two people. To clean the shelf:',
    '1. Brush the shelf.\n2. Wipe the shelf with\n a wet rag.\n3. Wax the shelf.',
  ].join('\n\n'),
}
async function ask(question: string, document: InlineDocument): Promise<Answer> {
  const memory = new MemorySearcher([document])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
      limit: 8,
    }),
  )
}

test('steps begin at the line that leads on to them, and a wrapped line belongs to its step', async () => {
  const { citations } = await ask('How should I wipe the shelf?', KILN)
  expect(citations.map(({ text }) => text)).toEqual([
    'To clean the shelf:\n\n1. Brush the shelf.\n2. Wipe the shelf with\n a wet rag.\n3. Wax the shelf.',
  ])
})

test('one step answers a question that does not ask what to do', async () => {
  const { citations } = await ask('Where does the kiln key point to: left?', KILN)
  expect(citations.map(({ text }) => text)).toContain('2. Turn the kiln key to the left.')
})

test('the number of a step is no amount', async () => {
  const text = '# Kettle\n\n1. Fill the kettle.\n\n2. The kettle takes 3 litres.\n'
  const memory = new MemorySearcher([{ name: 'kettle.md', text }])
  const hits = await memory.search({ text: 'kettle', collectionIds: ['default'], limit: 20 })
  const candidates = listCandidates(hits, new Terms()).filter(({ statement }) => statement.isItem)
  const known = withFeatures(
    parseQuestion('How much water does the kettle take?', 'en'),
    candidates,
    undefined,
  )
  expect(known.map(({ features }) => features.form)).toEqual([0, 1])
})
