import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'

/** All about foxes at the river, one that has two of the words and is about something else, and hens. */
const FOXES = ['dawn', 'noon', 'dusk', 'night', 'rain', 'snow'].map(
  (when, at) =>
    [
      `fox-${at}.txt`,
      `At ${when} the red fox sleeps in its den by the quiet river under old willows.`,
    ] as const,
)
const TEXTS = {
  ...Object.fromEntries(FOXES),
  'near.txt': 'The red fox sleeps by the quiet river under old willows.',
  'paint.txt': 'Paint the den red with a wide brush and let two coats dry for a day.',
  'hens.txt': 'Hens lay eggs in straw.',
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
  await (await sandbox.open()).index([await sandbox.write(TEXTS)])
})
afterAll(() => sandbox.remove())

test('what is like the best hits comes before what has more of the words', async () => {
  const passim = await sandbox.open()
  const hits = await passim.search({ query: 'red den', limit: 9 })
  expect(hits.slice(FOXES.length).map(({ name }) => name)).toEqual([
    'near.txt',
    'paint.txt',
    'hens.txt',
  ])
})
