import type { Language } from '../../text/language.ts'

/** Orders of documents: by their date, length in text, or size of the file. */
export const ORDERS = ['newest', 'oldest', 'longest', 'shortest', 'largest', 'smallest'] as const
export type DocumentOrder = (typeof ORDERS)[number]

/** Forms of catalog questions in one language. Each pattern matches a complete question. */
export type CatalogForms = {
  readonly language: Language
  /** Polite words around a question. */
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
  /** Numerals of "the three newest". */
  readonly numerals: Readonly<Record<string, number>>
}
