import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive-answerer.ts'
import { openLexicon } from '../../src/app/lexicon.ts'
import type { Meaning } from '../../src/search/meaning.ts'
import type { Query } from '../../src/search/searcher.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

const LEXICON = openLexicon()

const LIKE: Readonly<Record<string, string>> = {
  功率: 'power',
  编辑: 'edited',
  清洗: 'wash',
  滤网: 'sieve',
}
const NEAR = 0.85
const FAR = 0.8

/** What tells of a thing is a little nearer than the rest, too little by itself; words are near to their translations only. */
function meaningOf(thing: RegExp): Meaning {
  const cosine = (question: string, text: string) => {
    if (/^\p{L}+$/u.test(text)) return (LIKE[question] ?? question) === text ? 0.9 : FAR
    return thing.test(text) ? NEAR : FAR
  }
  return {
    measureNearness: async (question, sentences) => ({
      cosines: sentences.map(({ text }) => cosine(question, text)),
      unrelated: { en: FAR },
    }),
    areSmallTalk: async sentences => sentences.map(() => false),
  }
}

const CATALOGUE = [
  '# Goods\n\nModel | Power | Price\nQX-7 | 800 W | 41 euros\nQX-9 | 950 W | 55 euros',
  'The Marlow Gazette comes out on Fridays. It has nine thousand readers. It is edited by Ida Brandt in the old mill.',
  'Wash the sieve under running water and let it dry.',
  'Boxes are stacked no higher than a person can reach.',
  'The storeroom is locked at night and whenever nobody is there.',
  'The forklift is driven by trained people. They wear a helmet and a yellow vest.',
  'Visitors sign the book at the gate. They are led by somebody from the office.',
].join('\n\n')

async function ask(question: string, thing: RegExp, own?: string) {
  const memory = new MemorySearcher([
    { name: 'goods.md', text: CATALOGUE },
    ...(own ? [{ name: 'own.md', text: own }] : []),
  ])
  const inOwn = own ? await memory.search({ text: own, collectionIds: ['default'], limit: 1 }) : []
  const hits = await memory.search({ text: CATALOGUE, collectionIds: ['default'], limit: 8 })
  const first = hits.toSorted((a, b) => Number(thing.test(b.text)) - Number(thing.test(a.text)))
  const searcher = { search: async ({ filter }: Query) => (filter ? first : inOwn) }
  const answerer = new ExtractiveAnswerer({
    searcher,
    reader: memory,
    meaning: meaningOf(thing),
    lexicon: LEXICON,
  })
  return collectAnswer(
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
    }),
  )
}

test('an article that the question names is found in a table of the other language, which is said', async () => {
  const { answer } = await ask('QX-7 的功率是多少？', /QX-7/)
  expect(answer).toBe('文档原文（英文）：\nModel: QX-7; Power: 800 W; Price: 41 euros [1]')
})
test('an article that stands in no document is not answered by another', async () => {
  expect(await ask('QX-8 的功率是多少？', /QX-7/)).toMatchObject({ abstained: true })
})
test('a refusal shows the likeliest passage first, in either language', async () => {
  const { abstained, citations } = await ask(
    'QX-8 的功率是多少？',
    /QX-7/,
    '仓库夜间上锁。\n\n来客在门口登记。',
  )
  expect(abstained).toBe(true)
  expect(citations[0]?.text).toContain('QX-7')
})
test('a sentence that points back speaks of what is named before it', async () => {
  expect((await ask('Marlow 由谁编辑？', /Marlow/)).answer).toContain(
    'It is edited by Ida Brandt in the old mill.',
  )
})
test('where nearly all words of a question have a counterpart, the sentence need not be near as a whole', async () => {
  expect((await ask('怎样清洗滤网？', /sieve/)).answer).toContain(
    'Wash the sieve under running water',
  )
})
