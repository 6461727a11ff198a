import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/index.ts'
import { Sandbox } from '../fakes/store.ts'

const CHAPTERS = [
  'Winding the clock',
  'Setting the hands',
  'Oiling the wheels',
  'Mending the chime',
  'Storing the key',
]
const CONTENTS = CHAPTERS.map(
  chapter => `- [${chapter}](#${chapter.toLowerCase().replaceAll(' ', '-')})`,
).join('\n')
const BODY = CHAPTERS.map(
  chapter => `## ${chapter}\n\nFor ${chapter.toLowerCase()} open the case and take care.`,
)

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const text = `# Clocks\n\n## Contents\n\n${CONTENTS}\n\n${BODY.join('\n\n')}\n`
  await passim.index([await sandbox.write({ 'clocks.md': text })])
})
afterAll(() => sandbox.remove())

test('a contents page is stored and found, but after the text that it lists', async () => {
  for (const chapter of CHAPTERS) {
    const hits = await passim.search({ query: chapter, mode: 'keyword' })
    expect(hits[0]).not.toHaveProperty('isListing')
    expect(hits[0]!.text).toContain(`For ${chapter.toLowerCase()}`)
    const listed = hits.findIndex(hit => hit.isListing)
    expect(hits[listed]!.text).toContain(CHAPTERS.join('\n\n'))
    expect(hits.slice(listed + 1).filter(hit => !hit.weak)).toEqual([])
  }
})
