import { isBulleted, type Unit } from './units.ts'

/** A stem is looked for so many units above; above an item without a mark or number of its own, not so far. */
const REACH = 24
const REACH_UNMARKED = 6

const LEADS_ON = /[:：]["”’)）]*$/

/** It ends with a colon: what follows is announced by it. */
export function leadsOn(unit: Unit): boolean {
  return LEADS_ON.test(unit.text)
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
