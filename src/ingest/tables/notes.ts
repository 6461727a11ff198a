import type { Span } from '../../text/sentences.ts'
import type { PlacedBlock } from '../block.ts'
import type { Cell, Note } from './table.ts'

/** Raised digits, stars and daggers, as printers set the signs of notes. */
const MARK = '[⁰¹²³⁴-⁹]+|\\*{1,3}|[†‡]'
/** A line that begins with one is a note. */
const NOTE = new RegExp(`^[^\\S\\n]*(?<mark>${MARK})(?=\\s*[^\\s${'⁰¹²³⁴-⁹*†‡'}])`, 'gmu')
/** Behind a word, or alone in a cell. */
const MARKS = new RegExp(`(?:(?<=\\S)|^)(?:${MARK})(?=$|[\\s,;:)])`, 'gu')

/** The notes of a text, each up to the next one. */
function notesOf(text: string, charStart: number): readonly Note[] {
  const found = [...text.matchAll(NOTE)]
  return found.map(({ index, groups }, at) => {
    const end = index + text.slice(index, found[at + 1]?.index).trimEnd().length
    return { mark: groups!.mark!, span: { start: charStart + index, end: charStart + end } } // the pattern has it
  })
}

/** The notes of a table: in blocks behind it, and in rows of it that say nothing else. */
export function notesOfTable(after: readonly PlacedBlock[], rows: readonly (readonly Cell[])[]): readonly Note[] {
  const alone = rows.flatMap(row => {
    const [first, ...others] = row.filter(({ text }) => text !== '')
    return first && others.every(({ text }) => text === first.text) ? [first] : []
  })
  return [
    ...alone.flatMap(({ text, span }) => notesOf(text, span.start)),
    ...after.flatMap(({ text, charStart }) => notesOf(text, charStart)),
  ]
}

/** Where the notes stand that the signs in a text lead to. */
export function notedIn(text: string, notes: readonly Note[]): readonly Span[] {
  const marks = [...text.matchAll(MARKS)].map(([mark]) => mark)
  return notes.filter(({ mark }) => marks.includes(mark)).map(({ span }) => span)
}
