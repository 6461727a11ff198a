import type { DateValue } from '../../text/dates.ts'
import type { Language } from '../../text/language.ts'
import type { Term } from '../../text/terms.ts'
import type { Dimension, Unit } from '../../text/units.ts'
import type { QuestionKind } from './grammar.ts'

/** For numbers, the dimension and the counted word. */
export type RequestedValue =
  | {
      readonly type: 'number'
      readonly dimensions: readonly Dimension[]
      readonly counted: readonly Term[]
    }
  | { readonly type: 'any' }

export type QuestionTerm = Term & {
  readonly role: 'asked' | 'subject' | 'excluded'
  readonly written: string
  /** Name, identifier or quotation, which must match itself. */
  readonly isName: boolean
}

export type Order = {
  readonly direction: 'most' | 'least'
  /** Dimension of the ordered column: `cheapest` is money. */
  readonly dimension?: Dimension
  readonly text: string
}

/** Replaceable words of one thing or value. */
export type Phrase = {
  readonly kind: 'date' | 'weekday' | 'number' | 'name' | 'measure' | 'thing'
  readonly text: string
  readonly words: readonly string[]
  readonly unit?: Unit
  readonly year?: number
  readonly lead?: string
  readonly isRequested: boolean
}

/** Later code reads the text only to search and display. */
export type Question = {
  readonly text: string
  readonly language: Language
  readonly kind: QuestionKind
  readonly requestedValue: RequestedValue
  readonly terms: readonly QuestionTerm[]
  readonly dates: readonly DateValue[]
  readonly order?: Order
  /** Subject of an overview; empty for all documents. */
  readonly about: string
  /** Values, then runs of content words. */
  readonly phrases: readonly Phrase[]
  /** Named parts of a fragment such as "and the 109?". */
  readonly fragment: readonly Phrase[]
  /** Separate questions; empty if it is one. */
  readonly parts: readonly Question[]
  /** Questions for things joined by "and"; empty for one. */
  readonly conjuncts: readonly Conjunct[]
}

export type Conjunct = { readonly thing: string; readonly question: Question }

/** Drops the counted word: 年 of 几年. */
export function getOwnTerms({ terms: all, requestedValue }: Question): readonly QuestionTerm[] {
  const counted =
    requestedValue.type === 'number' ? requestedValue.counted.map(({ text }) => text) : []
  return all.filter(({ text }) => !counted.includes(text))
}
