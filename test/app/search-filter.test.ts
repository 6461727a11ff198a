import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import type { SearchOptions } from '../../src/index.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from '../server/api.ts'

let sandbox: Sandbox
let passim: Passim

/** Many notes that say much of the fox, and two that mention it once. */
const NOTES = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`note-${at}.txt`, `The fox, a red fox. Note ${at}.`]),
)
const FEW = {
  'ada.txt': 'Once, in a long report on hens, a fox.',
  'bob.txt': 'Eggs and straw, hens and a fox.',
}

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ ...NOTES, ...FEW })])
  const attributes = {
    'ada.txt': { author: 'Ada', year: 2021 },
    'bob.txt': { author: 'Bob', year: 2019 },
  }
  for (const [name, values] of Object.entries(attributes)) {
    await passim.setAttributes(
      (await passim.scope.findDocument(name, await passim.scope.findCollections())).id,
      values,
    )
  }
})
afterAll(() => sandbox.remove())

const names = async (options: Partial<SearchOptions>) =>
  (await passim.search({ query: 'red fox', limit: 5, ...options })).map(hit => hit.name).toSorted()

describe.each(['keyword', 'vector', 'hybrid', 'front-page'] as const)(
  'a filtered search by %s',
  mode => {
    const check = async (filter: SearchOptions['filter'], expected: readonly string[]) =>
      expect(await names({ filter, mode })).toEqual(expected)

    test('finds the few that meet it, though many others match better', () =>
      check('author=Ada', ['ada.txt']))
    test('takes expressions', () =>
      check({ type: 'in', key: 'author', value: ['Ada', 'Bob'] }, ['ada.txt', 'bob.txt']))
    test('compares facts of the document too', () =>
      check('name in ada.txt, note-7.txt', ['ada.txt', 'note-7.txt']))
    test('finds nothing when no document meets it', () => check('author=Eve', []))
    test('leaves out the few that do not', async () =>
      expect(await names({ filter: 'author not in Ada,Bob', mode, limit: 100 })).toEqual(
        Object.keys(NOTES).toSorted(),
      ))
  },
)

test('a changed attribute counts at once', async () => {
  const { id } = await passim.scope.findDocument('note-1.txt', await passim.scope.findCollections())
  expect(await names({ filter: 'year=2030' })).toEqual([])
  await passim.setAttributes(id, { year: 2030 })
  expect(await names({ filter: 'year=2030' })).toEqual(['note-1.txt'])
})
test('documents and a filter must both hold', async () => {
  expect(await names({ documents: ['ada.txt', 'note-3.txt'], filter: 'year>2020' })).toEqual([
    'ada.txt',
  ])
})
test('a filter that is none is refused', async () => {
  await expect(passim.search({ query: 'fox', filter: 'year' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  await expect(passim.search({ query: 'fox', pages: [3, 2] })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})
test('an attribute that no document has is told of, with those that there are', async () => {
  const [warning, ...more] = await passim.searchWarnings({ filter: 'lang=zh and author=Eve' })
  expect(warning).toMatchObject({ code: 'unknown_attribute' })
  expect(warning?.message).toMatch(
    /attribute lang\b.* There are: author, .*name, source, title, year\./,
  )
  expect(more).toEqual([])
  expect(await passim.searchWarnings({})).toEqual([])
  const answer = await new Api(passim).json('POST', '/api/search', {
    query: 'fox',
    filter: 'lang!=zh',
  })
  expect(answer).toMatchObject({ warnings: [warning] })
})
test('the search route filters', async () => {
  const api = new Api(passim)
  const filtered = { query: 'fox', filter: { type: 'eq', key: 'author', value: 'Bob' } }
  expect(await api.json('POST', '/api/search', filtered)).toMatchObject({
    hits: [{ title: 'bob.txt' }],
  })
  expect(
    await api.refusal('POST', '/api/search', { query: 'fox', filter: { type: 'eq' } }),
  ).toMatchObject({
    status: 400,
  })
})
