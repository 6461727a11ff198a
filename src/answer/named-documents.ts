import type { Document } from '../ingest/store/catalog/document.ts'
import { toSimplified } from '../text/simplified.ts'
import type { Question } from './question/question.ts'

type Scope = { readonly question: Question; readonly documents: () => Promise<readonly Document[]> }

/** What an overview is of: the documents that are called so, or all of them where it says no more than "this". */
export async function findDocumentsAbout({
  question,
  documents,
}: Scope): Promise<readonly Document[]> {
  const all = await documents()
  const about = plain(question.about)
  const named = all.filter(({ name, title }) => {
    const names = [name, title, name.replace(/\.[^.]+$/, '')].map(plain)
    return names.some(each => each.length > 3 && about.includes(each))
  })
  return named.length > 0 ? named : question.terms.length === 0 ? all : []
}

function plain(text: string): string {
  return toSimplified(text.normalize('NFKC'))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]/gu, '')
}
