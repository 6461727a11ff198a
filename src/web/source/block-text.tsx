import type { ComponentChildren } from 'preact'
import type { BlockJson } from '../../wire/document.ts'
import type { TextSpan } from './highlight.ts'
import { intersectSpan, locateCells } from './highlight.ts'

/** Rows drawn, around the highlighted one, so that a large table does not block the page. */
const MAX_ROWS = 200

export function BlockTexts({
  blocks,
  span,
}: {
  readonly blocks: readonly BlockJson[]
  readonly span?: TextSpan
}) {
  return (
    <div class="block-texts" dir="auto">
      {blocks.map(block => (
        <BlockText key={block.charStart} block={block} span={span} />
      ))}
    </div>
  )
}

function BlockText({
  block,
  span,
}: {
  readonly block: BlockJson
  readonly span: TextSpan | undefined
}) {
  const words = highlightSpan(block.text, block.charStart, span)
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

function highlightSpan(
  text: string,
  charStart: number,
  span: TextSpan | undefined,
): ComponentChildren {
  const range = span && intersectSpan(text, charStart, span)
  if (!range) return text
  const { from, to } = range
  return [text.slice(0, from), <mark key="lit">{text.slice(from, to)}</mark>, text.slice(to)]
}

function TableText({
  block,
  span,
}: {
  readonly block: BlockJson
  readonly span: TextSpan | undefined
}) {
  const rows = locateCells(block).map((cells, index) => ({ cells, index }))
  const isLit = ({ cells }: (typeof rows)[number]) =>
    span !== undefined && cells.some(cell => intersectSpan(cell.text, cell.charStart, span))
  const [header, ...rest] = rows
  const firstLit = Math.max(0, rest.findIndex(isLit) - MAX_ROWS / 2)
  const visibleRows = rest.slice(firstLit, firstLit + MAX_ROWS)
  const renderCells = ({ cells }: (typeof rows)[number], Cell: 'th' | 'td') =>
    cells.map((cell, column) => (
      <Cell key={column}>{highlightSpan(cell.text, cell.charStart, span)}</Cell>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div class="table-scroll" tabIndex={0}>
      <table>
        {header && (
          <thead>
            <tr>{renderCells(header, 'th')}</tr>
          </thead>
        )}
        <tbody>
          {visibleRows.map(row => (
            <tr key={row.index}>{renderCells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
      {rest.length > visibleRows.length && <p class="quiet">…</p>}
    </div>
  )
}
