import type { Row, Table } from './table.ts'

const SUMMARY =
  /^(?:(?:grand\s|sub-?)?totals?(?:\s?\(.*)?|sum|average|mean|median|overall|all|合计|总计|小计|共计|总和|总数|平均(?:值|数)?|全部)\s*[:：]?$/iu
const ALL_OF = /^(?:all|total)\s(\p{L}+)$/iu

/** A row that sums up the others is none of them: `Total`, `合计`, `All regions` under `Region`. */
export function isSummary({ columns }: Pick<Table, 'columns'>, { cells }: Row): boolean {
  const first = cells[0]?.trim() ?? ''
  if (SUMMARY.test(first)) return true
  const [, things] = ALL_OF.exec(first.toLowerCase()) ?? []
  const thing = (columns[0] ?? '').trim().toLowerCase()
  return things !== undefined && thing.length > 2 && [thing, `${thing}s`, thing.replace(/y$/, 'ies')].includes(things)
}
