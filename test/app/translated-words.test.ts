import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim, SearchOptions } from '../../src/index.ts'
import { Sandbox } from '../fakes/store.ts'

const ENGLISH = {
  'printer.txt': 'The printer on the second floor is out of paper. A printer is a machine.',
  'dogs.txt': 'Dogs may come to the office, and the invoice goes to the desk.',
}
const CHINESE = {
  'leave.txt': '工作满一年的员工享有五天年假。',
  'invoice.txt': '出差结束后提交发票原件。',
}

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  for (const [folder, texts] of Object.entries({
    both: { ...ENGLISH, ...CHINESE },
    english: ENGLISH,
  })) {
    await sandbox.write(
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [`../${folder}/${name}`, text]),
      ),
    )
    await passim.index([sandbox.path(`../${folder}`)], { collection: folder })
  }
})
afterAll(() => sandbox.remove())

const search = (query: string, options: Partial<SearchOptions> = {}) =>
  passim.search({ query, mode: 'keyword', collections: ['both'], ...options })
const names = async (query: string, options?: Partial<SearchOptions>) =>
  (await search(query, options)).map(hit => hit.name)

test('in a collection of both languages a word finds what means it in the other', async () => {
  expect(await names('annual leave')).toEqual(['leave.txt'])
  expect(await names('打印机')).toEqual(['printer.txt'])
})
test('one character of a meaning finds nothing alone', async () => {
  await sandbox.write({
    '../notes/en.txt': 'The cat of the house is out, and so is the dog.',
    '../notes/zh.txt': '电池放在桌子上的盒子里，不是这一只。',
    '../notes/mice.txt': '老鼠在仓库里咬坏了电线。',
  })
  await passim.index([sandbox.path('../notes')], { collection: 'notes' })
  expect(await names('mouse', { collections: ['notes'] })).toEqual(['mice.txt'])
  expect(await names('mouse pad', { collections: ['notes'] })).toEqual(['mice.txt'])
})
test('what holds the words themselves comes first', async () =>
  expect(await names('发票')).toEqual(['invoice.txt', 'dogs.txt']))
test('several collections are searched so, too', async () =>
  expect(await names('annual leave', { collections: ['english', 'both'] })).toEqual(['leave.txt']))
test('where a collection has no text in the other language, words are looked for in their own', async () => {
  expect(await names('annual leave', { collections: ['english'] })).toEqual([])
  expect(await names('打印机', { collections: ['english'] })).toEqual(['printer.txt'])
})
test('a hit in the other language says which of its words were meant, by the weight that they have', async () => {
  const [hit] = await search('打印机', { explain: true })
  const terms = hit!.explain!.terms
  expect(terms.map(({ term }) => term)).toEqual(['printer'])
  expect(terms[0]!.weight).toBeGreaterThanOrEqual(hit!.score)
})
test('hybrid search finds by such words as well', async () => {
  const [hit] = await search('annual leave', { mode: 'hybrid' })
  expect(hit).toMatchObject({ name: 'leave.txt', fused: { keyword: expect.any(Number) } })
  expect(hit!.fused!.keyword).toBeGreaterThan(0)
})
test('where nothing is written in the language of the query, what its words mean counts in full', async () => {
  const keywordShare = async (collection: string) => {
    const [hit] = await search('打印机', { mode: 'hybrid', collections: [collection] })
    return hit!.fused!.keyword
  }
  expect(await keywordShare('both')).toBeLessThan(0.3)
  expect(await keywordShare('english')).toBeGreaterThan(0.45)
})
