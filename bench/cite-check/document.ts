/** A piece of a readable source, as it is written there. */
export type SourceBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'item'; readonly marker: string; readonly text: string }
  | {
      readonly kind: 'table'
      readonly header: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly kind: 'page' }

/** What a citation is held against: one sentence, or one row of a table with the names of its columns. */
export type Unit = {
  readonly kind: 'sentence' | 'row' | 'heading'
  readonly text: string
  readonly page: number
  readonly headings: readonly string[]
  readonly header: readonly string[]
  readonly cells: readonly string[]
  /** Which block of the document it stands in. */
  readonly block: number
  /** Which table of the document a row belongs to. */
  readonly table?: number
}

export type SourceDocument = {
  readonly id: string
  readonly language: 'en' | 'zh'
  readonly format: string
  readonly title: string
  /** The other lines of the head: sender, date and the like. */
  readonly head: Readonly<Record<string, string>>
  readonly blocks: readonly SourceBlock[]
  readonly units: readonly Unit[]
}

/** Reads a source: a head of `key: value` lines between two lines `---`, then Markdown without inline marks. */
export function readSource(id: string, source: string): SourceDocument {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source)
  if (!match) throw new Error(`${id} has no head between two lines ---`)
  const head = Object.fromEntries((match[1] ?? '').split('\n').map(line => splitOnce(line, ':')))
  const { language, format, title } = head
  if ((language !== 'en' && language !== 'zh') || !format || !title)
    throw new Error(`The head of ${id} needs language (en or zh), format and title.`)
  const blocks = readBlocks(match[2] ?? '')
  return { id, language, format, title, head, blocks, units: unitsOf(title, blocks) }
}

function splitOnce(line: string, at: string): [string, string] {
  const index = line.indexOf(at)
  return [line.slice(0, index).trim(), line.slice(index + 1).trim()]
}

function readBlocks(body: string): SourceBlock[] {
  const blocks: SourceBlock[] = []
  let table: string[][] = []
  const flush = () => {
    const [header, ...rows] = table
    if (header)
      blocks.push({
        kind: 'table',
        header,
        rows: rows.filter(row => !row.every(cell => /^-+$/.test(cell))),
      })
    table = []
  }
  for (const line of body.split('\n').map(line => line.trim())) {
    if (line.startsWith('|')) table.push(cellsOf(line))
    else {
      flush()
      if (line) blocks.push(readLine(line))
    }
  }
  flush()
  return blocks
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(cell => cell.trim())

function readLine(line: string): SourceBlock {
  const heading = /^(#+)\s+(.*)$/.exec(line)
  if (heading) return { kind: 'heading', level: heading[1]!.length, text: heading[2]! }
  if (line === '<!-- page -->') return { kind: 'page' }
  const item = /^(-|\d+\.)\s+(.*)$/.exec(line)
  if (item) return { kind: 'item', marker: item[1]!, text: item[2]! }
  return { kind: 'paragraph', text: line }
}

function unitsOf(title: string, blocks: readonly SourceBlock[]): Unit[] {
  const units: Unit[] = []
  let page = 1
  let tables = 0
  let path: { level: number; text: string }[] = []
  const add = (unit: Partial<Unit> & Pick<Unit, 'kind' | 'text'>) =>
    units.push({
      page,
      headings: [title, ...path.map(({ text }) => text)],
      header: [],
      cells: [],
      block: at,
      ...unit,
    })
  let at = 0
  for (const block of blocks) {
    at += 1
    if (block.kind === 'page') page += 1
    else if (block.kind === 'heading') {
      path = [...path.filter(({ level }) => level < block.level), block]
      add({ kind: 'heading', text: block.text })
    } else if (block.kind === 'table') {
      tables += 1
      for (const cells of block.rows)
        add({ kind: 'row', text: cells.join(' | '), cells, header: block.header, table: tables })
    } else for (const text of sentencesOf(block.text)) add({ kind: 'sentence', text })
  }
  return units
}

/** Ends of sentences: a full stop that no abbreviation and no number of an item makes another thing, or a Chinese one with what closes it. */
const SENTENCE_END =
  /(?<=[.!?]["')\]]?)(?<!^\s*\d+\.)(?<!\b(?:No|Dr|Mr|Mrs|Ms|St|vs|approx|Art|e\.g|i\.e|etc)\.)\s+(?=["'([]?[\p{Lu}\p{Script=Han}\d])|(?<=[。！？][”」』）]?)(?![”」』）])/u

export const sentencesOf = (text: string): string[] =>
  text
    .split(SENTENCE_END)
    .map(sentence => sentence.trim())
    .filter(Boolean)

/** Radicals that PDFs printed by browsers have in the place of characters, and that NFKC leaves as they are. */
const RADICALS = '⺟⺠⻁⻄⻅⻆⻉⻋⻓⻔⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻨⻩⻬⻮⻰⻳'
const CHARACTERS = '母民虎西见角贝车长门青韦页风飞食马骨鬼鱼鸟麦黄齐齿龙龟'

export const withoutRadicals = (text: string): string =>
  text.replace(/[⺀-⻳]/g, radical => CHARACTERS[RADICALS.indexOf(radical)] ?? radical)

/** What stays of a text where layout is no matter: no spaces, marks, width or case. */
export const bare = (text: string): string =>
  withoutRadicals(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%°+]/gu, '')

/** The units that a quotation touches, by its letters and digits alone: empty where the document does not have these words. */
export function unitsQuoted(document: SourceDocument, quote: string): readonly Unit[] {
  const known = quoted.get(document) ?? new Map<string, readonly Unit[]>()
  quoted.set(document, known)
  const units = known.get(quote) ?? findQuoted(document, quote)
  known.set(quote, units)
  return units
}

/** What was found before: every sentence of a passage may cite the whole of it. */
const quoted = new WeakMap<SourceDocument, Map<string, readonly Unit[]>>()

function findQuoted(document: SourceDocument, quote: string): readonly Unit[] {
  const wanted = bare(quote)
  if (!wanted) return []
  const bared = document.units.map(({ text }) => bare(text))
  const starts = offsetsOf(bared)
  const at = bared.join('').indexOf(wanted)
  if (at >= 0)
    return document.units.filter(
      (_, index) => starts[index]! < at + wanted.length && at < starts[index + 1]!,
    )
  return unitsWithin(document, bared, wanted)
}

/** How much of a quotation has to be whole sentences of the document, where it puts something between or around them. */
const COVERED = 0.8

/** The rows of which a quotation has every cell; else its whole sentences, if next to nothing else is in it. */
function unitsWithin(document: SourceDocument, bared: readonly string[], wanted: string): Unit[] {
  const rows = document.units.filter(unit => holdsCells(wanted, unit))
  if (rows.length) return rows
  const whole = document.units.filter((_, index) => bared[index] && wanted.includes(bared[index]))
  const letters = whole.reduce((sum, { text }) => sum + bare(text).length, 0)
  return letters >= COVERED * wanted.length ? whole : []
}

/** Where each text begins when they stand one after another; and the end. */
function offsetsOf(texts: readonly string[]): number[] {
  const starts = [0]
  for (const text of texts) starts.push(starts.at(-1)! + text.length)
  return starts
}

/** Does this passage have every cell of the row, with what a system put between them? */
const holdsCells = (passage: string, { cells }: Unit): boolean =>
  cells.length > 1 && cells.every(cell => passage.includes(bare(cell)))
