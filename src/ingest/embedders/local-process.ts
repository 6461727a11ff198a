import { InferenceSession, Tensor } from 'onnxruntime-node'
import { AppError, type Failure, toFailure } from '../../errors.ts'
import type { EmbeddingRole } from '../embedder.ts'
import { becomeChild } from '../isolation/child.ts'
import type { Tokenizer } from '../tokens.ts'
import { loadTokenizer } from './local-tokens.ts'
import type { ModelReading, Pooling } from './model-reading.ts'
import { weightsIn } from './model-weights.ts'
import { dot, unitVector } from './vector.ts'

/** A text to be embedded, with what goes before texts of its role, or what is to be compared token by token. */
export type WorkerRequest = { readonly text: string } | { readonly question: string; readonly passage: string }

/** A worker that could not load its model answers so and exits. */
export type WorkerAnswer =
  | { readonly vector: Float32Array }
  | { readonly likeness: Float32Array }
  | { readonly failure: Failure }

/** One thread each: N workers on N cores do more than one worker with N threads, and vectors do not depend on the number. */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionProviders: ['cpu'] }

type Numbers = Float32Array | Float64Array
type Model = { readonly tokenizer: Tokenizer; readonly session: InferenceSession }

async function load(modelPath: string): Promise<Model> {
  const tokenizer = await loadTokenizer(modelPath)
  return { tokenizer, session: await InferenceSession.create(weightsIn(modelPath), SESSION) }
}

async function embed(model: Model, text: string, reading: ModelReading): Promise<Float32Array> {
  const { outputs, tokens } = await run(model, text, reading)
  return cut(vectorOf(outputs, tokens, reading.pooling), reading)
}

type Run = { readonly outputs: InferenceSession.ReturnType; readonly tokens: number }

/** One text at a time: with dynamic quantisation a batch would change the vectors, and it is no faster on a CPU. */
async function run({ tokenizer, session }: Model, text: string, reading: ModelReading): Promise<Run> {
  const ids = tokenizer.encode(text, reading.maxTokens)
  const row = (values: BigInt64Array) => new Tensor('int64', values, [1, ids.length])
  const inputs: Record<string, Tensor> = {
    input_ids: row(BigInt64Array.from(ids, BigInt)),
    attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: row(new BigInt64Array(ids.length)),
    position_ids: row(BigInt64Array.from(ids.keys(), BigInt)),
  }
  return { outputs: await session.run(pick(inputs, session.inputNames)), tokens: ids.length }
}

/** Throws `model_unavailable` for a model that reads more than the tokens of a text. */
function pick(inputs: Record<string, Tensor>, names: readonly string[]): Record<string, Tensor> {
  const other = names.find(name => !inputs[name])
  if (other) {
    throw new AppError(
      'model_unavailable',
      `Its weights read ${other}: export them for feature extraction, without a cache.`,
    )
  }
  return Object.fromEntries(names.map(name => [name, inputs[name]!]))
}

/** The states of a model, a row for each token, where it gives them. */
function statesOf(outputs: InferenceSession.ReturnType): Tensor | undefined {
  const { last_hidden_state, token_embeddings, sentence_embedding } = outputs
  return last_hidden_state ?? token_embeddings ?? (sentence_embedding ? undefined : Object.values(outputs)[0])
}

/** Not scaled yet. */
function vectorOf(outputs: InferenceSession.ReturnType, rows: number, pooling: Pooling): Numbers {
  const { sentence_embedding: own } = outputs
  const states = statesOf(outputs)
  if (own && (pooling === 'model' || !states)) return numbersOf(own)
  if (pooling === 'model') {
    const advice = 'Say by embedder.pooling whether its vector is the mean of its states, the first (cls) or the last.'
    throw new AppError('model_unavailable', `Its weights give no sentence_embedding. ${advice}`)
  }
  const numbers = numbersOf(states!) // a model has an output
  const width = numbers.length / rows
  if (pooling === 'mean') return sumOfRows(numbers, rows)
  return pooling === 'cls' ? numbers.subarray(0, width) : numbers.subarray(numbers.length - width)
}

