import { AppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Library } from '../../ingest/store/library.ts'
import type { Hit } from '../../search/searcher.ts'
import { digestOf } from '../../system/digest.ts'
import { sentences } from '../../text/sentences.ts'
import type { JudgedQuery } from './evaluation-set.ts'

/** What is asked of a user's own documents: each title for its document, or a sentence for the passages it stands in. */
export const OWN_QUESTIONS = ['titles', 'sentences'] as const
export type OwnQuestions = (typeof OWN_QUESTIONS)[number]

/** Questions that are asked where no number is given. */
const DEFAULT_QUESTIONS = 200

/** Sentences worth asking with, in characters: a Han character counts as three. */
const MIN_CHARS = 40
const MAX_CHARS = 300

export type OwnSource = {
  readonly library: Library
  readonly documents: readonly Document[]
  readonly collection: Collection
}

/** What a question looks for is named by the id of a document for titles, of a chunk for sentences. */
export function idOfHit(kind: OwnQuestions): (hit: Hit) => string {
  return kind === 'titles' ? hit => hit.documentId : hit => hit.chunkId
}

/** The same documents give the same questions. Throws `invalid_input` where nothing can be asked. */
export async function ownQuestions(
  kind: OwnQuestions,
  source: OwnSource,
  limit = DEFAULT_QUESTIONS,
) {
  const questions = kind === 'titles' ? titles(source.documents) : await sentencesOf(source)
  if (questions.length > 0)
    return questions.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit)
  const advice = 'Index documents first, or ask by the other kind of --own.'
  throw new AppError(
    'invalid_input',
    `${source.collection.name} gives no questions by ${kind}. ${advice}`,
  )
}

/** A title that several documents have is looked for in all of them. */
function titles(documents: readonly Document[]): readonly JudgedQuery[] {
  const named = documents.filter(({ status, chunks }) => status === 'completed' && chunks > 0)
  const byTitle = new Map<string, Map<string, number>>()
  for (const { id, title } of named)
    byTitle.set(title, (byTitle.get(title) ?? new Map()).set(id, 1))
  return [...byTitle].map(([title, judgements]) => ({
    id: digestOf(title),
    query: title,
    judgements,
  }))
}

/** One sentence of every chunk that has a telling one: the longest. Chunks may overlap: all that hold it count. */
async function sentencesOf({ library, documents }: OwnSource): Promise<readonly JudgedQuery[]> {
  const questions: JudgedQuery[] = []
  for (const { id, status } of documents) {
    if (status !== 'completed') continue
    const chunks: { readonly id: string; readonly text: string }[] = []
    for await (const chunk of library.chunks(id)) chunks.push({ id: chunk.id, text: chunk.text })
    for (const chunk of chunks) {
      const query = tellingSentence(chunk.text)
      if (!query) continue
      const holders = chunks.filter(({ text }) => text.includes(query))
      questions.push({
        id: chunk.id,
        query,
        judgements: new Map(holders.map(holder => [holder.id, 1])),
      })
    }
  }
  return questions
}

function tellingSentence(text: string): string | undefined {
  const all = sentences(text).map(({ start, end }) => text.slice(start, end))
  const telling = all.filter(
    sentence => charsOf(sentence) >= MIN_CHARS && charsOf(sentence) <= MAX_CHARS,
  )
  return telling.toSorted((a, b) => charsOf(b) - charsOf(a))[0]
}

function charsOf(text: string): number {
  return text.length + 2 * (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}
