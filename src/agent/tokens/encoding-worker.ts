import { parentPort } from 'node:worker_threads'
import type { VocabularyName } from './encoding.ts'
import { Encoding, type ToEncodingWorker } from './encoding.ts'

const encodings = new Map<VocabularyName, Encoding>()
const underWay = new Map<number, AbortController>()

parentPort?.on('message', (message: ToEncodingWorker) => {
  if (message.type === 'cancel') underWay.get(message.id)?.abort()
  else void answer(message)
})

async function answer({ id, request }: Extract<ToEncodingWorker, { type: 'ask' }>): Promise<void> {
  const stop = new AbortController()
  underWay.set(id, stop)
  try {
    const encoding = encodings.get(request.vocabulary) ?? new Encoding(request.vocabulary)
    encodings.set(request.vocabulary, encoding)
    parentPort?.postMessage({ id, answer: await encoding.answer(request, stop.signal) })
  } catch (error) {
    parentPort?.postMessage({ id, error })
  } finally {
    underWay.delete(id)
  }
}
