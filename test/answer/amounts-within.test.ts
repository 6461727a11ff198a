import { expect, test } from 'vitest'
import { candidatesOf } from '../../src/answer/evidence/candidates.ts'
import { withFeatures } from '../../src/answer/evidence/features.ts'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { languageOf } from '../../src/text/language.ts'
import { Terms } from '../../src/text/terms.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

/** Whether the statement would have more of the question in a document that is called by its number. */
async function lacksNumber(question: string, text: string) {
  const number = /\d+/.exec(question)?.[0]
  return (
    (await shareOf(question, text, 'rules')) < (await shareOf(question, text, `rules ${number}`))
  )
}

async function shareOf(question: string, text: string, name: string) {
  const searcher = new MemorySearcher([{ name, text }])
  const hits = await searcher.search({ text, collectionIds: ['default'], limit: 1 })
  const read = parseQuestion(question, languageOf(question))
  const known = withFeatures(read, candidatesOf(hits, new Terms()), undefined)
  return Math.max(...known.map(({ features }) => features.share))
}

test.each([
  ['Does a man of 72 years pay the fare?', 'Those over 70 years ride free.', false],
  ['Does a man of 68 years pay the fare?', 'Those over 70 years ride free.', true],
  ['Is a parcel of 12 kg taken?', 'Parcels up to 20 kg are taken.', false],
  ['Is a parcel of 500 g taken?', 'Parcels under 2 kg are taken.', false],
  ['Is a parcel of 12 kg taken?', 'Parcels of 2 to 5 kg are taken.', true],
  ['Is a parcel of 4 kg taken?', 'Parcels of 2 to 5 kg are taken.', false],
  ['Is a parcel of 12 kg taken?', 'Parcels up to 20 cm are taken.', true],
  ['72岁的人要买票吗？', '70岁以上免票。', false],
  ['65岁的人要买票吗？', '70岁以上免票。', true],
  ['6个人坐得下吗？', '可坐4至8人。', false],
  ['6个人坐得下吗？', '须坐满50%以上。', true],
])('%s of: %s', async (question, text, lacks) => {
  expect(await lacksNumber(question, text)).toBe(lacks)
})
