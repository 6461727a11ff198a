import { DEFAULT_EMBEDDER, getModelFolder } from '../src/app/embedding.ts'
import { LocalEmbedder } from '../src/ingest/embed/local.ts'
import { cpuSecondsOfChildren } from './process-tree.ts'

/** CPU of embedding one of the questions with the model that is shipped, in milliseconds: what a hundred more cost its process. */
export async function questionCpuMs(questions: readonly string[]): Promise<number> {
  const few = await embeddingCpuMs(questions.slice(0, 1))
  const count = Math.min(100, questions.length - 1)
  return Math.max(0, (await embeddingCpuMs(questions.slice(0, count + 1))) - few) / count
}

async function embeddingCpuMs(questions: readonly string[]): Promise<number> {
  const before = cpuSecondsOfChildren()
  const model = await LocalEmbedder.open({
    modelPath: getModelFolder(DEFAULT_EMBEDDER),
    workers: 1,
  })
  for (const question of questions) await model.embed([question], 'query')
  await model.close()
  return (cpuSecondsOfChildren() - before) * 1000
}
