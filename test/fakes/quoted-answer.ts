import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive-answerer.ts'
import { formatTableText } from '../../src/ingest/block.ts'
import { collectAnswer } from './answers.ts'
import { type InlineDocument, MemorySearcher } from './memory-searcher.ts'

/** The quotations of an answer without a model and without vectors, from these documents. */
export async function quotesFor(
  question: string,
  ...documents: readonly InlineDocument[]
): Promise<readonly string[]> {
  return (await answerFrom(question, ...documents)).citations.map(({ text }) => text)
}

/** An answer without a model and without vectors, from these documents. */
export function answerFrom(question: string, ...documents: readonly InlineDocument[]) {
  return answered(question, new MemorySearcher(documents))
}

/** The same over a document whose table is typed, as a parser's is: under a heading, with a line behind it. */
export function answerFromTable(
  question: string,
  rows: readonly (readonly string[])[],
  [heading, last]: [string, string],
) {
  const text = formatTableText(rows)
  class TypedSearcher extends MemorySearcher {
    override async *readBlocks(documentId: string) {
      for await (const block of super.readBlocks(documentId))
        yield block.text === text ? { ...block, kind: 'table' as const, rows } : block
    }
  }
  return answered(
    question,
    new TypedSearcher([{ name: 'table.md', text: `# ${heading}\n\n${text}\n\n${last}` }]),
  )
}

function answered(question: string, memory: MemorySearcher) {
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const asked = {
    question,
    collectionIds: ['default'],
    documents: async () => memory.documents,
    limit: 8,
  }
  return collectAnswer(answerer.answer(asked))
}
