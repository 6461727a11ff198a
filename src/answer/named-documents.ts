import type { Document } from '../ingest/store/catalog/document.ts'
import { simplified } from '../text/simplified.ts'
import { isHeld, Terms } from '../text/terms.ts'
import type { Question } from './question/question.ts'

type Scope = { readonly question: Question; readonly documents: () => Promise<readonly Document[]> }

/** Documents whose name, or whose title in quotation marks, the question mentions. */
export async function namedDocuments({ question, documents }: Scope): Promise<readonly Document[]> {
  if (question.mentions.length === 0) return []
  const mentions = question.mentions.map(plain)
  return (await documents()).filter(({ name, title }) =>
    mentions.some(mention => mention === plain(name) || mention === plain(title)),
  )
}

/** What an overview is of: the documents that are called so, or all of them where it says no more than "this". */
export async function documentsAbout({ question, documents }: Scope): Promise<readonly Document[]> {
  const all = await documents()
  const about = plain(question.about)
  const named = all.filter(({ name, title }) => {
    const names = [name, title, name.replace(/\.[^.]+$/, '')].map(plain)
    return names.some(each => each.length > 3 && about.includes(each))
  })
  return named.length > 0 ? named : question.terms.length === 0 ? all : []
}

/**
 * Of a comparison, the document that each part is to be answered from: the one that is named, or the only one whose name or title has
 * the words of what is compared. Two things in one document are no documents.
 */
export async function comparedDocuments(
  parts: readonly Question[],
  documents: Scope['documents'],
): Promise<ReadonlyMap<Question, Document>> {
  const compared = parts.filter(({ label }) => label !== undefined)
  if (compared.length === 0 || (await documents()).length < 2) return new Map()
  const found = (
    await Promise.all(
      compared.map(async part => {
        const [document, other] = await documentsCalled(part, documents)
        return document && !other ? [[part, document] as const] : []
      }),
    )
  ).flat()
  const isOfDocuments = new Set(found.map(([, document]) => document)).size === found.length
  return new Map(isOfDocuments ? found : [])
}

async function documentsCalled(
  question: Question,
  documents: Scope['documents'],
): Promise<readonly Document[]> {
  const named = await namedDocuments({ question, documents })
  if (named.length > 0) return named
  const terms = new Terms()
  const label = terms.contentOf(question.label ?? '')
  if (label.length === 0) return []
  return (await documents()).filter(({ name, title }) => {
    const called = terms.of(`${name}\n${title}`)
    return label.every(term => isHeld(term, called))
  })
}

function plain(text: string): string {
  return simplified(text.normalize('NFKC'))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]/gu, '')
}
