import { type MeasureUnit, unitWritten } from '../../language/measure-units.ts'
import type { Column } from './columns.ts'

const SCALE =
  /[万亿]|千(?![克米瓦])|\b(?:k|bn|mn|m(?:illion|rd)s?|millions?|billions?|trillions?|thousands?)\b|\b000\b|[$€£]\s?[mk]\b/iu
const SCALED_NUMBER = /[万亿千]|(?:k|bn|illion|thousand)$/u
const CELL_SCALE = /^(?:[万亿]|千(?![克米瓦])|(?:k|bn|mn|million|billion|trillion|thousand)\b)/iu

/** The column's cells and a number of the question are not of one measure, or cannot be told to be: 5 million and `5` of a column in millions, kg and g. */
export function isOfOtherMeasure(column: Column, number: string, units: ReadonlySet<string>): boolean {
  if (column.isYears) return false
  if (column.cellUnits.some(unit => CELL_SCALE.test(unit))) return true
  if (SCALED_NUMBER.test(number) && SCALE.test(column.name)) return true
  const own = measuresOf(column.units)
  const asked = measuresOf(units)
  const isMixed = own.some(one => own.some(other => other !== one && other.dimension === one.dimension))
  return isMixed || (own.length > 0 && asked.length > 0 && !asked.some(one => own.includes(one)))
}

/** The known ones of some units. */
function measuresOf(units: ReadonlySet<string>): readonly MeasureUnit[] {
  return [...units].flatMap(unit => unitWritten(unit) ?? [])
}
