import type { Document } from '../ingest/document.ts'
import type { AskRequest } from './answer.ts'
import { withoutNames } from './overview-question.ts'

const COMPARES =
  /\b(?:compare[ds]?|comparison|differ(?:s|ences?|ent)?|versus|vs\.?)\b|相比|比较|对比|区别|差异|不同|分别|各(?:自|是)?/giu
const ALL =
  /\b(?:list|name|enumerate|show|find)\b.{0,20}\b(?:all|every|each)\b|\bwhat are all\b|(?:列出|列举|找出|给出).{0,8}(?:所有|全部|每)|(?:所有|全部)的?.{0,20}(?:有哪些|是哪些|是什么|列)/iu

/** More documents than this are not compared one by one. */
const MAX_COMPARED = 4

/** A question that has to be put to several documents, one by one. */
export type Comparison = { readonly text: string; readonly documents: readonly Document[] }

/** What is asked of each of the documents that the question names and compares; undefined when it does not. */
export function comparisonIn({ question, documents }: AskRequest): Comparison | undefined {
  if (question.search(COMPARES) < 0) return undefined
  const named = documents().filter(document => withoutNames(question, document) !== question)
  if (named.length < 2 || named.length > MAX_COMPARED) return undefined
  const bare = named.reduce((text, document) => withoutNames(text, document), question)
  const text = bare
    .replace(/this document|本文/g, ' ')
    .replace(COMPARES, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { text: text || question, documents: named }
}

const ASKING =
  /^\s*(?:please\s+)?(?:list|name|enumerate|show|find)(?:\s+me)?\s+|\b(?:all|every|each)(?:\s+(?:of\s+)?the)?\b|列出|列举|找出|给出|所有|全部/giu

/** What everything is asked of in a question that asks for all of a kind; undefined for every other question. */
export function everythingIn(question: string): string | undefined {
  return ALL.test(question) ? question.replace(ASKING, ' ').trim() || question : undefined
}
