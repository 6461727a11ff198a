import { appendFile, copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  loadTokenizer,
  PACKED,
  packTokenizer,
  readPacked,
} from '../../src/ingest/embed/local-tokens.ts'

const MODEL = fileURLToPath(
  new URL('../../data/models/multilingual-e5-small-enzh', import.meta.url),
)
const TEXT = 'Retrieval of documents, 检索 augmented 生成！\u00a8 😀 x'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-tokenizer-'))
  for (const name of [PACKED, 'tokenizer.json'])
    await copyFile(path.join(MODEL, name), path.join(folder, name))
})
afterEach(async () => rm(folder, { recursive: true }))

const own = () => readPacked(path.join(folder, PACKED), path.join(folder, 'tokenizer.json'))

test('the tables that ship are those that tokenizer.json makes', async () => {
  const made = await packTokenizer(await readFile(path.join(MODEL, 'tokenizer.json')))
  expect(Buffer.compare(made!, await readFile(path.join(MODEL, PACKED)))).toBe(0)
})

test('text is split the same by tables that were read and by tables that were made', async () => {
  const read = await loadTokenizer(folder)
  await rm(path.join(folder, PACKED))
  const made = await loadTokenizer(folder)
  expect(read.encode(TEXT, Infinity)).toEqual(made.encode(TEXT, Infinity))
  expect(read.count(TEXT)).toBe(made.count(TEXT))
})

test.each<[string, () => Promise<void>]>([
  ['are not there', () => rm(path.join(folder, PACKED))],
  ['were cut off', () => truncate(path.join(folder, PACKED), 1_000_000)],
  ['are no tables', () => writeFile(path.join(folder, PACKED), 'none')],
  [
    'are those of another tokenizer.json',
    () => appendFile(path.join(folder, 'tokenizer.json'), '\n'),
  ],
])('tokenizer.json is read itself where the tables %s', async (_, spoil) => {
  await spoil()
  expect(await own()).toBeUndefined()
  expect((await loadTokenizer(folder)).encode('a 检索', 9)).toEqual(
    (await loadTokenizer(MODEL)).encode('a 检索', 9),
  )
})

test('what is no unigram vocabulary has no tables', async () => {
  expect(await packTokenizer(Buffer.from('{"model": {"vocab": {"a": 1}}}'))).toBeUndefined()
})

test('a tokenizer.json that was cut off is named', async () => {
  await rm(path.join(folder, PACKED))
  await truncate(path.join(folder, 'tokenizer.json'), 1_000_000)
  await expect(loadTokenizer(folder)).rejects.toThrow(/Cannot read .*tokenizer\.json/)
})
