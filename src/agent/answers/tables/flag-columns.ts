import type { Column } from './columns.ts'
import type { Condition } from './condition.ts'
import type { Table } from './table.ts'

const YES = /^(?:是|有|可|可以|能|对|yes|y|true|✓|✔|√|☑)$/iu
const NO = /^(?:否|无|没有|不|不可|不可以|不能|错|no|n|false|none|✗|✘|×|☐|[-–—])$/iu

/** What makes a question of a column's name: `是否清真` is about 清真. */
const ASKING = /^(?:是否|有无|能否|可否|是不是|(?:is|has|can)\s)|[（(].*$|[?？]$/giu

/** What is said beside the name for the contrary, or may be. */
const TURNED_BEFORE =
  /(?:\b(?:free (?:of|from)|lack(?:s|ing)?|miss(?:es|ing)?|prohibit\w*|forbid\w*|ban(?:s|ned|ning)?|hardly|barely|closed|against|avoid\w*)(?: \w+)?\s*|[缺禁免停非少拒防忌](?:\p{Script=Han}{0,2}))$/u
const TURNED_BEHIND =
  /^(?:\s?(?:free|less)\b|\s(?:is |are )?(?:prohibited|forbidden|banned|missing|closed)\b|(?:被)?[禁缺停])/u

/** Shorter names are words of other things. */
const MIN_HAN = 2
const MIN_LATIN = 3

/** Where rows are looked for, a column of yes and no that the question names is one of those that say yes. */
export function flagConditions(text: string, table: Table, columns: readonly Column[]): readonly Condition[] {
  return columns.flatMap(column => {
    const cells = table.rows.map(({ cells }) => (cells[column.at] ?? '').trim()).filter(cell => cell !== '')
    if (!cells.some(cell => YES.test(cell)) || !cells.every(cell => YES.test(cell) || NO.test(cell))) return []
    const name = column.name.replace(ASKING, '').trim().toLowerCase()
    const start = placeOf(name, text)
    if (start === undefined) return []
    const holds: Condition['holds'] = ({ cells: own }) => YES.test((own[column.at] ?? '').trim())
    return [{ column, start, end: start + name.length, isNamed: true, kind: 'cell', holds }]
  })
}

/** Where the name stands as a word of its own; Chinese has no blanks. */
function placeOf(name: string, text: string): number | undefined {
  const isHan = /\p{Script=Han}/u.test(name)
  if (name.length < (isHan ? MIN_HAN : MIN_LATIN)) return undefined
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`
    const isWord = isHan || !/[\p{L}\p{N}-]/u.test(around)
    if (isWord && !TURNED_BEFORE.test(text.slice(0, at)) && !TURNED_BEHIND.test(text.slice(at + name.length))) return at
  }
  return undefined
}
