import { ExtractiveAnswerer } from '../../src/agent/extractive.ts'
import { collectAnswer } from './answers.ts'
import { type InlineDocument, MemorySearcher } from './memory-searcher.ts'

/** The quotations of an answer without a model and without vectors, from these documents. */
export async function quotesFor(question: string, ...documents: readonly InlineDocument[]): Promise<readonly string[]> {
  return (await answerFrom(question, ...documents)).citations.map(({ text }) => text)
}

/** An answer without a model and without vectors, from these documents. */
export function answerFrom(question: string, ...documents: readonly InlineDocument[]) {
  const memory = new MemorySearcher(documents)
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const asked = { question, collectionIds: ['default'], documents: async () => memory.documents, limit: 8 }
  return collectAnswer(answerer.answer(asked))
}
