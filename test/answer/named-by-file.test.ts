import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive-answerer.ts'
import type { Meaning } from '../../src/search/meaning.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

const usual = (text: string) => (/\p{Script=Han}/u.test(text) ? 0.86 : 0.82)

/** Everything is as near to every question as the sentences of a passage that was found are with the shipped model. */
const USUAL: Meaning = {
  measureNearness: async (_, sentences) => ({
    cosines: sentences.map(({ text }) => usual(text)),
    unrelated: { en: 0.75, zh: 0.75 },
  }),
  areSmallTalk: async sentences => sentences.map(() => false),
}

const ENGLISH =
  '# Technical details\n\nIt weighs 2.4 kg with all pegs. Unfold the poles before you lift the frame.'
const CHINESE = '# 技术参数\n\n整套重2.4公斤。先展开支杆，再固定四角。'

async function ask(question: string, name: string, text: string) {
  const memory = new MemorySearcher([{ name, text }])
  const hits = await memory.search({ text, collectionIds: ['default'], limit: 8 })
  const searcher = { search: async () => hits }
  const answerer = new ExtractiveAnswerer({ searcher, reader: memory, meaning: USUAL })
  return collectAnswer(
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
    }),
  )
}

test.each(['tent-manual.pdf', 'tent_manual.pdf', 'TentManual.pdf'])(
  '%s tells that its sentences are about a tent',
  async name => {
    expect((await ask('How heavy is the tent?', name, ENGLISH)).answer).toContain(
      'It weighs 2.4 kg',
    )
  },
)
test('the name of a file tells it in Chinese, too', async () => {
  expect((await ask('帐篷有多重？', '帐篷-说明书.pdf', CHINESE)).answer).toContain('整套重2.4公斤')
})
test('nothing is told of what neither the file nor its sentences name', async () => {
  expect(await ask('How heavy is the stove?', 'tent-manual.pdf', ENGLISH)).toMatchObject({
    abstained: true,
  })
})
test('nor what its sentences do not say of what the file names', async () => {
  expect(await ask('What does the tent cost?', 'tent-manual.pdf', ENGLISH)).toMatchObject({
    abstained: true,
  })
})
