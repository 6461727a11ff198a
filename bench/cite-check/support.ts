import { bare, type SourceDocument, type Unit } from './document.ts'
import {
  contentOf,
  type Measure,
  measuresOf,
  readStatement,
  type Statement,
  stem,
} from './statement.ts'

export type Verdict = 'full' | 'partial' | 'none' | 'unknown'

export type Support = { readonly verdict: Verdict; readonly because: string; readonly unit?: Unit }

/** Set before anything was labelled or run: how many of the content words one unit must have. */
const FULL_SHARE = 0.7
const PARTIAL_SHARE = 0.4

/** The number of an item is no number of what it says. */
const ITEM_NUMBER = /^\s*\d+[.)、]\s*(?=\D)/

const ORDER: readonly Verdict[] = ['full', 'partial', 'unknown', 'none']

/** The best that a single one of the cited sentences and rows does for a sentence: the protocol adds nothing up. */
export function supportOf(
  sentence: string,
  units: readonly Unit[],
  document: SourceDocument,
): Support {
  const statement = readStatement(sentence.replace(ITEM_NUMBER, ''))
  const supports = units.map(unit => supportByUnit(statement, unit, document))
  supports.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
  return supports[0] ?? { verdict: 'none', because: 'nothing is cited' }
}

function supportByUnit(statement: Statement, unit: Unit, document: SourceDocument): Support {
  const wanted = bare(statement.text)
  if (wanted && bare(unit.text).includes(wanted))
    return { verdict: 'full', because: 'quoted', unit }
  if (isWholeRow(wanted, unit)) return { verdict: 'full', because: 'the whole row', unit }
  const { source, context } = readUnit(unit)
  const conflict = conflictOf(statement, source, unit, document)
  if (conflict) return { verdict: 'none', because: conflict, unit }
  if (statement.chinese !== source.chinese && !sameScript(statement, source))
    return acrossLanguages(statement, source, context, unit)
  return byWords(statement, source, context, unit)
}

/** A row of names and numbers has no language of its own. */
const sameScript = (statement: Statement, source: Statement): boolean =>
  statement.chinese === source.chinese || source.content.size === 0

type ReadUnit = { readonly source: Statement; readonly context: Statement }

/** What each unit states: a document is cited by many sentences. */
const readUnits = new WeakMap<Unit, ReadUnit>()

function readUnit(unit: Unit): ReadUnit {
  const known = readUnits.get(unit)
  if (known) return known
  const context = [
    ...unit.headings,
    ...unit.header,
    ...(unit.kind === 'row' ? unit.cells : []),
  ].join(' . ')
  const read = { source: readStatement(unit.text), context: readStatement(context) }
  readUnits.set(unit, read)
  return read
}

/** Every cell of the row in its order, with or without the names of the columns. */
function isWholeRow(wanted: string, { kind, cells, header }: Unit): boolean {
  if (kind !== 'row') return false
  const bares = cells.map(bare)
  return (
    wanted === bares.join('') ||
    wanted === bares.map((cell, index) => bare(header[index] ?? '') + cell).join('')
  )
}

function byWords(statement: Statement, source: Statement, context: Statement, unit: Unit): Support {
  const words = [...statement.content]
  const found = words.filter(word => source.content.has(word) || context.content.has(word))
  const own = words.filter(word => source.content.has(word))
  const share = words.length ? found.length / words.length : 1
  const needed = namesRow(statement, unit) ? PARTIAL_SHARE : FULL_SHARE
  const missing = missingFrom(statement, source, context)
  const enough = words.length + statement.measures.length + statement.names.length > 1
  if (
    missing.length === 0 &&
    share >= needed &&
    own.length + statement.measures.length > 0 &&
    enough
  )
    return { verdict: 'full', because: `${found.length} of ${words.length} words`, unit }
  const required = statement.measures.length + statement.names.length
  const some = required === 0 || missing.length <= required / 2
  if (share >= PARTIAL_SHARE && own.length > 0 && some)
    return {
      verdict: 'partial',
      because: missing[0] ?? `${found.length} of ${words.length} words`,
      unit,
    }
  return {
    verdict: 'none',
    because: missing[0] ?? `${found.length} of ${words.length} words`,
    unit,
  }
}

/** A sentence about a row puts words of its own around the cells: it has to name the row and to get the cells right. */
const namesRow = ({ text }: Statement, { kind, cells }: Unit): boolean =>
  kind === 'row' && bare(cells[0] ?? '').length > 1 && bare(text).includes(bare(cells[0] ?? ''))

/** Of a translation only numbers and names can be compared: where it has none, nothing is known. */
function acrossLanguages(
  statement: Statement,
  source: Statement,
  context: Statement,
  unit: Unit,
): Support {
  const required = statement.measures.length + statement.names.length
  if (required === 0)
    return { verdict: 'unknown', because: 'a translation without numbers and names', unit }
  const missing = missingFrom(statement, source, context)
  if (missing.length === 0)
    return { verdict: 'full', because: `${required} numbers and names`, unit }
  const verdict = missing.length <= required / 2 ? 'partial' : 'none'
  return { verdict, because: missing[0]!, unit }
}

