import type { Aggregate } from '../../ingest/parse/tables/table.ts'
import type { Language } from '../../text/language.ts'
import type { Comparator } from '../../text/quantities.ts'
import type { Dimension } from '../../text/units.ts'

/** What a question is after: one thing, whether something is so, several things, what to do, what a word means, why, what documents are about. */
export type QuestionKind =
  | 'fact'
  | 'yes-no'
  | 'list'
  | 'steps'
  | 'definition'
  | 'reason'
  | 'overview'
  | 'nothing'

/**
 * One form of asking. Groups: `keep` is what of the match is put back, `asked` the words that name what is asked, `about`
 * what an overview is of, `excluded` what is left out. Quantifiers are bounded, and no part of a pattern can be read in two ways, so that any text is
 * read in time linear in its length.
 */
export type Form = {
  readonly pattern: RegExp
  readonly kind?: QuestionKind
  readonly asked?: 'number' | 'date' | 'time' | 'person' | 'place'
  readonly dimensions?: readonly Dimension[]
  readonly aggregate?: Aggregate
  readonly isExhaustive?: true
  /** It only leads up to what asks. */
  readonly isPolite?: true
}

/** Forms of one kind that are the whole clause. */
export function wholeClauses(
  kind: QuestionKind,
  flags: string,
  patterns: readonly string[],
): readonly Form[] {
  return patterns.map(pattern => ({ kind, pattern: new RegExp(`^${pattern}$`, flags) }))
}

/** What asks for a number of what may be measured so. */
export function asksNumber(pattern: RegExp, ...dimensions: readonly Dimension[]): Form {
  return { pattern, asked: 'number', dimensions }
}

/** Words that say which side of a number or a date is meant; before it or behind it, or around it. */
export type Bound = {
  readonly comparator: Comparator
  readonly before?: RegExp
  readonly behind?: RegExp
  readonly isAround?: true
  /** It is said of times as well: four digits behind it are a year. */
  readonly isTemporal?: true
}

/** How questions are asked in one language. All patterns match anywhere in a clause, without case. */
export type Grammar = {
  readonly language: Language
  /** Where one question ends and another begins. */
  readonly between: RegExp
  /** The things of a comparison, in groups `one` and `other`; what stands in `head` before them, or in `tail` behind, is asked of both. */
  readonly comparisons: readonly RegExp[]
  /** Every form that matches is read, in this order, and its words taken out. */
  readonly forms: readonly Form[]
  /** Where the clause tells by its build what is asked of what: groups `asked` and `subject`. */
  readonly roles: readonly RegExp[]
  /** Superlatives; the group `rank` or `take` is a number. */
  readonly orders: readonly {
    readonly pattern: RegExp
    readonly direction: 'most' | 'least'
    readonly dimension?: Dimension
  }[]
  /** The first that fits: "no more than" before "more than". */
  readonly bounds: readonly Bound[]
  /** The same of dates. */
  readonly dateBounds: readonly Bound[]
  /** What stands before, between and behind the two dates of a period; the first that fits. */
  readonly periods: readonly {
    readonly before?: RegExp
    readonly between: RegExp
    readonly behind?: RegExp
  }[]
  /** Words that compare what stands before them with what stands behind. */
  readonly compares: readonly { readonly pattern: RegExp; readonly comparator: Comparator }[]
  /** Of a clause that only names what the question before is to be asked of, that, as group `of`. */
  readonly fragments: readonly RegExp[]
  /** Of two clauses, each on a line, what the first leaves to the second to say, as group `end`. */
  readonly sharedEnd: RegExp
  /** Of a clause that points back by no pronoun, what it names with an article, as group `of`; behind `copula` it may be of something else. */
  readonly ownSubject: RegExp
  /** What may stand before a phrase: group `lead` is a preposition; behind `auxiliary` its last word is the verb. */
  readonly lead: RegExp
  /** There is none of what group `of` names. */
  readonly none: RegExp
  /** An adverb that stands as a predicate, as group `state`, where the language has any that are function words. */
  readonly state?: RegExp
  /** All that stands between two things that are named beside each other. */
  readonly conjunction: RegExp
  /** Names by how they are written, beside quoted words and identifiers. */
  readonly names: RegExp
  /** A word and a number that name one thing together. */
  readonly numbered: RegExp
}
