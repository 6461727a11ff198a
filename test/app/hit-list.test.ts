import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app.ts'
import type { SearchOptions } from '../../src/index.ts'
import { Sandbox } from '../fakes/store.ts'

const LONG = Array.from(
  { length: 6 },
  (_, at) => `Part ${at} of the long report on harbour fees. ${'Fees rise. '.repeat(30)}`,
)
const DUES = Array.from(
  { length: 6 },
  (_, at) => `Part ${at} on dues of the quay. ${`Due ${at} rises. `.repeat(25)}`,
)
const TEXTS = {
  'fee.txt': 'The harbour fee is due on Monday.',
  'copy.txt': 'The harbour  fee is\ndue on Monday.\n',
  'other.txt': 'A harbour fee is paid by ships.',
  'long.txt': LONG.join('\n\n'),
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

const search = (options: Partial<SearchOptions> = {}) =>
  passim.search({ query: 'harbour fee due', mode: 'keyword', limit: 2, ...options })

test('a passage that stands in two documents is one hit that names the other, and another takes its place', async () => {
  const hits = await search()
  expect(hits).toHaveLength(2)
  expect([hits[0]!.name, ...hits[0]!.copies!.map(copy => copy.name)].toSorted()).toEqual([
    'copy.txt',
    'fee.txt',
  ])
  expect(hits[1]!.name).toBe('other.txt')
})
test('each is shown where that is asked for', async () => {
  const hits = await search({ fold: false })
  expect(hits.map(hit => hit.name).toSorted()).toEqual(['copy.txt', 'fee.txt'])
  expect(hits.every(hit => hit.copies === undefined)).toBe(true)
})
test('neighbouring passages become one, exactly the text of their place', async () => {
  const where = { query: 'report harbour fees', documents: ['long.txt'], limit: 20 }
  const single = await search(where)
  const merged = await search({ ...where, merge: true })
  expect(single.length).toBeGreaterThan(3)
  expect(merged.length).toBeLessThan(single.length)
  for (const { documentId, charStart, charEnd, text } of merged)
    expect(await passim.library.read(documentId, charStart, charEnd)).toBe(text)
  const covers = (start: number) =>
    merged.some(hit => hit.charStart <= start && start < hit.charEnd)
  expect(single.every(hit => covers(hit.charStart))).toBe(true)
  expect(merged[0]!.score).toBe(single[0]!.score)
})
test('with diversity, a hit like the first gives way to another', async () => {
  const plain = (await search({ query: 'harbour fees', limit: 3 })).map(hit => hit.name)
  const varied = (await search({ query: 'harbour fees', limit: 3, diversity: 0.9 })).map(
    hit => hit.name,
  )
  expect(varied[0]).toBe(plain[0])
  expect(new Set(varied).size).toBeGreaterThanOrEqual(new Set(plain).size)
  await expect(search({ diversity: 2 })).rejects.toMatchObject({ code: 'invalid_input' })
})
test('two hits of a section are shown, others in their place, more where that is asked for', async () => {
  const sections = async (options: Partial<SearchOptions>) => {
    const hits = await search({ query: 'quay', documents: ['quay.md'], limit: 4, ...options })
    return hits.map(({ headings }) => headings.at(-1))
  }
  expect((await sections({})).toSorted()).toEqual(['Dues', 'Dues', 'Pilots', 'Quay'])
  expect((await sections({ perSection: 1 })).toSorted()).toEqual(['Dues', 'Pilots', 'Quay'])
  expect(
    (await sections({ perSection: 0, limit: 20 })).filter(name => name === 'Dues').length,
  ).toBeGreaterThan(2)
  await expect(sections({ perSection: -1 })).rejects.toMatchObject({ code: 'invalid_input' })
})
