import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { Sandbox } from '../fakes/store.ts'

/** In the first collection every text is of foxes, so the word says little there; in the second one is. */
const FOXES = {
  'a.txt': 'The fox sleeps in the wood.',
  'b.txt': 'A fox, and another fox, near a river.',
  'c.txt': 'Foxes eat mice. A fox hears well.',
  'd.txt': '狐狸在河边睡觉。',
}
const BOATS = {
  'e.txt': 'A boat on the river, and a fox on the boat.',
  'f.txt': 'The boat is painted red.',
  'g.txt': 'Rivers carry boats to the sea.',
  'h.txt': '船在河上。',
}

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const write = (folder: string, texts: Readonly<Record<string, string>>) =>
    sandbox.write(
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [`../${folder}/${name}`, text]),
      ),
    )
  await write('foxes', FOXES)
  await write('boats', BOATS)
  await write('all', { ...FOXES, ...BOATS })
  for (const folder of ['foxes', 'boats', 'all'])
    await passim.index([sandbox.path(`../${folder}`)], { collection: folder })
})
afterAll(() => sandbox.remove())

test.each(['keyword', 'vector', 'hybrid'] as const)(
  'two collections by %s are ranked as one with all their documents',
  async mode => {
    for (const query of [
      'fox river',
      'red boat',
      '河',
      'a fox on the boat',
      'a river, a boat, and a river',
    ]) {
      const find = async (collections: readonly string[]) =>
        await passim.search({ query, mode, collections, limit: 8 })
      const [one, two] = [await find(['all']), await find(['foxes', 'boats'])]
      expect(
        two.map(hit => hit.name),
        query,
      ).toEqual(one.map(hit => hit.name))
      expect(await find(['boats', 'foxes'])).toEqual(two)
      const holders = await Promise.all(two.map(hit => passim.library.find(hit.documentId)))
      expect(two.map(hit => hit.collectionId)).toEqual(
        holders.map(document => document?.collectionId),
      )
    }
  },
)
test('in a question as long as a page the last words count too', async () => {
  const words = Array.from(
    { length: 80 },
    (_, at) => `q${'bcdfghjklm'[at % 10]}${'pqrstvwxz'[Math.floor(at / 10)]}x`,
  )
  const query = [...words, 'red', 'boat', ...words].join(' ')
  const hits = await passim.search({ query, mode: 'keyword', collections: ['foxes', 'boats'] })
  expect(hits[0]!.name).toBe('f.txt')
  expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score)
})
test('the beginnings of documents of both', async () => {
  const hits = await passim.search({
    query: '',
    mode: 'front-page',
    collections: ['foxes', 'boats'],
    limit: 20,
  })
  expect(hits.map(hit => hit.name).toSorted()).toEqual(Object.keys({ ...FOXES, ...BOATS }))
})
test('an empty collection adds nothing', async () => {
  await passim.collections.findOrCreate('empty')
  const [alone, both] = [
    await passim.search({ query: 'fox', collections: ['boats'] }),
    await passim.search({ query: 'fox', collections: ['boats', 'empty'] }),
  ]
  expect(both).toEqual(alone)
})
