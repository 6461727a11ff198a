import { isBulleted, type Unit } from './units.ts'

/** A stem is looked for so many units above; above an item without a mark or number of its own, not so far. */
const REACH = 24
const REACH_UNMARKED = 6

const LEADS_ON = /[:：]["”’)）]*$/

/** It ends with a colon: what follows is announced by it. */
export function leadsOn(unit: Unit): boolean {
  return LEADS_ON.test(unit.text)
}

/** `There are several reasons for this.`, `处理方式如下。`: what follows is announced without a colon. */
const ANNOUNCES =
  /\b(?:the following(?!\s(?:[\w-]+\s)?(?:years?|months?|weeks?|days?|nights?|hours?|minutes?|mornings?|quarters?|seasons?)\b)|as follows)\b[^.]{0,120}\.$|^there (?:are|were) (?:\p{L}+ ){0,3}(?:reasons|ways|steps|cases|kinds|conditions|exceptions|possibilities)\b[^.]{0,120}\.$|(?:如下|以下[^。]{0,12}|(?:原因|情况|办法|方法|方式)有[^。，]{0,6})。$/iu

/** What follows is announced by it. */
export function announces(unit: Unit): boolean {
  return leadsOn(unit) || ANNOUNCES.test(unit.text)
}

/** What announces the list that a unit is an item of (`Users must not:`), without which the item says half. */
export function stemOf(units: readonly Unit[], at: number): Unit | undefined {
  const unit = units[at]
  if (!unit || unit.columns) return undefined
  const isMarked = isBulleted(unit)
  const above = units.slice(Math.max(0, at - (isMarked ? REACH : REACH_UNMARKED)), at)
  const stem = above.findLast(other => leadsOn(other) && !(isMarked && isBulleted(other)))
  if (!stem || stem.block === unit.block) return undefined
  const between = above.slice(above.indexOf(stem) + 1)
  return isMarked && !isBulleted(between[0] ?? unit) ? undefined : stem
}
