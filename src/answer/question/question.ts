import type { DateValue } from '../../text/dates.ts'
import type { Language } from '../../text/language.ts'
import type { Term } from '../../text/terms.ts'
import type { Dimension, Unit } from '../../text/units.ts'
import type { QuestionKind } from './grammar.ts'

/** The kind of value that answers. Of a number, what it may measure and the word it counts by, as `days` in "how many days". */
export type AskedValue =
  | {
      readonly type: 'number'
      readonly dimensions: readonly Dimension[]
      readonly counted: readonly Term[]
    }
  | { readonly type: 'any' }

/**
 * A word of the question, and whether it names what is asked ("the *price* of a tram ticket"), what that is asked of, or what is
 * left out ("all but the *tram*").
 */
export type QuestionTerm = Term & {
  readonly role: 'asked' | 'subject' | 'excluded'
  /** As it stands in the question. */
  readonly written: string
  /** A name, an identifier or quoted words: nothing else can stand for it. */
  readonly isName: boolean
}

/** A superlative: "the cheapest". */
export type Order = {
  readonly direction: 'most' | 'least'
  /** What the word says of the column that is ordered by, where it says it: `cheapest` is of money. */
  readonly dimension?: Dimension
  readonly text: string
}

/** Words that name one thing, or say a value: others of their kind can stand for them. */
export type Phrase = {
  readonly kind: 'date' | 'weekday' | 'number' | 'name' | 'measure' | 'thing'
  readonly text: string
  /** Its words that say something. */
  readonly words: readonly string[]
  /** Of a number. */
  readonly unit?: Unit
  /** Of a date. */
  readonly year?: number
  /** The preposition before it. */
  readonly lead?: string
  readonly isAsked: boolean
}

/** A user's words, read once. Nothing after `parseQuestion` reads the text; it is handed on to search, and shown. */
export type Question = {
  readonly text: string
  readonly language: Language
  readonly kind: QuestionKind
  readonly asked: AskedValue
  readonly terms: readonly QuestionTerm[]
  /** Years, quarters, months and days that the answer has to be of. */
  readonly dates: readonly DateValue[]
  readonly order?: Order
  /** Of an overview: what it is asked of; empty where it is all documents. */
  readonly about: string
  /** Its values, then its runs of content words. */
  readonly phrases: readonly Phrase[]
  /** Of "and the 109?", which is to be understood by the question before, what it names: its values, then all of it. */
  readonly fragment: readonly Phrase[]
  /** The questions that it is made of, each to be answered; none where it is one. */
  readonly parts: readonly Question[]
}

/** The words of a question without what it counts by: 年 of 几年. */
export function getOwnTerms({ terms: all, asked }: Question): readonly QuestionTerm[] {
  const counted = asked.type === 'number' ? asked.counted.map(({ text }) => text) : []
  return all.filter(({ text }) => !counted.includes(text))
}
