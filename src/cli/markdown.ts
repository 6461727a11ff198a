import type { PlacedBlock } from '../ingest/block.ts'

/** Blocks as Markdown, for reading. */
export function markdownOf(blocks: readonly PlacedBlock[]): string {
  return blocks.map(blockMarkdown).join('\n\n')
}

function blockMarkdown({ kind, text, level = 1, rows }: PlacedBlock): string {
  if (kind === 'heading') return `${'#'.repeat(level)} ${text}`
  if (kind === 'list') return /^([-*•]|\d+[.)])\s/.test(text) ? text : `- ${text}`
  if (kind === 'code') return `\`\`\`\n${text}\n\`\`\``
  if (kind === 'caption') return `*${text}*`
  if (kind === 'table' && rows) return tableMarkdown(rows)
  return text
}

function tableMarkdown([header = [], ...body]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...body.map(line)].join('\n')
}
