import {
  getMessages,
  LocalizableMessage,
  localizable,
  withMessage,
} from '../../errors/localizable.ts'
import type { ParserEvent } from './parser.ts'

export type SkippedKind =
  | 'asides'
  | 'attributes'
  | 'building blocks'
  | 'comments'
  | 'charts'
  | 'choices of lists'
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
  | 'instructions'
  | 'linked files'
  | 'list numbers'
  | 'long outputs'
  | 'menus'
  | 'named texts'
  | 'notes'
  | 'pictures'
  | 'pivot tables'
  | 'reading aids'
  | 'recordings'
  | 'running heads'
  | 'scenarios'
  | 'section names'
  | 'signatures'
  | 'text alternatives'
  | 'text boxes'
  | 'unreadable cells'
  | 'validation texts'
  | 'variables'

/** Keys, dates, numbers and switches. */
const WORDLESS = /^(?:true|false|\S*\d\S*|\P{L}*)$/iu

/** Words in a row, as programs do not write them. */
const PROSE = /\p{L}{2,}(?: \p{L}{2,}){2}|\p{Script=Han}{4}/u

export function hasProse(text: string): boolean {
  return PROSE.test(text)
}

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
    yield {
      type: 'warning',
      warning: createWarning(counts.map(([kind, count]) => localizable`${kind} ${count}`)),
    }
  }
}

type Warning = {
  readonly code: string
  readonly message: string
  readonly advice?: string
}

function createWarning(kinds: readonly LocalizableMessage[], advice?: string): Warning {
  const message = localizable`Skipped: ${kinds}. Their text is not searchable.`
  return withMessage({ code: 'skipped' }, message, advice)
}

type DocumentWarnings = { readonly warnings: readonly Warning[] }

export function sumSkippedText(documents: readonly DocumentWarnings[]): Warning | undefined {
  const totals = new Map<string, { readonly count: number; readonly documents: number }>()
  const counting = documents.filter(({ warnings }) => warnings.some(isAboutSkippedText))
  for (const [kind, added] of counting.flatMap(({ warnings }) => warnings.flatMap(readCounts))) {
    const total = totals.get(kind) ?? { count: 0, documents: 0 }
    totals.set(kind, { count: total.count + added, documents: total.documents + 1 })
  }
  if (counting.length < 2) return undefined
  const kinds = [...totals].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  return createWarning(
    kinds.map(([kind, total]) =>
      total.documents === 1
        ? localizable`${kind} ${total.count} in 1 document`
        : localizable`${kind} ${total.count} in ${total.documents} documents`,
    ),
    SHOW_ADVICE,
  )
}

const SHOW_ADVICE = 'passim show NAME lists those of a document.'

export function isAboutSkippedText(warning: Warning): boolean {
  return readCounts(warning).length > 0
}

function readCounts(warning: Warning): readonly (readonly [kind: string, count: number])[] {
  const { message } = getMessages(warning)
  const kinds = message instanceof LocalizableMessage ? message.values[0] : undefined
  if (warning.code !== 'skipped' || !Array.isArray(kinds)) return []
  return kinds.flatMap(piece => {
    const [kind, count] = piece instanceof LocalizableMessage ? piece.values : []
    return typeof kind === 'string' && typeof count === 'number' ? [[kind, count] as const] : []
  })
}

export function* warnOfHiddenText(count: number): Iterable<ParserEvent> {
  if (count === 0) return
  const message =
    count === 1
      ? localizable`Hidden in the document, but read: ${count} piece of text.`
      : localizable`Hidden in the document, but read: ${count} pieces of text.`
  yield { type: 'warning', warning: withMessage({ code: 'hidden_text' }, message) }
}
