import type { ComponentChildren } from 'preact'
import type { TextSpan } from '../../answer/citations/places.ts'
import type { PlacedBlock } from '../../ingest/block.ts'

/** More rows of a table are not drawn at once; those that are lit always are. */
const MAX_ROWS = 200

/** Blocks as a reader knows them, with the words of a span lit. */
export function BlockTexts({
  blocks,
  span,
}: {
  readonly blocks: readonly PlacedBlock[]
  readonly span?: TextSpan | undefined
}) {
  return (
    <div class="block-texts" dir="auto">
      {blocks.map(block => (
        <BlockText key={block.charStart} block={block} span={span} />
      ))}
    </div>
  )
}

function BlockText({ block, span }: { readonly block: PlacedBlock; readonly span: TextSpan | undefined }) {
  const words = lit(block.text, block.charStart, span)
  switch (block.kind) {
    case 'heading':
      return <p class={`block-heading level-${Math.min(3, block.level ?? 1)}`}>{words}</p>
    case 'table':
      return <TableText block={block} span={span} />
    case 'code':
      return (
        <pre>
          <code>{words}</code>
        </pre>
      )
    case 'list':
      return <p class="block-item">{words}</p>
    case 'caption':
      return <p class="quiet">{words}</p>
    default:
      return <p>{words}</p>
  }
}

function lit(text: string, charStart: number, span: TextSpan | undefined): ComponentChildren {
  if (!span) return text
  const from = Math.max(0, span.charStart - charStart)
  const to = Math.min(text.length, span.charEnd - charStart)
  if (from >= to) return text
  return [text.slice(0, from), <mark key="lit">{text.slice(from, to)}</mark>, text.slice(to)]
}

/** A table's text is its rows, one a line: a row is lit where its line is. */
function TableText({ block, span }: { readonly block: PlacedBlock; readonly span: TextSpan | undefined }) {
  const lines = block.text.split('\n')
  let at = block.charStart
  const rows = lines.map((line, index) => {
    const row = { cells: block.rows?.[index] ?? line.split(' | '), charStart: at, charEnd: at + line.length, index }
    at += line.length + 1
    return row
  })
  const isLit = (row: TextSpan) => span !== undefined && row.charStart < span.charEnd && span.charStart < row.charEnd
  const firstLit = Math.max(0, rows.findIndex(isLit) - MAX_ROWS / 2)
  const [header, ...rest] = rows
  const shown = rest.slice(firstLit, firstLit + MAX_ROWS)
  const cellsOf = (row: (typeof rows)[number], Cell: 'th' | 'td') =>
    row.cells.map((cell, column) => <Cell key={column}>{isLit(row) ? <mark>{cell}</mark> : cell}</Cell>)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div class="table-scroll" tabIndex={0}>
      <table>
        {header && (
          <thead>
            <tr class={isLit(header) ? 'lit' : ''}>{cellsOf(header, 'th')}</tr>
          </thead>
        )}
        <tbody>
          {shown.map(row => (
            <tr key={row.index} class={isLit(row) ? 'lit' : ''}>
              {cellsOf(row, 'td')}
            </tr>
          ))}
        </tbody>
      </table>
      {rest.length > shown.length && <p class="quiet">…</p>}
    </div>
  )
}
