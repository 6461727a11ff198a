import { type MeasureUnit, unitWritten } from './measure-units.ts'
import { SCALE_BESIDE_UNIT, scaled } from './scales.ts'

/** A unit and what it is multiplied by: of `万元`, 10,000 and the yuan; of `million sheets`, a million of no known unit. */
export type ScaledUnit = { readonly scale: number; readonly unit?: MeasureUnit }

/** Of what is longer, in characters, nothing is read as a unit. */
const MAX_UNIT = 40

/** `€/month`, `EUR per night`, `元/公斤`: what is paid, whatever for. */
const PAID_PER = /^([^/／]{1,12}?)\s*(?:[/／]|\bper\b|每)\s*\p{L}[^/／]{0,20}$/u

/** The unit that a text is, as cells, headers and captions write it; undefined where it has neither a scale nor a known unit. */
export function scaledUnit(text: string): ScaledUnit | undefined {
  const written = text.normalize('NFKC').trim()
  const bare = written.toLowerCase()
  if (bare === '' || bare.length > MAX_UNIT) return undefined
  const whole = unitWritten(written)
  if (whole) return { scale: 1, unit: whole }
  const paid = PAID_PER.exec(bare)?.[1]
  const money = paid === undefined ? undefined : scaledUnit(paid)
  if (money?.unit?.dimension.startsWith('money')) return money
  const scale = SCALE_BESIDE_UNIT.exec(bare)
  if (!scale) return undefined
  const rest = `${bare.slice(0, scale.index)} ${bare.slice(scale.index + scale[0].length)}`
  const unit = unitWritten(rest.replace(/\bof\b|['’]s\b/g, ' ').trim())
  return { scale: scaled(1, scale[0].replace(/(?<=.{4})s$/, '').replace(/^['’]/, '')), ...(unit && { unit }) }
}

/** Where a line says what a table is in; behind it, the unit. */
const LEADS_IN =
  /\bin\s+(?:us\s)?|\bunits?\b\s*[:：]?\s*|单位\s*(?:为|是)?\s*[:：]?\s*(?:人民币)?|[(（,，]\s*(?:in\s+)?/giu
const END = /[.,;:，。；：)）\n]/u
/** A unit has at most so many words. */
const MAX_WORDS = 4
/** Longer lines tell something else, in characters. */
const MAX_LINE = 200

/** The unit that the caption or the line before a table gives its numbers: `单位：百万元`, `Amounts in thousands of USD.` */
export function unitOfLine(line: string): ScaledUnit | undefined {
  if (line.length > MAX_LINE) return undefined
  for (const { 0: lead, index } of line.matchAll(LEADS_IN)) {
    const words = (line.slice(index + lead.length).split(END)[0] ?? '').split(/\s+/).slice(0, MAX_WORDS)
    const read = words.map((_, at) => scaledUnit(words.slice(0, words.length - at).join(' '))).find(Boolean)
    if (read) return read
  }
  return undefined
}
