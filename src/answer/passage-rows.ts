import { CELL_SEPARATOR } from '../ingest/block.ts'
import { classifyFirstRow, findTableHeader } from '../ingest/parse/tables/header.ts'
import { groupPairs } from '../ingest/parse/tables/pairs.ts'
import type { Passage } from '../search/passages/passage.ts'
import type { Span } from '../text/sentences.ts'

/** Uses the header for column names, unless they are known. */
export function readRows(
  text: string,
  lines: readonly Span[],
  header: readonly string[] | undefined,
) {
  const cells = lines.map(({ start, end }) => text.slice(start, end).split(CELL_SEPARATOR))
  const { pairs, rows, names } = findTableHeader(header ? [header, ...cells] : cells)
  if (pairs > 1)
    return lines.flatMap((line, index) =>
      findPairSpans(line, cells[index]!).map(span => ({ span, columns: [] })),
    )
  if (header) return lines.map(span => ({ span, columns: rows === 0 ? [] : header }))
  if (rows === 0 || lines.length === 1) return lines.map(span => ({ span, columns: [] }))
  return lines.slice(rows).map(span => ({ span, columns: names }))
}

function findPairSpans({ start }: Span, row: readonly string[]): readonly Span[] {
  let offset = start
  const cells = row.map(text => {
    const span = { text, start: offset, end: offset + text.length }
    offset = span.end + CELL_SEPARATOR.length
    return span
  })
  return groupPairs(cells).map(pair => ({ start: pair[0]!.start, end: pair.at(-1)!.end }))
}

export function findColumns(
  passage: Passage,
  blocks: readonly Span[],
  index: number,
): readonly string[] | undefined {
  if (index === 0) {
    const last = passage.context.trimEnd().split('\n').at(-1) ?? ''
    return last.includes(CELL_SEPARATOR) ? last.split(CELL_SEPARATOR) : undefined
  }
  const above = readCells(passage, blocks[index - 1]!)
  const below = readCells(passage, blocks[index]!)
  if (!above || !below || above[0]?.length !== below[0]?.length) return undefined
  const columns = findColumns(passage, blocks, index - 1)
  const { rows, names } = columns ? { rows: 0, names: columns } : findTableHeader(above)
  const isHeaded = columns !== undefined || rows > 0
  return isHeaded && classifyFirstRow({ header: names, above: above.slice(rows), below }) === 'row'
    ? names
    : undefined
}

function readCells(
  { text }: Passage,
  { start, end }: Span,
): readonly (readonly string[])[] | undefined {
  const lines = text.slice(start, end).split('\n')
  return lines.every(line => line.includes(CELL_SEPARATOR))
    ? lines.map(line => line.split(CELL_SEPARATOR))
    : undefined
}
