import type { Span } from '../../../text/sentences.ts'
import { findUnit } from '../../../text/units.ts'
import type { PlacedBlock } from '../../block.ts'
import type { Cell, Note } from './table.ts'

const MARK = '(?<![⁰¹²³⁴-⁹])[⁰¹²³⁴-⁹]{1,3}|(?<!\\*)\\*{1,3}|[†‡]'
const NOTE = new RegExp(`^[^\\S\\n]*(?<mark>${MARK})(?=\\s*[^\\s${'⁰¹²³⁴-⁹*†‡'}])`, 'gmu')
const MARKS = new RegExp(`(?:(?<=\\S)|^)(?:${MARK})(?=$|[\\s,;:)])`, 'gmu')
/** Exponents behind a unit of length. */
const EXPONENT = /^[²³]$/u
const WORD_BEFORE = /(?<!\p{L})\p{L}{1,2}$/u
/** Notes per table, so that a list after it is not read as its notes. */
const MAX_NOTES = 50

function parseNotes(text: string, charStart: number): readonly Note[] {
  const found = [...text.matchAll(NOTE)]
  return found.map(({ index, groups }, nth) => {
    const end = index + text.slice(index, found[nth + 1]?.index).trimEnd().length
    return { mark: groups?.mark ?? '', span: { start: charStart + index, end: charStart + end } }
  })
}

export function readTableNotes(
  after: readonly PlacedBlock[],
  rows: readonly (readonly Cell[])[],
): readonly Note[] {
  const alone = rows.flatMap(row => {
    const [first, ...others] = row.filter(({ text }) => text !== '')
    return first && others.every(({ text }) => text === first.text) ? [first] : []
  })
  const found = [
    ...alone.flatMap(({ text, span }) => parseNotes(text, span.start)),
    ...after.flatMap(({ text, charStart }) => parseNotes(text, charStart)),
  ]
  const stars = found.filter(({ mark }) => mark === '*')
  return (stars.length > 1 ? found.filter(({ mark }) => mark !== '*') : found).slice(0, MAX_NOTES)
}

export function findReferencedNotes(text: string, notes: readonly Note[]): readonly Span[] {
  const marks = [...text.matchAll(MARKS)].flatMap(({ 0: mark, index }) =>
    isExponent(mark, text, index) ? [] : mark,
  )
  const own = new Set(marks)
  return notes.filter(({ mark }) => own.has(mark)).map(({ span }) => span)
}

function isExponent(mark: string, text: string, offset: number): boolean {
  const unit =
    EXPONENT.test(mark) &&
    findUnit(WORD_BEFORE.exec(text.slice(Math.max(0, offset - 3), offset))?.[0] ?? '')
  return unit ? unit.dimension === 'length' : false
}
