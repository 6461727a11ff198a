import { InferenceSession, Tensor } from 'onnxruntime-node'
import { localizable } from '../../errors/localizable.ts'
import { AppError, type Failure, toFailure } from '../../errors.ts'
import { prepareChild } from '../../system/child.ts'
import { parseOwnJson } from '../../system/own-json.ts'
import type { Tokenizer } from '../chunk/tokens.ts'
import { loadTokenizer } from './local-tokens.ts'
import type { ModelReading, Pooling } from './model-reading.ts'
import { findCrossEncoder, findWeights } from './model-reading.ts'
import { toUnitVector } from './vector.ts'

export type WorkerRequest =
  | { readonly text: string }
  | { readonly question: string; readonly passage: string }

/** After a failure to load its model, a worker exits. */
export type WorkerAnswer =
  | { readonly vector: Float32Array }
  | { readonly odds: number }
  | { readonly failure: Failure }

/**
 * One thread per worker: N workers do more than one with N threads, and vectors do not depend
 * on N.
 */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionProviders: ['cpu'] }

type Numbers = Float32Array | Float64Array
type Model = { readonly tokenizer: Tokenizer; readonly session: InferenceSession }

async function load(modelPath: string): Promise<Model> {
  const tokenizer = await loadTokenizer(modelPath)
  return { tokenizer, session: await InferenceSession.create(findWeights(modelPath), SESSION) }
}

async function embed(model: Model, text: string, reading: ModelReading): Promise<Float32Array> {
  const { outputs, tokens } = await run(model, text, reading)
  return cut(poolVector(outputs, tokens, reading.pooling), reading)
}

type Run = { readonly outputs: InferenceSession.ReturnType; readonly tokens: number }

/** Runs one text: with dynamic quantisation a batch would change the vectors. */
async function run(
  { tokenizer, session }: Model,
  text: string,
  reading: ModelReading,
): Promise<Run> {
  const ids = tokenizer.encode(text, reading.maxTokens)
  return { outputs: await runOn(session, ids), tokens: ids.length }
}

async function runOn(
  session: InferenceSession,
  ids: readonly number[],
): Promise<InferenceSession.ReturnType> {
  const row = (values: BigInt64Array) => new Tensor('int64', values, [1, ids.length])
  const inputs: Record<string, Tensor> = {
    input_ids: row(BigInt64Array.from(ids, BigInt)),
    attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: row(new BigInt64Array(ids.length)),
    position_ids: row(BigInt64Array.from(ids.keys(), BigInt)),
  }
  return await session.run(pick(inputs, session.inputNames))
}

function pick(inputs: Record<string, Tensor>, names: readonly string[]): Record<string, Tensor> {
  const other = names.find(name => !inputs[name])
  if (other) {
    throw new AppError(
      'model_unavailable',
      localizable`Its weights read ${other}: export them for feature extraction, without a cache.`,
    )
  }
  return Object.fromEntries(names.map(name => [name, inputs[name]!]))
}

function findStates(outputs: InferenceSession.ReturnType): Tensor | undefined {
  const { last_hidden_state, token_embeddings, sentence_embedding } = outputs
  return (
    last_hidden_state ??
    token_embeddings ??
    (sentence_embedding ? undefined : Object.values(outputs)[0])
  )
}

function poolVector(outputs: InferenceSession.ReturnType, rows: number, pooling: Pooling): Numbers {
  const { sentence_embedding: own } = outputs
  const states = findStates(outputs)
  if (own && (pooling === 'model' || !states)) return toNumbers(own)
  if (pooling === 'model') {
    const advice =
      'Set embedder.pooling: its vector is the mean of its states, the first (cls) or the last.'
    throw new AppError(
      'model_unavailable',
      localizable`Its weights give no sentence_embedding. ${advice}`,
    )
  }
  const numbers = toNumbers(states!)
  const width = numbers.length / rows
  if (pooling === 'mean') return sumRows(numbers, rows)
  return pooling === 'cls' ? numbers.subarray(0, width) : numbers.subarray(numbers.length - width)
}

function toNumbers({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data
  throw new AppError(
    'model_unavailable',
    localizable`Its weights give numbers of type ${type}: use weights that give float32.`,
  )
}

function cut(vector: Numbers, { dimensions, isCut }: ModelReading): Float32Array {
  if (vector.length === dimensions || (isCut && vector.length > dimensions))
    return toUnitVector(vector.subarray(0, dimensions))
  const advice = isCut
    ? 'Choose a smaller embedder.dimensions.'
    : `Its config.json says ${dimensions}.`
  throw new AppError(
    'model_unavailable',
    localizable`It gives vectors of ${vector.length} numbers. ${advice}`,
  )
}

/** Tokens with which the cross-encoder was trained, so that longer texts are cut. */
const MAX_QUESTION = 48
const MAX_PAIR = 160

/** Loads its weights for the first pair. */
class AnswerModel {
  readonly #weights: string
  #session: Promise<InferenceSession> | undefined

  constructor(modelPath: string) {
    this.#weights = findCrossEncoder(modelPath) ?? ''
  }

  async odds(
    { tokenizer }: Model,
    question: string,
    passage: string,
    { prefixes }: ModelReading,
  ): Promise<number> {
    this.#session ??= InferenceSession.create(this.#weights, SESSION)
    const questionTokens = tokenizer.encode(prefixes.query + question, MAX_QUESTION)
    const [, ...passageTokens] = tokenizer.encode(
      prefixes.passage + passage,
      MAX_PAIR + 1 - questionTokens.length,
    )
    const { answers } = await runOn(await this.#session, [...questionTokens, ...passageTokens])
    return Number(toNumbers(answers!)[0])
  }
}

async function answer(
  model: Promise<Model>,
  request: WorkerRequest,
  reading: ModelReading,
  answerModel: AnswerModel,
): Promise<WorkerAnswer> {
  try {
    if ('text' in request) return { vector: await embed(await model, request.text, reading) }
    return { odds: await answerModel.odds(await model, request.question, request.passage, reading) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

function serve(modelPath: string, reading: ModelReading): void {
  const model = load(modelPath)
  const answerModel = new AnswerModel(modelPath)
  let isBroken = false
  model.catch(() => {
    isBroken = true
  })
  process.on('message', async (request: WorkerRequest) => {
    process.send?.(
      await answer(model, request, reading, answerModel),
      () => isBroken && process.exit(1),
    )
  })
}

prepareChild()
serve(process.argv[2] ?? '', parseOwnJson<ModelReading>(process.argv[3] ?? '{}'))

/** Has the direction of the mean. */
function sumRows(matrix: Float32Array, rows: number): Float64Array {
  const dimensions = matrix.length / rows
  const sum = new Float64Array(dimensions)
  for (let index = 0; index < matrix.length; index++) sum[index % dimensions]! += matrix[index]!
  return sum
}
