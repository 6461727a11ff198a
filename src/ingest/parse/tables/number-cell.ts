import { foldForms } from '../../../text/numerals.ts'
import { findQuantities } from '../../../text/quantities.ts'
import { MAX_VALUE, type Notation, toPlainCell } from './notation.ts'
import type { CellValue } from './table.ts'

type NumberValue = Extract<CellValue, { kind: 'number' }>

/** Pronouns and verbs of there being none (Quirk et al. 1985, 6.62; 吕叔湘 1999). */
const NONE = /^(?:none|nil|nothing|nobody|无|没有|暂无)$/iu
/** Signs of notes, which would be read as last digits. */
const NOTE = /(?<=\d)[⁰¹⁴-⁹*†‡]+$/u
/** `23.0 (5.1)`, `640 kr (bed 290 kr)`: brackets behind a number. */
const ASIDE = /(?<=^[^()（）]{1,30}\S)\s*[(（][^()（）]*[)）]$/u
/** Before more digits, it leads a telephone number. */
const PLUS = /^\+(?=\d{1,6}(?!\d))/u
const ABOUT = /^(?:[<>≤≥≈~±]\s?|约|大约|(?:about|approx\.?|ca\.?) )/iu
const OR_MORE = /(?<=\d)\+(?=\D*$)/u
const PLAIN = /^-?(?:\d{1,3}(?:,\d{3})+|(?:0|[1-9]\d{0,14}))(?:\.\d{1,12})?$/u
const COUNTED = /^\s?[^\d,.;()]{0,12}$/u

/**
 * Figure dash, en dash, minus sign and small hyphen-minus, which are a minus unless between two
 * numbers.
 */
const MINUS = '[-\u2012\u2013\u2212\ufe63]'
const CURRENCY = '(?:[A-Z]{1,3}\\p{Sc}?|\\p{Sc}|kr|元)'
const AMOUNT = `(?:${CURRENCY}\\s?)?\\d[\\d.,]*(?:\\s?(?:%|${CURRENCY}))?`
/** A minus before the number, one behind it as in SAP, or brackets as in accounts. */
const NEGATIVES: readonly RegExp[] = [
  new RegExp(`^${MINUS}(?<amount>(?:${CURRENCY}\\s?)?\\d.*)$`, 'u'),
  new RegExp(`^${MINUS}\\s(?<amount>${AMOUNT})$`, 'u'),
  new RegExp(`^(?<before>${CURRENCY}\\s?)${MINUS}\\s?(?<amount>\\d.*)$`, 'u'),
  new RegExp(`^(?<amount>${AMOUNT})\\s?${MINUS}$`, 'u'),
  new RegExp(`^(?<amount>\\d[\\d.,]*)${MINUS}(?<behind>\\s?${CURRENCY})$`, 'u'),
  new RegExp(`^\\(\\s?(?<amount>${AMOUNT})\\s?\\)(?<behind>\\s?(?:%|${CURRENCY}))?$`, 'u'),
  new RegExp(`^(?<before>${CURRENCY}\\s?)\\(\\s?(?<amount>\\d[\\d.,]*)\\s?\\)$`, 'u'),
]

/**
 * Reads one number with its unit, or a range. Rejects a code with a leading zero, and several
 * numbers.
 */
export function readNumber(cell: string, notation: Notation): NumberValue | undefined {
  const plain = cell.length > MAX_VALUE ? undefined : toPlainCell(cell, notation)
  if (plain === undefined) return undefined
  const text = foldForms(plain).trim().replace(NOTE, '')
  const exact = text.replace(ABOUT, '').replace(OR_MORE, '')
  const value = readSigned(exact)
  return value && exact !== text ? { ...value, isInexact: true } : value
}

export function readAmount(cell: string, notation: Notation): NumberValue | undefined {
  return NONE.test(cell.trim()) ? { kind: 'number', value: 0 } : readNumber(cell, notation)
}

function readSigned(text: string): NumberValue | undefined {
  for (const pattern of NEGATIVES) {
    const { before = '', amount, behind = '' } = pattern.exec(text)?.groups ?? {}
    const read = amount === undefined ? undefined : readUnsigned(`${before}${amount}${behind}`)
    if (read && read.upTo === undefined) return { ...read, value: 0 - read.value }
  }
  return readUnsigned(text)
}

function readUnsigned(written: string): NumberValue | undefined {
  const text = written.replaceAll('\u2212', '-').replace(ASIDE, '').replace(PLUS, '')
  if (PLAIN.test(text)) return { kind: 'number', value: Number(text.replaceAll(',', '')) }
  const [quantity, another] = findQuantities(text)
  if (
    !quantity ||
    another ||
    quantity.span.start > 0 ||
    !COUNTED.test(text.slice(quantity.span.end))
  )
    return undefined
  const { span: _, ...number } = quantity
  return { kind: 'number', ...number }
}
