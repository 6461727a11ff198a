import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const folder = await sandbox.write({
    'three.txt': 'The sheet says three in the margin.',
    'floor.txt': 'The desk is on the 2nd floor of the tower.',
    'dozen.txt': 'The box has a dozen of them.',
    'share.txt': 'The share is 50% of the sum.',
    'morning.txt': 'The shop opens at 9am daily.',
    'train.txt': 'The train departs at 14:30 daily.',
    'decade.txt': 'The bridge is from the 1990s.',
    'quarter.txt': 'The report covers Q3 only.',
    'plain.txt': 'The garden has a gate and 90 trees.',
  })
  await passim.index([folder])
})
afterAll(() => sandbox.remove())

test.each([
  ['3', 'three.txt'],
  ['second floor', 'floor.txt'],
  ['12', 'dozen.txt'],
  ['half', 'share.txt'],
  ['9:00', 'morning.txt'],
  ['2:30 pm', 'train.txt'],
  ['nineties', 'decade.txt'],
  ['third quarter', 'quarter.txt'],
])('%s is found in its other form', async (query, name) => {
  const [hit] = await passim.search({ query, mode: 'keyword' })
  expect(hit).toMatchObject({ name, weak: false })
  expect(hit?.corrected).toBeUndefined()
})

test('a number that no text has in another form adds nothing', async () => {
  const [hit] = await passim.search({ query: 'gate 7', mode: 'keyword' })
  expect(hit?.name).toBe('plain.txt')
  expect(hit?.forms).toBeUndefined()
})
