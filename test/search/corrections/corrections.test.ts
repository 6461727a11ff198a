import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDictionaries, openLexicon } from '../../../src/app/lexicon.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { Corrections } from '../../../src/search/corrections/corrections.ts'
import type { IndexReader } from '../../../src/search/index-reader.ts'
import { CountedTerms } from '../../../src/search/term-rarity.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeEach(async () => {
  sandbox = await Sandbox.make()
  const folder = await sandbox.write({
    'heat.txt': 'The thermostat is broken.',
    'zh.txt': '该事项属于账号类别，更换了软件。',
    'taiwan.txt': '請把印表機搬走。',
    'animals.txt': 'Two mice and a house.',
    'city.txt': 'The parcel came from Łódź by road.',
    'base.txt': 'One sheet deals with the database alone.',
    'gauge.txt': 'Calibration: two calibrations a year, and calibrations after a fall.',
    'account.txt': '請先開立賬戶。',
    'care.txt': 'One sheet deals with health care alone.',
    'list.txt': 'The check was made; it is on a list beside the checklist.',
    'codes.txt': 'The codes are zorfa and vimto, in sequence zorfa vimto.',
    'other.txt': 'One sheet deals with nothing else: no base of health, take care.',
  })
  passim = await sandbox.open()
  await passim.index([folder])
})
afterEach(async () => {
  await sandbox.remove()
})

const search = async (query: string) => {
  const [hit] = await passim.search({ query, mode: 'keyword' })
  return { name: hit?.name, corrected: hit?.corrected }
}

describe('a word that no text has is read as a near one, and the hits say so', () => {
  test.each([
    ['thermosat', 'heat.txt', 'thermostat'],
    ['mouse', 'animals.txt', 'mice'],
    ['lodz', 'city.txt', 'Łódź'],
    ['calibratoin', 'gauge.txt', 'calibrations'],
    ['帳戶', 'account.txt', '賬戶'],
    ['帐号', 'zh.txt', '账号'],
    ['軟體', 'zh.txt', '软件'],
    ['打印机', 'taiwan.txt', '印表'],
    ['data base', 'base.txt', 'database'],
    ['healthcare', 'care.txt', 'health care'],
    ['check list', 'list.txt', 'checklist'],
  ])('%s', async (query, name, to) => {
    const found = await search(query)
    expect(found.name).toBe(name)
    expect(found.corrected?.flatMap(one => one.to)).toContain(to)
  })
})

test('a correction is a word of a text also where another text was found', async () => {
  const query = 'thermostat broken calibratoin'
  const [hit] = await passim.search({ query, mode: 'keyword', limit: 1 })
  expect(hit).toMatchObject({
    name: 'heat.txt',
    corrected: [{ from: 'calibratoin', to: ['calibrations'] }],
  })
})

test('a word that a text has is not corrected', async () => {
  expect(await search('thermostat')).toEqual({ name: 'heat.txt', corrected: undefined })
  expect(await search('账号')).toEqual({ name: 'zh.txt', corrected: undefined })
})

test('a word that is written as two elsewhere is not divided, and two words in sequence stay two', async () => {
  expect((await search('database')).corrected).toBeUndefined()
  expect((await search('health care')).corrected).toBeUndefined()
  expect((await search('take checklist')).corrected).toBeUndefined()
})

test('parts that are no words make no compound', async () => {
  expect((await search('zorfavimto')).corrected).toBeUndefined()
})

test('a hit with a corrected word is not weak, and as sure as one with the word', async () => {
  const judge = async (query: string) => {
    const [hit] = await passim.search({ query, mode: 'keyword' })
    return { name: hit?.name, weak: hit?.weak, confidence: hit?.confidence?.toFixed(1) }
  }
  for (const [slip, word] of [
    ['thermosat', 'thermostat'],
    ['mouse', 'mice'],
    ['data base', 'database'],
    ['healthcare', 'health care'],
    ['帐号', '账号'],
  ] as const) {
    const found = await judge(slip)
    expect(found).toEqual({ ...(await judge(word)), weak: false })
  }
})

test('another word of the language is no slip', async () => {
  expect((await search('horse')).corrected).toBeUndefined()
})

test('no text is read for a word that nothing is near', async () => {
  const readings = openLexicon().readings
  const corrections = new Corrections(new Analyzer(), { ...openDictionaries(), readings })
  const holders = new Map([['thermostat', 2]])
  const counts = new CountedTerms([{ revision: '1', chunks: 2_000, sampled: 1_000, holders }])
  const scope = { counts, index: {} as IndexReader, explained: new Set<string>() } // asks nothing of it
  let reads = 0
  const found = {
    hits: [],
    async *readOthers() {
      reads++
      yield []
    },
  }
  expect(await corrections.correct('zzyzxq', { ...scope, found })).toBeUndefined()
  expect(reads).toBe(0)
})

test.each([
  ['One thermostat broke', 1],
  ['One thermosaturn broke', 1],
  ['Two thermosats broke', 0],
])('the index is not asked for a word that a found text has: %s', async (text, expected) => {
  const readings = openLexicon().readings
  const corrections = new Corrections(new Analyzer(), { ...openDictionaries(), readings })
  const holders = new Map([['thermostat', 2]])
  const counts = new CountedTerms([{ revision: '1', chunks: 2_000, sampled: 1_000, holders }])
  let asked = 0
  const index = {
    findWithAllTerms: async () => {
      asked++
      return []
    },
  } as unknown as IndexReader // all that corrections ask of it
  const found = { hits: [{ context: '', text }], async *readOthers() {} }
  await corrections.correct('thermosat', { counts, index, explained: new Set(), found })
  expect(asked).toBe(expected)
})
