import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type Failure, toFailure } from '../../errors.ts'
import { becomeChild } from '../isolation/child.ts'
import { loadTokenizer } from './local-tokens.ts'
import type { Tokenizer } from './tokenizer.ts'
import { meanUnitVector } from './vector.ts'

/** The answer to one text. A worker that could not load its model answers so and exits. */
export type WorkerAnswer = { readonly vector: Float32Array } | { readonly failure: Failure }

/** Where the q8 weights lie in a model's directory, by the convention of transformers.js. */
const WEIGHTS = 'onnx/model_quantized.onnx'

/** One thread each: N workers on N cores do more than one worker with N threads, and vectors do not depend on the number. */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionProviders: ['cpu'] }

type Model = { readonly tokenizer: Tokenizer; readonly session: InferenceSession }

async function load(modelPath: string): Promise<Model> {
  const tokenizer = await loadTokenizer(modelPath)
  return { tokenizer, session: await InferenceSession.create(join(modelPath, WEIGHTS), SESSION) }
}

/** One text at a time: with dynamic quantisation a batch would change the vectors, and it is no faster on a CPU. */
async function embed({ tokenizer, session }: Model, text: string, maxLength: number): Promise<Float32Array> {
  const ids = tokenizer.encode(text, maxLength)
  const row = (values: BigInt64Array) => new Tensor('int64', values, [1, ids.length])
  const inputs: Record<string, Tensor> = {
    input_ids: row(BigInt64Array.from(ids, BigInt)),
    attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: row(new BigInt64Array(ids.length)),
  }
  const { last_hidden_state: states } = await session.run(pick(inputs, session.inputNames))
  return meanUnitVector(states!.data as Float32Array, ids.length) // the model's only output, float32
}

function pick(inputs: Record<string, Tensor>, names: readonly string[]): Record<string, Tensor> {
  return Object.fromEntries(names.map(name => [name, inputs[name]!]))
}

async function answer(model: Promise<Model>, text: string, maxLength: number): Promise<WorkerAnswer> {
  try {
    return { vector: await embed(await model, text, maxLength) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

function serve(modelPath: string, maxLength: number): void {
  const model = load(modelPath)
  let isBroken = false
  model.catch(() => {
    isBroken = true
  })
  process.on('message', async (text: string) => {
    process.send?.(await answer(model, text, maxLength), () => isBroken && process.exit(1))
  })
}

becomeChild()
serve(process.argv[2] ?? '', Number(process.argv[3]))
