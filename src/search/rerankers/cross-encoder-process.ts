import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type Failure, toFailure } from '../../errors.ts'
import { findWeights } from '../../ingest/embed/model-reading.ts'
import { prepareChild } from '../../system/child.ts'

export type Pair = { readonly query: string; readonly passage: string }

export type PairAnswer = { readonly score: number } | { readonly failure: Failure }

/** Tokens of a pair: the limit of BERT models (Devlin et al. 2019). */
const MAX_LENGTH = 512

const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionProviders: ['cpu'] }

type Model = { readonly tokenizer: Tokenizer; readonly session: InferenceSession }

async function load(folder: string): Promise<Model> {
  const weights = findWeights(folder)
  const tokenizer = new Tokenizer(
    await readJson(folder, 'tokenizer.json'),
    await readConfig(folder),
  )
  return { tokenizer, session: await InferenceSession.create(weights, SESSION) }
}

async function readConfig(folder: string): Promise<object> {
  return existsSync(path.join(folder, 'tokenizer_config.json'))
    ? await readJson(folder, 'tokenizer_config.json')
    : {}
}

async function readJson(folder: string, name: string): Promise<object> {
  return JSON.parse(await readFile(path.join(folder, name), 'utf8'))
}

async function score({ tokenizer, session }: Model, { query, passage }: Pair): Promise<number> {
  const encoded = tokenizer.encode(query, { text_pair: passage, return_token_type_ids: true })
  const ids = cut(encoded.ids)
  const types = cut(encoded.token_type_ids ?? [])
  const buildInput = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, ids.length])
  const inputs: Readonly<Record<string, Tensor>> = {
    input_ids: buildInput(ids),
    attention_mask: buildInput(ids.map(() => 1)),
    token_type_ids: buildInput(ids.map((_, index) => types[index] ?? 0)),
  }
  const outputs = await session.run(
    Object.fromEntries(session.inputNames.map(name => [name, inputs[name]!])),
  )
  const logits = outputs[session.outputNames[0]!]!.data as Float32Array
  return logits.length > 1 ? logits[1]! - logits[0]! : logits[0]!
}

/** Keeps the final special token. */
function cut(ids: readonly number[]): readonly number[] {
  return ids.length <= MAX_LENGTH ? ids : [...ids.slice(0, MAX_LENGTH - 1), ids.at(-1)!]
}

async function answer(model: Promise<Model>, pair: Pair): Promise<PairAnswer> {
  try {
    return { score: await score(await model, pair) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

prepareChild()
const model = load(process.argv[2] ?? '')
model.catch(() => {}) // reported with every answer
process.on('message', async (pair: Pair) => process.send?.(await answer(model, pair)))
