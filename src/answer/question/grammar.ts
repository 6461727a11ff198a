import type { Language } from '../../text/language.ts'
import type { Dimension } from '../../text/units.ts'

export type QuestionKind = 'fact' | 'list' | 'steps' | 'overview' | 'nothing'

/**
 * Groups: `keep` (put back), `asked`, `about`, `excluded`. Quantifiers are bounded and
 * unambiguous, so that matching is linear.
 */
export type Form = {
  readonly pattern: RegExp
  readonly kind?: QuestionKind
  readonly valueType?: 'number' | 'other'
  readonly dimensions?: readonly Dimension[]
  readonly isCount?: true
  /** Only introduces the question. */
  readonly isPolite?: true
}

/** Forms that are complete clauses. */
export function listClauses(
  kind: QuestionKind,
  flags: string,
  patterns: readonly string[],
): readonly Form[] {
  return patterns.map(pattern => ({ kind, pattern: new RegExp(`^${pattern}$`, flags) }))
}

export function createNumberForm(pattern: RegExp, ...dimensions: readonly Dimension[]): Form {
  return { pattern, valueType: 'number', dimensions }
}

/** Patterns match anywhere, ignoring case. */
export type Grammar = {
  readonly language: Language
  readonly between: RegExp
  /** Applied in order; matches are removed. */
  readonly forms: readonly Form[]
  /** Patterns with `asked` and `subject`. */
  readonly roles: readonly RegExp[]
  readonly orders: readonly {
    readonly pattern: RegExp
    readonly direction: 'most' | 'least'
    readonly dimension?: Dimension
  }[]
  /** Fragment of a follow-up, group `of`. */
  readonly fragments: readonly RegExp[]
  /** Complete text between two things of a coordination. */
  readonly conjunction: RegExp
  /** Preposition (`lead`) or auxiliary before a phrase. */
  readonly lead: RegExp
  readonly names: RegExp
}