/** The numbers and names of the statement that the unit, and for names its headings too, do not have. */
function missingFrom(statement: Statement, source: Statement, context: Statement): string[] {
  const numbers = statement.measures
    .filter(measure => !hasMeasure(measure, source.measures, context.measures))
    .map(({ value, unit }) => `no ${value}${unit ? ` ${unit}` : ''}`)
  const words = new Set([...wordsOf(source.text), ...wordsOf(context.text)])
  const names = statement.names
    .filter(name => !words.has(name) && !words.has(stem(name)))
    .map(name => `no ${name}`)
  return [...numbers, ...names]
}

const wordsOf = (text: string): string[] => {
  const words =
    text.toLowerCase().match(/[\p{Script=Latin}\d][\p{Script=Latin}\d'’.-]*(?<![.'’-])/gu) ?? []
  return words.flatMap(word => [word, stem(word), ...word.split('-'), word.replace(/['’]s$/, '')])
}

/** A number counts with its unit, unless one of the two sides leaves the unit to a heading or to the reader. */
function hasMeasure(
  wanted: Measure,
  source: readonly Measure[],
  context: readonly Measure[],
): boolean {
  const same = [...source, ...context.filter(({ value }) => value >= 1900 && value < 2100)]
  return same.some(
    ({ value, unit }) => value === wanted.value && (!unit || !wanted.unit || unit === wanted.unit),
  )
}

/** What makes a statement wrong however many words it shares: negation, obligation, another row, another column. */
function conflictOf(
  statement: Statement,
  source: Statement,
  unit: Unit,
  document: SourceDocument,
): string | undefined {
  const turned =
    [...statement.negated].find(word => source.content.has(word) && !source.negated.has(word)) ??
    [...source.negated].find(word => statement.content.has(word) && !statement.negated.has(word))
  if (turned) return `negation of ${turned}`
  if (statement.modality && source.modality && statement.modality !== source.modality)
    return `${statement.modality} for ${source.modality}`
  if (unit.kind === 'row') {
    const other = otherRow(statement, unit, document)
    if (other) return `of another row: ${other}`
    const column = otherColumn(statement, unit)
    if (column) return `of another column: ${column}`
  }
  return borrowed(statement, unit, document)
}

/** The name or another text of a row that the statement has and this row has not. */
function otherRow(statement: Statement, unit: Unit, document: SourceDocument): string | undefined {
  const text = bare(statement.text)
  const own = bare([...unit.cells, ...unit.headings, ...unit.header].join(' '))
  const isNamed = unit.cells[0] !== undefined && text.includes(bare(unit.cells[0]))
  const strange = (cell: string) =>
    bare(cell).length > 1 && text.includes(bare(cell)) && !own.includes(bare(cell))
  return document.units
    .filter(other => other.table === unit.table && other !== unit)
    .flatMap(({ cells }) =>
      isNamed ? cells.slice(1).filter(cell => /^[\p{L}\s]+$/u.test(cell)) : cells.slice(0, 1),
    )
    .find(strange)
}

/** The column that the statement names, where all of its numbers stand in others. */
function otherColumn(statement: Statement, { header, cells }: Unit): string | undefined {
  const named = header.filter((name, index) => index > 0 && isNamed(name, header, statement))
  const holding = header.filter((_, index) => {
    const measures = measuresOf(cells[index] ?? '')
    return (
      index > 0 &&
      measures.some(({ value }) => statement.measures.some(measure => measure.value === value))
    )
  })
  return named.length > 0 && holding.length > 0 && !holding.some(name => named.includes(name))
    ? named[0]
    : undefined
}

/** Does the statement have most of the words and numbers that this column's name has for itself? */
function isNamed(name: string, header: readonly string[], statement: Statement): boolean {
  const others = new Set(header.filter(other => other !== name).flatMap(labelsOf))
  const own = labelsOf(name).filter(word => !others.has(word))
  const said = new Set(labelsOf(statement.text))
  return own.length > 0 && own.filter(word => said.has(word)).length > own.length / 2
}

/** The words of a column's name, units among them (a price by the week), and its numbers (a year). */
const labelsOf = (text: string): string[] => [
  ...contentOf(text),
  ...(text.toLowerCase().match(/\b(?:days?|weeks?|months?|years?)\b/g) ?? []).map(stem),
  ...(text.match(/\d+/g) ?? []),
]

/**
 * A Chinese word of three characters or more that this unit does not have and another of the document has: a name or
 * a thing that was put in the place of another. Chinese names cannot be told by a capital.
 */
function borrowed(statement: Statement, unit: Unit, document: SourceDocument): string | undefined {
  if (!statement.chinese) return undefined
  const own = [unit.text, ...unit.headings, ...unit.header].join('')
  for (const run of statement.text.match(/\p{Script=Han}+/gu) ?? []) {
    const strange = strangeRuns(run, own).find(part =>
      document.units.some(({ text }) => text.includes(part)),
    )
    if (strange) return `borrowed: ${strange}`
  }
  return undefined
}

/** The runs of three characters and more of which no pair stands in the text. */
function strangeRuns(run: string, text: string): string[] {
  const characters = [...run]
  const known = characters.map((character, index) => {
    const before = text.includes((characters[index - 1] ?? '\0') + character)
    const after = text.includes(character + (characters[index + 1] ?? '\0'))
    return before || after || /[的了是在和与及或为于由对将]/.test(character)
  })
  const marked = characters.map((character, index) => (known[index] ? ' ' : character)).join('')
  return marked.split(/ +/).filter(part => part.length >= 3)
}
