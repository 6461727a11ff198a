import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'

type InlineRecord = Readonly<Record<string, string | number | boolean | null>>

/** Exactly one is given. */
export type InlineContent = {
  readonly text?: string | undefined
  readonly markdown?: string | undefined
  readonly html?: string | undefined
  /** Rows of one table. Its columns are their keys, in order of appearance. */
  readonly records?: readonly InlineRecord[] | undefined
}

type RenderedContent = { readonly bytes: Buffer; readonly mediaType: string }

/** Columns of records, so that the header stays readable. */
const MAX_COLUMNS = 1_000

/** Throws `invalid_input` unless exactly one content is given and has text. */
export function renderContent({ text, markdown, html, records }: InlineContent): RenderedContent {
  const contents: readonly RenderedContent[] = [
    ...toTexts(text, 'text/plain'),
    ...toTexts(markdown, 'text/markdown'),
    ...toTexts(html, 'text/html'),
    ...toTexts(records && renderRecords(records), 'text/csv'),
  ]
  const [content, ...others] = contents
  if (!content || others.length > 0) {
    throw new AppError(
      'invalid_input',
      'A document has exactly one content: text, markdown, html or records.',
    )
  }
  if (content.bytes.length === 0)
    throw new AppError('invalid_input', 'The content of the document is empty.')
  return content
}

export function hasContent({ text, markdown, html, records }: InlineContent): boolean {
  return [text, markdown, html, records].some(content => content !== undefined)
}

function toTexts(text: string | undefined, mediaType: string): readonly RenderedContent[] {
  return text === undefined ? [] : [{ bytes: Buffer.from(text), mediaType }]
}

/**
 * Writes comma-separated values (RFC 4180). Quotes texts, so that none looks like a separator
 * or number.
 */
function renderRecords(records: readonly InlineRecord[]): string {
  const columns = [...new Set(records.flatMap(record => Object.keys(record)))]
  if (columns.length > MAX_COLUMNS) {
    const message = localizable`The records have ${columns.length} different keys, but a table has at most ${MAX_COLUMNS} columns. Split them into several documents.`
    throw new AppError('too_large', message)
  }
  const rows = records.map(record => columns.map(column => toCell(record[column])).join(','))
  return columns.length === 0 ? '' : [columns.map(toCell).join(','), ...rows, ''].join('\n')
}

function toCell(value: InlineRecord[string] | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
}
