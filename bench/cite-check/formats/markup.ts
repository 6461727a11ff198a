import type { SourceBlock, SourceDocument } from '../document.ts'

export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Neighbouring items are one list. */
type Group =
  | Exclude<SourceBlock, { kind: 'item' }>
  | { kind: 'list'; ordered: boolean; items: readonly string[] }

function groupsOf(blocks: readonly SourceBlock[]): Group[] {
  const groups: Group[] = []
  for (const block of blocks) {
    if (block.kind !== 'item') groups.push(block)
    else {
      const ordered = block.marker !== '-'
      const last = groups.at(-1)
      if (last?.kind === 'list' && last.ordered === ordered)
        groups.splice(-1, 1, { ...last, items: [...last.items, block.text] })
      else groups.push({ kind: 'list', ordered, items: [block.text] })
    }
  }
  return groups
}

/** The blocks as XHTML; a new page begins where the source says so. */
export function xhtmlOf(blocks: readonly SourceBlock[]): string {
  return groupsOf(blocks).map(xhtmlOfGroup).join('\n')
}

function xhtmlOfGroup(group: Group): string {
  if (group.kind === 'page') return '<div style="break-after:page"></div>'
  if (group.kind === 'heading') return `<h${group.level}>${escaped(group.text)}</h${group.level}>`
  if (group.kind === 'paragraph') return `<p>${escaped(group.text)}</p>`
  if (group.kind === 'table') {
    const rows = group.rows.map(row => `<tr>${cellsAs('td', row)}</tr>`).join('\n')
    return `<table>\n<thead><tr>${cellsAs('th', group.header)}</tr></thead>\n<tbody>\n${rows}\n</tbody>\n</table>`
  }
  const tag = group.ordered ? 'ol' : 'ul'
  return `<${tag}>\n${group.items.map(item => `<li>${escaped(item)}</li>`).join('\n')}\n</${tag}>`
}

const cellsAs = (tag: string, cells: readonly string[]): string =>
  cells.map(cell => `<${tag}>${escaped(cell)}</${tag}>`).join('')

export function htmlPage({ title, language, blocks }: SourceDocument, style = ''): string {
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escaped(title)}</title>${style && `<style>${style}</style>`}</head>
<body>
${xhtmlOf(blocks)}
</body>
</html>
`
}

/** Plain text: headings underlined, tables with tabs, a blank line between paragraphs. */
export function plainText({ blocks }: SourceDocument): string {
  return joined(blocks, block => {
    if (block.kind === 'heading') return `${block.text}\n${'='.repeat(block.text.length)}`
    if (block.kind === 'table')
      return [block.header, ...block.rows].map(row => row.join('\t')).join('\n')
    return block.text
  })
}

export function markdown({ blocks }: SourceDocument): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return joined(blocks, block => {
    if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${block.text}`
    if (block.kind === 'table')
      return [block.header, block.header.map(() => '---'), ...block.rows].map(row).join('\n')
    return block.text
  })
}

type Written = Exclude<SourceBlock, { kind: 'page' | 'item' }>

/** The blocks with a blank line between them, but for the items of a list. */
function joined(blocks: readonly SourceBlock[], write: (block: Written) => string): string {
  const texts = groupsOf(blocks).map(group => {
    if (group.kind === 'page') return ''
    if (group.kind !== 'list') return write(group)
    return group.items
      .map((item, index) => `${group.ordered ? `${index + 1}.` : '-'} ${item}`)
      .join('\n')
  })
  return `${texts.filter(Boolean).join('\n\n')}\n`
}
