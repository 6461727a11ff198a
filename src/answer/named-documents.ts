import type { Document } from '../ingest/store/catalog/document.ts'
import { toSimplified } from '../text/simplified.ts'
import type { Question } from './question/question.ts'

type Scope = { readonly question: Question; readonly documents: () => Promise<readonly Document[]> }

export async function findDocumentsAbout({
  question,
  documents,
}: Scope): Promise<readonly Document[]> {
  const all = await documents()
  const about = normalizeName(question.about)
  const named = all.filter(({ name, title }) => {
    const names = [name, title, name.replace(/\.[^.]+$/, '')].map(normalizeName)
    return names.some(each => each.length > 3 && about.includes(each))
  })
  return named.length > 0 ? named : question.terms.length === 0 ? all : []
}

function normalizeName(text: string): string {
  return toSimplified(text.normalize('NFKC'))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]/gu, '')
}
