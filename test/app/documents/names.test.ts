import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/index.ts'
import { Sandbox } from '../../fakes/store.ts'

const COMPOSED = 'r\u00e9sum\u00e9.txt'
const DECOMPOSED = COMPOSED.normalize('NFD')

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ [`a/${DECOMPOSED}`]: 'Ten years in Lyon.' })])
})
afterAll(() => sandbox.remove())

test('composed and decomposed names, and cases, are one', async () => {
  const { name } = await passim.show(DECOMPOSED)
  expect(name).toBe(DECOMPOSED)
  for (const reference of [
    COMPOSED,
    COMPOSED.toUpperCase(),
    sandbox.path(`a/${COMPOSED}`),
    'a',
    'A',
  ])
    expect(await passim.search({ query: 'Lyon', documents: [reference] })).toMatchObject([{ name }])
  const filter = `name=${COMPOSED}`
  expect(await passim.search({ query: 'Lyon', filter })).toMatchObject([{ name }])
})
