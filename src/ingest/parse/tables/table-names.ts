import path from 'node:path'
import type { Table } from './table.ts'

/** Characters, so that a sentence, which nobody would type, is no name. */
const MAX_TITLE = 40

/** Names a single table like the document, several by caption, sheet or heading, else by number. */
export function nameTables(document: string, tables: readonly Table[]): readonly string[] {
  const base = toPlainName(path.basename(document, path.extname(document))) || 'table'
  if (tables.length === 1) return [base]
  return makeDistinctNames(tables.map((table, index) => `${base}_${findTitle(table) ?? index + 1}`))
}

export function nameColumns(table: Pick<Table, 'columns'>): readonly string[] {
  return makeDistinctNames(
    table.columns.map(({ name }, index) => toPlainName(name) || `column_${index + 1}`),
  )
}

export function makeDistinctNames(names: readonly string[]): readonly string[] {
  const usedNames = new Set<string>()
  const numbers = new Map<string, number>()
  return names.map(name => {
    let free = name
    let number = numbers.get(name) ?? 2
    for (; usedNames.has(free); number++) free = `${name}_${number}`
    numbers.set(name, number)
    usedNames.add(free)
    return free
  })
}

function findTitle({ caption, headings }: Table): string | undefined {
  const titles = [caption, headings.at(-1)].map(title => title?.trim() ?? '')
  return titles
    .filter(title => title.length <= MAX_TITLE)
    .map(toPlainName)
    .find(Boolean)
}

function toPlainName(text: string): string {
  const words = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')
  return words.replace(/^_+|_+$/g, '')
}
