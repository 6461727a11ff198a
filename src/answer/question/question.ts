import type { Aggregate } from '../../ingest/parse/tables/table.ts'
import type { DateValue } from '../../text/dates.ts'
import type { Language } from '../../text/language.ts'
import type { Comparator } from '../../text/quantities.ts'
import type { Term } from '../../text/terms.ts'
import type { Dimension, Unit } from '../../text/units.ts'
import type { QuestionKind } from './grammar.ts'
import type { DateBound, NumberBound } from './numeric-bounds.ts'

/** The kind of value that answers. Of a number, what it may measure, the word it counts by, as `days` in "how many days", and its unit. */
export type AskedValue =
  | {
      readonly type: 'number'
      readonly dimensions: readonly Dimension[]
      readonly counted: readonly Term[]
      readonly unit?: Unit
    }
  | { readonly type: 'date' | 'time' | 'person' | 'place' | 'any' }

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
  /** Of a bound of time, as of "after 2024": what lies on that side of it need not say it. */
  readonly isBound: boolean
}

/** "The second cheapest": the 2nd from the least; "the three largest": the first 3 from the most. */
export type Order = {
  readonly direction: 'most' | 'least'
  /** 1 is the first. */
  readonly rank: number
  readonly take: number
  /** What the word says of the column that is ordered by, where it says it: `cheapest` is of money. */
  readonly dimension?: Dimension
  /** Its words, rank included. */
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

/** One of several things that a question names beside each other, as "the 107 and the 110", word by word. */
export type Conjunct = readonly { readonly text: string; readonly terms: readonly Term[] }[]

/** A user's words, read once. Nothing after `parseQuestion` reads the text; it is handed on to search, and shown. */
export type Question = {
  readonly text: string
  readonly language: Language
  readonly kind: QuestionKind
  readonly asked: AskedValue
  readonly terms: readonly QuestionTerm[]
  readonly conditions: readonly NumberBound[]
  /** Years, quarters, months and days that the answer has to be of. */
  readonly dates: readonly (DateValue & { readonly text: string })[]
  /** All of them hold of the answer; a period has two. */
  readonly dateBounds: readonly DateBound[]
  readonly order?: Order
  /** One value is compared with another that is no number: "stock below the minimum"; `text` is the words that compare. */
  readonly compared?: { readonly comparator: Comparator; readonly text: string }
  /** `text` is the word that says so, where it may also name a row: `total`. */
  readonly aggregate?: { readonly of: Aggregate; readonly text: string }
  /** It asks for what has none of something: "out of stock". */
  readonly lacking?: { readonly text: string; readonly terms: readonly Term[] }
  /** The adverb that says how somebody or something is: "who is *off* on Thursday". It is no content word, but a cell may say it. */
  readonly state?: Term
  /** It asks for what is not so. */
  readonly isNegative: boolean
  /** All of a kind are asked for, over all documents. */
  readonly isExhaustive: boolean
  /** Of an overview: what it is asked of; empty where it is all documents. */
  readonly about: string
  /** What is joined by `and` or `or`. */
  readonly coordinated: readonly (readonly Conjunct[])[]
  /** Its values, then its runs of content words. */
  readonly phrases: readonly Phrase[]
  /** Of "and the 109?", which is to be understood by the question before, what it names: its values, then all of it. */
  readonly fragment: readonly Phrase[]
  /** Names of files and titles that the question mentions. */
  readonly mentions: readonly string[]
  /** The questions that it is made of, each to be answered; none where it is one. Of a comparison, one for each thing compared. */
  readonly parts: readonly Question[]
  /** Of a part that was completed by what the first one names, as it stands: "and who is the chair?" may ask of something else. */
  readonly alone?: Question
  /** Of a part of a comparison, what is compared. */
  readonly label?: string
}

/** The words of a question without what it counts by: 年 of 几年. */
export function ownTerms({ terms: all, asked }: Question): readonly QuestionTerm[] {
  const counted = asked.type === 'number' ? asked.counted.map(({ text }) => text) : []
  return all.filter(({ text }) => !counted.includes(text))
}
