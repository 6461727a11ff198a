import type { Language } from '../../text/language.ts'
import type { Dimension } from '../../text/units.ts'

/** What a question is after: one thing, several things, what to do, or what documents are about. */
export type QuestionKind = 'fact' | 'list' | 'steps' | 'overview' | 'nothing'

/**
 * One form of asking. Groups: `keep` is what of the match is put back, `asked` the words that name what is asked, `about`
 * what an overview is of, `excluded` what is left out. Quantifiers are bounded, and no part of a pattern can be read in two ways, so that any text is
 * read in time linear in its length.
 */
export type Form = {
  readonly pattern: RegExp
  readonly kind?: QuestionKind
  readonly asked?: 'number' | 'other'
  readonly dimensions?: readonly Dimension[]
  /** It asks how many there are: what they measure is not asked. */
  readonly isCount?: true
  /** It only leads up to what asks. */
  readonly isPolite?: true
}

/** Forms of one kind that are the whole clause. */
export function listClauses(
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

/** How questions are asked in one language. All patterns match anywhere in a clause, without case. */
export type Grammar = {
  readonly language: Language
  /** Where one question ends and another begins. */
  readonly between: RegExp
  /** Every form that matches is read, in this order, and its words taken out. */
  readonly forms: readonly Form[]
  /** Where the clause tells by its build what is asked of what: groups `asked` and `subject`. */
  readonly roles: readonly RegExp[]
  /** Superlatives. */
  readonly orders: readonly {
    readonly pattern: RegExp
    readonly direction: 'most' | 'least'
    readonly dimension?: Dimension
  }[]
  /** Of a clause that only names what the question before is to be asked of, that, as group `of`. */
  readonly fragments: readonly RegExp[]
  /** What may stand before a phrase: group `lead` is a preposition; behind `auxiliary` its last word is the verb. */
  readonly lead: RegExp
  /** Names by how they are written, beside quoted words and identifiers. */
  readonly names: RegExp
}
