import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { DEFAULT_EMBEDDER, modelFolder } from '../src/app/embedding.ts'
import { loadTokenizer } from '../src/ingest/embedders/local-tokens.ts'

/** Texts per second of ONNX Runtime alone: one process a core, ids ready made, nothing done with the output. */
export async function bareEmbeddings(texts: readonly string[]): Promise<number> {
  const tokenizer = await loadTokenizer(modelFolder(DEFAULT_EMBEDDER))
  const ids = texts.map(text => tokenizer.encode(`passage: ${text}`, 512))
  const count = availableParallelism()
  const children = Array.from({ length: count }, () => fork(fileURLToPath(import.meta.url), ['child']))
  await Promise.all(children.map(child => once(child, 'message')))
  const started = performance.now()
  for (const [index, child] of children.entries()) child.send(ids.filter((_, at) => at % count === index))
  await Promise.all(children.map(child => once(child, 'message')))
  const seconds = (performance.now() - started) / 1000
  for (const child of children) child.kill()
  return texts.length / seconds
}

async function serve(): Promise<void> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  const session = await InferenceSession.create(
    path.join(modelFolder(DEFAULT_EMBEDDER), 'onnx/model_quantized.onnx'),
    options,
  )
  const run = (ids: readonly number[]) => {
    const row = (values: BigInt64Array) => new Tensor('int64', values, [1, ids.length])
    const all: Record<string, Tensor> = {
      input_ids: row(BigInt64Array.from(ids, BigInt)),
      attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: row(new BigInt64Array(ids.length)),
    }
    return session.run(Object.fromEntries(session.inputNames.map(name => [name, all[name]!]))) // the model's own inputs
  }
  await run([0, 2])
  process.on('message', async (work: readonly (readonly number[])[]) => {
    for (const ids of work) await run(ids)
    process.send?.('done')
  })
  process.send?.('ready')
}

if (process.argv[2] === 'child' && process.send) await serve()
