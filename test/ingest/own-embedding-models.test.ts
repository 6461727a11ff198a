import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LocalEmbedder } from '../../src/ingest/embed/local.ts'
import type { ModelSettings } from '../../src/ingest/embed/model-reading.ts'
import { FIRST, LAST, writeEmbeddingModel } from '../fixtures/embedding-model.ts'

const WORDS = { ask: 3, find: 4, red: 5, fox: 6, hat: 7 }
const FROM_SENTENCE_TRANSFORMERS = {
  'modules.json': [
    { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
  ],
  '1_Pooling/config.json': {
    word_embedding_dimension: 2,
    pooling_mode_cls_token: true,
    pooling_mode_mean_tokens: false,
  },
  'sentence_bert_config.json': { max_seq_length: 64, do_lower_case: false },
  'config_sentence_transformers.json': {
    prompts: { query: 'ask ', document: 'find ' },
    similarity_fn_name: 'cosine',
  },
}

let folder: string
const opened: LocalEmbedder[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-own-model-'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(embedder => embedder.close()))
  await rm(folder, { recursive: true })
})

async function open(model: ModelSettings = {}): Promise<LocalEmbedder> {
  const embedder = await LocalEmbedder.open({ modelPath: folder, model, workers: 1 })
  opened.push(embedder)
  return embedder
}

/** The vector that points as this one does. */
function direction(values: readonly number[]): readonly number[] {
  const length = Math.hypot(...values)
  return values.map(value => expect.closeTo(value / length, 5) as number)
}

/** The mean of what the model makes of some tokens. */
function meanOf(...ids: readonly number[]): readonly number[] {
  return direction([0, 1].map(power => ids.reduce((sum, id) => sum + id ** (power + 1), 0)))
}

async function vector(
  embedder: LocalEmbedder,
  text: string,
  role: 'query' | 'passage' = 'passage',
) {
  const [found] = await embedder.embed([text], role)
  return [...found!] // one for the text
}

test('a folder of sentence-transformers says how its model is read', async () => {
  await writeEmbeddingModel(folder, { words: WORDS, files: FROM_SENTENCE_TRANSFORMERS })
  const embedder = await open()
  expect(await vector(embedder, 'red fox')).toEqual(direction([FIRST, FIRST ** 2]))
  expect(embedder.maxTokens).toBe(64 - '[CLS] find [SEP]'.split(' ').length - 1)
  const mean = await open({ pooling: 'mean' })
  expect(await vector(mean, 'red fox')).toEqual(
    meanOf(FIRST, WORDS.find, WORDS.red, WORDS.fox, LAST),
  )
  expect(await vector(mean, 'red fox', 'query')).toEqual(
    meanOf(FIRST, WORDS.ask, WORDS.red, WORDS.fox, LAST),
  )
})

test('settings stand above the folder: prefixes, pooling, dimensions and length', async () => {
  await writeEmbeddingModel(folder, { words: WORDS, files: FROM_SENTENCE_TRANSFORMERS })
  const prefixes = { query: '', passage: 'hat ' }
  expect(await vector(await open({ prefixes, pooling: 'mean' }), 'fox')).toEqual(
    meanOf(FIRST, WORDS.hat, WORDS.fox, LAST),
  )
  expect(await vector(await open({ pooling: 'last' }), 'fox')).toEqual(direction([LAST, LAST ** 2]))
  const short = await open({ dimensions: 1 })
  expect([short.dimensions, await vector(short, 'fox')]).toEqual([1, [1]])
  const cut = await open({ prefixes: { query: '', passage: '' }, pooling: 'mean', maxTokens: 16 })
  const kept = Array(14).fill(WORDS.red)
  expect(await vector(cut, 'red '.repeat(40))).toEqual(meanOf(FIRST, ...kept, LAST)) // the token that ends a text stays
})

test('weights that give a vector of their own are taken by it', async () => {
  const files = { ...FROM_SENTENCE_TRANSFORMERS, '1_Pooling/config.json': {} }
  await writeEmbeddingModel(folder, { words: WORDS, files, own: true })
  expect(await vector(await open(), 'red fox')).toEqual(direction([WORDS.fox, WORDS.fox ** 2]))
  expect(await vector(await open({ pooling: 'cls' }), 'red fox')).toEqual(
    direction([FIRST, FIRST ** 2]),
  )
})

test('what says nothing is read as the shipped model is, and vectors read otherwise have another id', async () => {
  await writeEmbeddingModel(folder, { words: { ...WORDS, query: 8, ':': 9, passage: 10 } })
  const plain = await open()
  expect(plain.id).toBe(`${path.basename(folder)}@1`)
  expect(await vector(plain, 'fox', 'query')).toEqual(meanOf(FIRST, 8, 9, WORDS.fox, LAST))
  const ids = [
    plain,
    await open({ pooling: 'cls' }),
    await open({ dimensions: 1 }),
    await open({ maxTokens: 100 }),
  ]
  expect(new Set(ids.map(({ id }) => id)).size).toBe(4)
  expect((await open({ pooling: 'mean', maxTokens: 512 })).id).toBe(plain.id)
})

test('what does not fit together is told with the setting that mends it', async () => {
  const vectorOf = async (model?: ModelSettings) => vector(await open(model), 'fox')
  await writeEmbeddingModel(folder, { words: WORDS })
  const failure = (message: RegExp) => ({
    code: 'model_unavailable',
    message: expect.stringMatching(message),
  })
  await expect(vectorOf({ pooling: 'model' })).rejects.toMatchObject(
    failure(/no sentence_embedding.*embedder\.pooling/),
  )
  await expect(vectorOf({ dimensions: 3 })).rejects.toMatchObject(
    failure(/2 numbers.*embedder\.dimensions/),
  )
  const room = {
    code: 'invalid_input',
    message: expect.stringMatching(/embedder\.maxTokens leaves no room/),
  }
  await expect(
    open({ prefixes: { query: '', passage: 'hat '.repeat(20) }, maxTokens: 20 }),
  ).rejects.toMatchObject(room)
  await writeEmbeddingModel(folder, { words: WORDS, files: { 'config.json': { hidden_size: 5 } } })
  await expect(vectorOf()).rejects.toMatchObject(failure(/2 numbers.*config\.json says 5/))
  await writeEmbeddingModel(folder, { words: WORDS, input: 'past_key_values' })
  await expect(vectorOf()).rejects.toMatchObject(failure(/read past_key_values: export/))
  await writeEmbeddingModel(folder, { words: WORDS, files: { 'modules.json': { no: 'list' } } })
  await expect(open()).rejects.toMatchObject(failure(/modules\.json/))
})
