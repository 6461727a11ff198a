import type { Condition } from './condition.ts'

/** How a question asks for the rows of a table. */
type Asking = {
  /** Rows are looked for, none of them is named. */
  readonly selects: boolean
  /** Something is said instead of asked. */
  readonly isStated: boolean
  /** Something is to be decided, yes or no. */
  readonly decides: boolean
}

const BEFORE_A_VALUE = /\b(?:from|to|in|at|for|via|between)\s+(?:the\s+)?["']?$/i
const WRITTEN_AS_VALUE = /\p{Script=Han}|\d|^\p{Lu}/u

/**
 * A row that is named by its own cell is asked about, not looked for. What else the question names has to stand in that row
 * where it is written as a name (`Hamburg`, `QY-1000`, `北京仓`) or follows a word of place; other words may be there by chance. Nothing
 * is looked for where something is to be decided, nor beside its name where something is stated of it (`跑步机的保修期是12个月`):
 * the row may say otherwise.
 */
export function heldTo(all: readonly Condition[], asked: string, asking: Asking): readonly Condition[] {
  const { selects, isStated, decides } = asking
  if (selects && !(isStated && all.some(isNaming)) && !all.every(isNaming)) return all
  const sure = all.filter(one => one.kind === 'missing' || (isNaming(one) && one.isNumbered))
  if (decides || (isStated && all.some(isNaming))) return sure
  if (!all.some(isNaming)) return all
  return all.filter(one => sure.includes(one) || (one.kind === 'cell' && isSaidAsName(one, asked)))
}

function isNaming({ kind, column, isExcluded }: Condition): boolean {
  return kind === 'cell' && column.isKey && !isExcluded
}

function isSaidAsName({ value = '' }: Condition, asked: string): boolean {
  const at = asked.toLowerCase().indexOf(value)
  if (at < 0) return false
  const isOpening = at === 0 && !/[\d\p{Script=Han}]/u.test(value)
  return (
    (WRITTEN_AS_VALUE.test(asked.slice(at, at + value.length)) && !isOpening) || BEFORE_A_VALUE.test(asked.slice(0, at))
  )
}
