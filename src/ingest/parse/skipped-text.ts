import { say, withMessage } from '../../errors/said.ts'
import type { ParserEvent } from './parser.ts'

export type SkippedKind =
  | 'building blocks'
  | 'comments'
  | 'charts'
  | 'contents lists'
  | 'deleted texts'
  | 'document properties'
  | 'drawings'
  | 'embedded objects'
  | 'extension fields'
  | 'form controls'
  | 'footers'
  | 'formulas'
  | 'headers'
  | 'hidden elements'
  | 'index entries'
  | 'inserted documents'
  | 'linked files'
  | 'list numbers'
  | 'long outputs'
  | 'menus'
  | 'notes'
  | 'pictures'
  | 'pivot tables'
  | 'reading aids'
  | 'recordings'
  | 'scenarios'
  | 'section names'
  | 'signatures'
  | 'text alternatives'
  | 'text boxes'
  | 'unreadable cells'
  | 'validation texts'

/** Keys, dates, numbers and switches. */
const WORDLESS = /^(?:true|false|\S*\d\S*|\P{L}*)$/iu

export function hasWords(text: string): boolean {
  return !WORDLESS.test(text.trim())
}

/** Emit its warning at the end of the document. */
export class SkippedText {
  readonly #counts = new Map<SkippedKind, number>()

  add(kind: SkippedKind, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  *listWarnings(): Iterable<ParserEvent> {
    if (this.#counts.size === 0) return
    const counts = [...this.#counts].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    const kinds = counts.map(([kind, count]) => say`${kind} ${count}`)
    const message = say`Skipped: ${kinds}. Their text is not searchable.`
    yield { type: 'warning', warning: withMessage({ code: 'skipped' }, message) }
  }
}
