import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from '../server/api.ts'

const MANY = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`den-${at}.txt`, `The red fox in its den, number ${at}.`]),
)
const TEXTS = { ...MANY, 'coat.txt': 'A red coat.', 'hen.txt': 'Hens lay eggs.' }

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write(TEXTS)])
})
afterAll(() => sandbox.remove())

const query = 'red fox den'

test('a hit tells its terms by weight, which add up to its score, and its place in each leg', async () => {
  const hits = await passim.search({ query, mode: 'keyword', limit: 13, explain: true })
  for (const [at, { explain, score }] of hits.entries()) {
    expect(explain!.terms.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(score, 4)
    expect(explain!.keyword?.score).toBeCloseTo(score, 5)
    expect(explain!.vector?.rank).toBeGreaterThan(0)
    if (
      hits.findIndex(hit => hit.score === score) === hits.findLastIndex(hit => hit.score === score)
    )
      expect(explain!.keyword?.rank).toBe(at + 1)
  }
  const coat = hits.find(hit => hit.name === 'coat.txt')
  expect(coat?.explain?.terms.map(({ term }) => term)).toEqual(['red'])
})
test('a term that the query repeats weighs as often', async () => {
  const find = async (query: string) =>
    (await passim.search({ query, mode: 'keyword', limit: 13, explain: true })).at(-1)!
  const [once, twice] = [await find('red fox den'), await find('red fox red den')]
  expect(twice.explain!.terms).toEqual([
    { term: 'red', weight: expect.closeTo(2 * once.explain!.terms[0]!.weight, 5) },
  ])
  expect(twice.explain!.terms[0]!.weight).toBeCloseTo(twice.score, 5)
})
test('hits are the same with and without', async () => {
  const plain = await passim.search({ query, limit: 5 })
  const explained = await passim.search({ query, limit: 5, explain: true })
  expect(explained.map(({ explain: _, ...hit }) => hit)).toEqual(plain)
  expect(plain.every(hit => hit.explain === undefined)).toBe(true)
})
test('a hybrid hit tells what each leg adds to its score, and what each says of it however far down it stands', async () => {
  for (const { score, explain } of await passim.search({ query, explain: true })) {
    expect(explain!.fusion!.keyword + explain!.fusion!.vector).toBeCloseTo(score, 10)
    expect(explain!.vector?.score).toBeGreaterThan(-1)
  }
})
test('a reranked hit tells where it stood, and what both searches add to its score', async () => {
  const hits = await passim.search({ query, limit: 5, precise: true, explain: true })
  expect(hits.map(hit => hit.reranked?.rank).toSorted()).toEqual([1, 2, 3, 4, 5])
  for (const { score, reranked } of hits)
    expect(reranked!.parts!.search + reranked!.parts!.reranker).toBeCloseTo(score)
})
test('a hit tells the values that the filter looked at', async () => {
  const [hit] = await passim.search({ query, filter: 'name=coat.txt or pages>2', explain: true })
  expect(hit?.explain?.filter).toEqual({ name: 'coat.txt' })
})

const why = (document: string, options = {}) =>
  passim.why(document, { query, limit: 3, ...options })

test('a document that was found says as which hit', async () =>
  expect(await why('coat.txt', { query: 'coat' })).toMatchObject({
    outcome: 'found',
    missingTerms: [],
  }))
test('a document below the cut says where it stands and what it lacks', async () => {
  const reason = await why('coat.txt', { mode: 'keyword', query: `${query} fox` })
  expect(reason).toMatchObject({
    outcome: 'below',
    keyword: { rank: 13 },
    missingTerms: ['fox', 'den'],
  })
  expect(reason.message).toContain('number 13')
})
test('a document that the filter leaves out says so', async () =>
  expect(await why('coat.txt', { filter: 'name!=coat.txt' })).toMatchObject({
    outcome: 'filtered',
  }))
test('a document whose passage is folded into another hit says so', async () => {
  await sandbox.write({ '../copies/a.txt': 'Owls hoot.', '../copies/b.txt': 'Owls hoot.' })
  await passim.index([sandbox.path('../copies')])
  const [hit] = await passim.search({ query: 'owls' })
  const copy = hit?.name === 'a.txt' ? 'b.txt' : 'a.txt'
  expect(await why(copy, { query: 'owls' })).toMatchObject({ outcome: 'copy' })
})
test('a document that lacks the phrase, or says what is excluded, is told so', async () => {
  expect(await why('coat.txt', { query: 'red "fox in its den"' })).toMatchObject({
    outcome: 'wording',
  })
  const excluded = await why('coat.txt', { query: 'red -coat' })
  expect(excluded).toMatchObject({
    outcome: 'wording',
    message: expect.stringContaining('excludes'),
  })
})
test('a document that failed is not indexed', async () => {
  await sandbox.write({ '../broken/broken.txt': '' })
  await passim.index([sandbox.path('../broken')])
  expect(await why('broken.txt')).toMatchObject({
    outcome: 'not-indexed',
    message: expect.stringMatching(/^broken\.txt is not indexed: .*broken\.txt.* \([a-z_]+\)$/),
  })
})
test('a document that nobody knows is refused', async () =>
  await expect(why('nobody.txt')).rejects.toMatchObject({ code: 'not_found' }))
test('the search route explains', async () => {
  const body = await new Api(passim).json('POST', '/api/search', {
    query,
    limit: 1,
    explain: true,
    why: 'hen.txt',
  })
  expect(body).toMatchObject({
    hits: [{ explain: { terms: [{ weight: expect.any(Number) }, {}, {}] } }],
    why: { outcome: expect.any(String), missingTerms: ['red', 'fox', 'den'] },
  })
})
