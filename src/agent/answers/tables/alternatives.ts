import type { Condition } from './condition.ts'

const OR = /\bor\b|[或]|要么/

/** A row meets either of two conditions in two columns: that is more than conditions can say. */
export function crossesColumns(text: string, conditions: readonly Condition[]): boolean {
  const placed = conditions.toSorted((a, b) => a.start - b.start)
  return placed.some(({ column, start }, at) => {
    const before = placed[at - 1]
    return before !== undefined && before.column !== column && OR.test(text.slice(before.end, start))
  })
}

/** Of several values, ranges, or bounds of one column of numbers that no number can meet together, one has to be met. */
export function withAlternatives(text: string, conditions: readonly Condition[]): readonly Condition[] {
  return conditions.map(condition => {
    const own = conditions.filter(({ column, kind }) => column === condition.column && kind !== 'missing')
    if (!condition.column.numbers || condition.kind === 'missing' || own.length < 2 || !areAlternatives(text, own))
      return condition
    return { ...condition, holds: (row, at) => own.some(one => one.holds(row, at)) }
  })
}

function areAlternatives(text: string, own: readonly Condition[]): boolean {
  if (own.some(({ bound }) => !bound || bound.relation === 'equal' || bound.relation === 'between')) return true
  const placed = own.toSorted((a, b) => a.start - b.start)
  if (placed.some(({ start }, at) => at > 0 && OR.test(text.slice(placed[at - 1]?.end, start)))) return true
  const bounds = own.flatMap(({ bound }) => bound ?? [])
  const isLow = (relation: string) => relation === 'above' || relation === 'least'
  const least = Math.max(...bounds.filter(one => isLow(one.relation)).map(({ value }) => value))
  const most = Math.min(...bounds.filter(one => !isLow(one.relation)).map(({ value }) => value))
  return least > most
}