function numbersOf({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data
  throw new AppError('model_unavailable', `Its weights give numbers of type ${type}: take weights that give float32.`)
}

function cut(vector: Numbers, { dimensions, isCut }: ModelReading): Float32Array {
  if (vector.length === dimensions || (isCut && vector.length > dimensions))
    return unitVector(vector.subarray(0, dimensions))
  const advice = isCut ? 'Choose a smaller embedder.dimensions.' : `Its config.json says ${dimensions}.`
  throw new AppError('model_unavailable', `It gives vectors of ${vector.length} numbers. ${advice}`)
}

/** Tokens of the texts that were compared last are kept: some 200 questions and statements, 12 MiB of the shipped model. */
const MAX_KEPT = 8_192

/** Compares texts by their tokens. */
class TokenStates {
  readonly #reading: ModelReading
  /** Least recently used first. */
  readonly #kept = new Map<string, readonly Float32Array[]>()
  #keptTokens = 0

  constructor(reading: ModelReading) {
    this.#reading = reading
  }

  /** Of each token of the question its best cosine with one of the passage. */
  async likeness(model: Model, question: string, passage: string): Promise<Float32Array> {
    const asked = await this.#of(model, 'query', question)
    const told = await this.#of(model, 'passage', passage)
    return Float32Array.from(asked, token => told.reduce((most, other) => Math.max(most, dot(token, other)), 0))
  }

  /** The unit states of a text's own tokens: not of what goes before texts of its role, nor of the special ones at both ends. */
  async #of(model: Model, role: EmbeddingRole, text: string): Promise<readonly Float32Array[]> {
    const prefix = this.#reading.prefixes[role]
    const whole = prefix + text
    const states = this.#kept.get(whole) ?? (await this.#read(model, whole, model.tokenizer.count(prefix.trimEnd())))
    this.#drop(whole)
    this.#kept.set(whole, states)
    this.#keptTokens += states.length
    for (const oldest of this.#kept.keys()) {
      if (this.#keptTokens <= MAX_KEPT || oldest === whole) break
      this.#drop(oldest)
    }
    return states
  }

  #drop(text: string): void {
    this.#keptTokens -= this.#kept.get(text)?.length ?? 0
    this.#kept.delete(text)
  }

  async #read(model: Model, text: string, prefixed: number): Promise<readonly Float32Array[]> {
    const { outputs, tokens } = await run(model, text, this.#reading)
    const states = statesOf(outputs)
    if (!states) throw new AppError('model_unavailable', 'Its weights give no states of tokens.')
    const numbers = numbersOf(states)
    const width = numbers.length / tokens
    const own = Array.from({ length: Math.max(0, tokens - 2 - prefixed) }, (_, at) => (at + 1 + prefixed) * width)
    return own.map(start => unitVector(numbers.subarray(start, start + width)))
  }
}

async function answer(
  model: Promise<Model>,
  request: WorkerRequest,
  reading: ModelReading,
  states: TokenStates,
): Promise<WorkerAnswer> {
  try {
    if ('text' in request) return { vector: await embed(await model, request.text, reading) }
    return { likeness: await states.likeness(await model, request.question, request.passage) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

function serve(modelPath: string, reading: ModelReading): void {
  const model = load(modelPath)
  const states = new TokenStates(reading)
  let isBroken = false
  model.catch(() => {
    isBroken = true
  })
  process.on('message', async (request: WorkerRequest) => {
    process.send?.(await answer(model, request, reading, states), () => isBroken && process.exit(1))
  })
}

becomeChild()
serve(process.argv[2] ?? '', JSON.parse(process.argv[3] ?? '{}') as ModelReading) // as the parent has it

/** The sum of the rows of a matrix: its direction is that of their mean. */
function sumOfRows(matrix: Float32Array, rows: number): Float64Array {
  const dimensions = matrix.length / rows
  const sum = new Float64Array(dimensions)
  for (let at = 0; at < matrix.length; at++) sum[at % dimensions]! += matrix[at]!
  return sum
}
