import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import type { SearchOptions } from '../../src/index.ts'
import type { HitSelection } from '../../src/search/searcher.ts'
import { Sandbox } from '../fakes/store.ts'

const DUES = Array.from(
  { length: 6 },
  (_, at) => `Part ${at} on dues of the quay. ${`Due ${at} rises. `.repeat(25)}`,
)
const TEXTS = {
  'fee.txt': 'The harbour fee is due on Monday.',
  'copy.txt': 'The harbour  fee is\ndue on Monday.\n',
  'other.txt': 'A harbour fee is paid by ships.',
  'quay.md': `# Quay\n\n## Dues\n\n${DUES.join('\n\n')}\n\n## Pilots\n\nA pilot of the quay is paid.`,
}

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ settings: { chunking: { tokens: 100, overlap: 0 } } })
  await passim.index([await sandbox.write(TEXTS)])
})
afterAll(() => sandbox.remove())

const search = (options: Partial<SearchOptions> = {}, selection?: HitSelection) =>
  passim.search({ query: 'harbour fee due', mode: 'keyword', limit: 2, ...options }, selection)

test('a passage that stands in two documents is one hit that names the other, and another takes its place', async () => {
  const hits = await search()
  expect(hits).toHaveLength(2)
  expect([hits[0]!.name, ...hits[0]!.copies!.map(copy => copy.name)].toSorted()).toEqual([
    'copy.txt',
    'fee.txt',
  ])
  expect(hits[1]!.name).toBe('other.txt')
})
test('each is a hit where every passage is asked for', async () => {
  const hits = await search({}, 'every')
  expect(hits.map(hit => hit.name).toSorted()).toEqual(['copy.txt', 'fee.txt'])
  expect(hits.every(hit => hit.copies === undefined)).toBe(true)
})
test('two hits of a section are shown, others in their place, all of them to models', async () => {
  const sections = async (limit: number, selection?: HitSelection) => {
    const hits = await search({ query: 'quay', documents: ['quay.md'], limit }, selection)
    return hits.map(({ headings }) => headings.at(-1))
  }
  expect((await sections(4)).toSorted()).toEqual(['Dues', 'Dues', 'Pilots', 'Quay'])
  const all = await sections(20, 'distinct')
  expect(all.filter(name => name === 'Dues').length).toBeGreaterThan(2)
})
test('options of search that are gone are refused by name', async () => {
  for (const gone of ['fold', 'perSection', 'merge', 'diversity'])
    await expect(search({ [gone]: 0 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(gone),
    })
})
