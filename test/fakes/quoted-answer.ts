import { collectAnswer } from '../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../src/agent/answers/extractive.ts'
import { type InlineDocument, MemorySearcher } from './memory-searcher.ts'

/** The quotations of an answer without a model and without vectors, from these documents. */
export async function quotesFor(question: string, ...documents: readonly InlineDocument[]): Promise<readonly string[]> {
  return (await answerFrom(question, ...documents)).citations.map(({ text }) => text)
}

/** What is answered; undefined where the documents are said not to tell. */
export async function toldFrom(question: string, ...documents: readonly InlineDocument[]): Promise<string | undefined> {
  const { abstained, answer } = await answerFrom(question, ...documents)
  return abstained ? undefined : answer
}

/** First cells of the rows that are quoted, with a blank between them; empty where there is none. */
export async function rowsFor(question: string, ...documents: readonly InlineDocument[]): Promise<string> {
  const { answer, abstained } = await answerFrom(question, ...documents)
  if (abstained) return ''
  return [...answer.matchAll(/^[^:\n]+: ([^;\n]+);/gm)].map(([, cell]) => cell).join(' ')
}

/** An answer without a model and without vectors, from these documents. */
export function answerFrom(question: string, ...documents: readonly InlineDocument[]) {
  const memory = new MemorySearcher(documents)
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const asked = { question, collectionIds: ['default'], documents: () => memory.documents, limit: 8 }
  return collectAnswer(answerer.answer(asked))
}
