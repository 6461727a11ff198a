import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toAnswerJson } from '../../src/app/answer-json.ts'
import type { Passim } from '../../src/app/passim.ts'
import { importStore, type SearchOptions } from '../../src/index.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXTS = {
  'laptop.txt': 'The laptop weighs a kilogram, and it has no fan.',
  'notebook.txt': 'A notebook weighs a kilogram, and it has no fan.',
  'zh.txt': '公司为每位员工配备一台随身机，并且负责维修。',
  'desk.txt': 'A personal computer stands below every desk there.',
  'apart.txt': 'The computer of the clerk is a personal one there.',
  'garden.txt': 'The garden closes when the gardener goes home.',
  'heater.txt': 'The weaver repairs the heater of the house.',
}

const LIST = `# ours
laptop, notebook、随身机
PC => personal computer
zzyzx, heater`

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write(TEXTS)])
})
afterAll(() => sandbox.remove())

const find = async (query: string, options: Partial<SearchOptions> = {}) =>
  await passim.search({ query, mode: 'keyword', ...options })
const namesOf = async (query: string, options: Partial<SearchOptions> = {}) =>
  (await find(query, options)).map(({ name }) => name)

test('what is set is found by the next search, without indexing, until it is cleared', async () => {
  expect(await namesOf('laptop')).toEqual(['laptop.txt'])
  expect(await passim.synonyms.set(LIST)).toMatchObject({ collection: 'default', groups: 3 })
  expect((await namesOf('laptop')).toSorted()).toEqual(['laptop.txt', 'notebook.txt', 'zh.txt'])
  expect(await passim.synonyms.get()).toMatchObject({ text: LIST })
  await passim.synonyms.clear()
  expect(await namesOf('laptop')).toEqual(['laptop.txt'])
  expect(await passim.synonyms.get()).toMatchObject({ text: '', groups: 0 })
})

test('a faulty list changes nothing', async () => {
  await passim.synonyms.set(LIST)
  await expect(passim.synonyms.set('a, b\nc')).rejects.toThrow('line 2')
  expect(await passim.synonyms.get()).toMatchObject({ text: LIST })
  await expect(passim.synonyms.set(LIST, 'nowhere')).rejects.toMatchObject({ code: 'not_found' })
})

describe('with synonyms', () => {
  beforeAll(async () => {
    await passim.synonyms.set(LIST)
  })

  test('both directions, other forms and other languages are found', async () => {
    expect((await namesOf('notebooks')).toSorted()).toEqual([
      'laptop.txt',
      'notebook.txt',
      'zh.txt',
    ])
    expect(await namesOf('随身机')).toContain('laptop.txt')
    expect((await namesOf('laptop', { mode: 'hybrid', limit: 3 })).toSorted()).toEqual([
      'laptop.txt',
      'notebook.txt',
      'zh.txt',
    ])
  })

  test('a synonym of several words is a phrase, and one direction is one', async () => {
    expect(await namesOf('PC')).toEqual(['desk.txt'])
    expect(await namesOf('personal computer')).not.toContain('garden.txt')
    expect((await find('personal computer'))[0]?.synonyms).toBeUndefined()
  })

  test('a text with a term and its synonym counts once', async () => {
    const [laptop, notebook] = await find('laptop kilogram', { limit: 2, explain: true })
    expect(laptop?.score).toBeCloseTo(notebook?.score ?? 0, 5)
    expect(notebook?.explain?.terms.map(({ term }) => term).toSorted()).toHaveLength(2)
  })

  test('a hit by a synonym is as sure as one by the word', async () => {
    const hits = await find('laptop kilogram', { mode: 'hybrid' })
    const sureness = new Map(hits.map(hit => [hit.name, hit.confidence]))
    expect(sureness.get('notebook.txt')).toBeCloseTo(sureness.get('laptop.txt') ?? 0, 1)
    expect(hits.find(({ name }) => name === 'notebook.txt')?.weak).toBe(false)
  })

  test('hits state the synonyms, and a word with one is no slip', async () => {
    const [hit] = await find('zzyzx')
    expect(hit).toMatchObject({
      name: 'heater.txt',
      synonyms: [{ from: 'zzyzx', to: ['heater'] }],
    })
    expect(hit?.corrected).toBeUndefined()
    expect((await find('garden'))[0]?.synonyms).toBeUndefined()
  })

  test('an answer states the synonyms and corrections of its searches', async () => {
    const ask = async (question: string) => toAnswerJson(await passim.ask({ question }).result)
    expect((await ask('What does the laptop weigh?')).synonyms).toEqual([
      { from: 'laptop', to: ['notebook', '随身机'] },
    ])
    expect((await ask('Who repairs the heatter of the house?')).corrected).toEqual([
      { from: 'heatter', to: ['heater'] },
    ])
    const plain = await ask('When does the garden close?')
    expect(plain).not.toHaveProperty('synonyms')
    expect(plain).not.toHaveProperty('corrected')
  })

  test('other collections are not concerned', async () => {
    await passim.index([sandbox.path('')], { collection: 'other' })
    expect(await namesOf('laptop', { collections: ['other'] })).toEqual(['laptop.txt'])
  })

  test('vector search and quoted phrases stay as they are', async () => {
    expect((await find('laptop', { mode: 'vector' }))[0]?.synonyms).toBeUndefined()
    expect(await namesOf('"laptop"')).toEqual(['laptop.txt'])
  })

  // A backup becomes a store with a catalog of its own.
  test.skipIf(process.env.PASSIM_TEST_STORES === 'postgres')('they are in a backup', async () => {
    const file = `${sandbox.folder}/synonyms.passim`
    await passim.export(file)
    const home = `${sandbox.folder}/imported`
    await importStore(home, file)
    const imported = await sandbox.open({ home })
    expect(await imported.synonyms.get()).toMatchObject({ text: LIST })
  })

  test('they come back with a deleted collection', async () => {
    await passim.collections.delete(await passim.scope.findCollection('default'))
    await passim.restoring.run(await passim.restoring.find({ collection: 'default' }))
    expect(await passim.synonyms.get()).toMatchObject({ text: LIST })
  })
})
