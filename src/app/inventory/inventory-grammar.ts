import type { Language } from '../../text/language.ts'

export const ORDERS = ['newest', 'oldest', 'longest', 'shortest', 'largest', 'smallest'] as const
export type DocumentOrder = (typeof ORDERS)[number]

export const GROUPS = [
  'kinds',
  'languages',
  'folders',
  'years',
  'authors',
  'tags',
  'collections',
] as const
export type DocumentGroup = (typeof GROUPS)[number]

export type Role =
  /** Requests. */
  | 'which'
  | 'count'
  | 'list'
  | 'summary'
  /** A property of the newest document, such as "how old is". */
  | 'measure'
  | 'size'
  /** A noun for documents, for what they contain, or for the collection. */
  | 'documents'
  | 'document'
  /** A noun that titles end with, such as `report` or 合同. */
  | 'genre'
  | 'contents'
  | 'here'
  /** Conditions and orders; `exists` says that they are in the collection. */
  | 'exists'
  | 'topic'
  | 'folder'
  | 'language'
  | DocumentGroup
  | 'attribute'
  | 'date'
  | 'event'
  | 'recent'
  | 'number'
  | DocumentOrder
  /** Function words, and names of properties that every listed document shows. */
  | 'filler'
  /** Negates the next condition; `and` adds another to it. */
  | 'not'
  | 'and'

/**
 * An open term has words before a name, and `end` behind it. Groups of a pattern: `format`,
 * `event`, `pastEvent`, `relation`, `endRelation`, `number`, `all`.
 */
export type Term = {
  readonly role: Role
  readonly pattern: string
  readonly end?: string
  /** Roles that the term must follow; any if absent. */
  readonly behind?: readonly (Role | 'start')[]
  readonly notBefore?: readonly Role[]
}

export function toTerms(role: Role, ...patterns: readonly string[]): readonly Term[] {
  return patterns.map(pattern => ({ role, pattern }))
}

export type InventoryGrammar = {
  readonly language: Language
  readonly terms: readonly Term[]
  /** Expands contractions and removes what separates no terms. */
  readonly normalize: (text: string) => string
  readonly clause: RegExp
  readonly bare: RegExp
  /** Nouns of one to three words. */
  readonly genre: RegExp
  readonly since: RegExp
  readonly after: RegExp
  readonly before: RegExp
  readonly until: RegExp
  /** Between the two dates of a period. */
  readonly between: RegExp
  readonly added: RegExp
  readonly changed: RegExp
  readonly numerals: Readonly<Record<string, number>>
  readonly addYear: (date: string, year: number) => string
}
