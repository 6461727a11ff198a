import type { Language } from '../../text/language.ts'

export const ORDERS = ['newest', 'oldest', 'longest', 'shortest', 'largest', 'smallest'] as const
export type DocumentOrder = (typeof ORDERS)[number]

/** Patterns of complete questions in one language. */
export type CatalogForms = {
  readonly language: Language
  readonly courtesy: RegExp
  readonly forms: readonly {
    readonly wants: 'count' | 'list' | 'changes' | 'summary' | 'order'
    readonly pattern: RegExp
  }[]
  readonly orders: readonly (readonly [RegExp, DocumentOrder])[]
  /** Conditions behind the noun, each from the start of what remains. */
  readonly conditions: readonly RegExp[]
  /** Words that tell a document from its format: `PDF files`. */
  readonly documentWords: RegExp
  readonly since: RegExp
  readonly after: RegExp
  readonly before: RegExp
  readonly added: RegExp
  readonly changed: RegExp
  readonly numerals: Readonly<Record<string, number>>
}
