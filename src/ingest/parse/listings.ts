import { getItem, getLast } from '../../system/items.ts'
import type { Block } from '../block.ts'

/** Blocks held back until they are classified. Protects memory. */
const MAX_RUN = 512
/** Bounded, so that a line that says something itself stays text. */
const MAX_ENTRY_CHARS = 200
/** Ignored, so that the letters of an index do not end a listing. */
const NEUTRAL_CHARS = 3

/** Share of lines or blocks, so that one odd line changes nothing. */
const ENTRY_SHARE = 0.6
/** Entries, so that two numbered lines are no list of pages; more without leaders. */
const MIN_LED = 3
const MIN_INDEXED = 5
const MIN_BARE = 8
/** Pages rise, so that prices and measures are no page numbers. */
const RISING_SHARE = 0.85
const SORTED_SHARE = 0.8
const MIN_LINKS = 4
/** High, so that a paragraph with many links stays text. */
const LINK_SHARE = 0.8

const LED = /(?:\.{4,}|…{2,}|[·・]{4,}|(?:\. ?){4,})\s*(\d{1,4}|[ivxlc]+)\s*$/i
const BARE = /^(?=.*\p{L}).*[\s|](\d{1,4})\s*$/u
const INDEXED =
  /^(?=\P{L}{0,3}\p{L}).*?,\s+\d{1,4}(?:\s*[-–]\s*\d{1,4})?(?:,\s+\d{1,4}(?:\s*[-–]\s*\d{1,4})?)*\s*$/u

const HEX = /^(?:[\da-f]{2}){1,8}$/i
const MIN_HEX = 16
const HEX_SHARE = 0.6
const HEX_IN_ROW = 4
const HEX_LETTERS = 0.25
/** Bounded, so that large blocks take no more time. */
const MAX_DUMP_CHARS = 4_096

type Entry = {
  readonly block: Block
  readonly lines: readonly Line[]
  readonly isLink: boolean
}

type Line = {
  readonly text: string
  readonly form: 'led' | 'bare' | 'indexed' | 'other'
  readonly page: number
}

/**
 * Marks runs of blocks that only point elsewhere, by their form: entries of contents or an
 * index, rows of links, dumps of bytes.
 */
export class ListingMarker {
  #run: Entry[] = []

  add(block: Block): readonly Block[] {
    const entry = toEntry(block)
    if (!entry) return [...this.end(), isDump(block.text) ? asListing(block) : block]
    const before = this.#run.length >= MAX_RUN ? this.end() : []
    this.#run.push(entry)
    return before
  }

  end(): readonly Block[] {
    const run = this.#run
    this.#run = []
    const listed = new Set([...findLinks(run), ...findContents(run), ...findIndexEntries(run)])
    return run.map(({ block }, index) => (listed.has(index) ? asListing(block) : block))
  }
}

function asListing({ rows: _, level: __, ...block }: Block): Block {
  return { ...block, kind: 'listing' }
}

function toEntry(block: Block): Entry | undefined {
  const texts = block.text.split('\n').filter(text => text.trim() !== '')
  const isLink = (block.linkShare ?? 0) >= LINK_SHARE && block.text.length <= MAX_ENTRY_CHARS
  const lines = texts.map(parseLine)
  const entries = lines.filter(({ form }) => form !== 'other').length
  const isNeutral = block.text.length <= NEUTRAL_CHARS
  return isLink || isNeutral || entries >= lines.length * ENTRY_SHARE
    ? { block, lines, isLink }
    : undefined
}

function parseLine(text: string): Line {
  if (text.length > MAX_ENTRY_CHARS) return { text, form: 'other', page: 0 }
  const led = LED.exec(text)
  if (led) return { text, form: 'led', page: Number(led[1]) || 0 }
  if (INDEXED.test(text)) return { text, form: 'indexed', page: 0 }
  const bare = BARE.exec(text)
  return bare ? { text, form: 'bare', page: Number(bare[1]) } : { text, form: 'other', page: 0 }
}

function findLinks(run: readonly Entry[]): readonly number[] {
  const links: number[] = []
  let own: number[] = []
  const keep = () => {
    if (own.filter(index => run[index]?.isLink).length >= MIN_LINKS) links.push(...own)
    own = []
  }
  for (const [index, { isLink, block }] of run.entries()) {
    if (isLink || (own.length > 0 && block.text.length <= NEUTRAL_CHARS)) own.push(index)
    else keep()
  }
  keep()
  return links
}

/** Includes everything from the first to the last block whose pages rise. */
function findContents(run: readonly Entry[]): readonly number[] {
  const isLed = (entry: Entry | undefined) =>
    entry?.lines.some(({ form }) => form === 'led') ?? false
  let first = run.findIndex(isLed)
  let last = run.findLastIndex(isLed)
  if (first < 0) return findBareContents(run)
  while (first > 0 && continuesContents(getItem(run, first - 1), getItem(run, first))) first--
  while (last + 1 < run.length && continuesContents(getItem(run, last), getItem(run, last + 1)))
    last++
  while ((run[last + 1]?.block.text.length ?? Number.POSITIVE_INFINITY) <= NEUTRAL_CHARS) last++
  const lines = run.slice(first, last + 1).flatMap(entry => entry.lines)
  const led = lines.filter(({ form }) => form === 'led')
  const isContents =
    led.length >= MIN_LED && led.length >= lines.length * (1 - ENTRY_SHARE) && areRising(led)
  return isContents ? listPlaces(first, last) : []
}

/** Without leaders, requires many lines outside of tables: the numbers may be anything. */
function findBareContents(run: readonly Entry[]): readonly number[] {
  const isEntry = ({ block, lines }: Entry) =>
    block.kind !== 'table' && lines.every(({ form }) => form === 'bare')
  const first = run.findIndex(isEntry)
  let last = first
  while (
    last >= 0 &&
    last + 1 < run.length &&
    isEntry(getItem(run, last + 1)) &&
    hasRisingPages(getItem(run, last), getItem(run, last + 1))
  )
    last++
  const lines = first < 0 ? [] : run.slice(first, last + 1).flatMap(entry => entry.lines)
  const pages = new Set(lines.map(({ page }) => page))
  return lines.length >= MIN_BARE && pages.size >= MIN_BARE / 2 && areRising(lines)
    ? listPlaces(first, last)
    : []
}

function findIndexEntries(run: readonly Entry[]): readonly number[] {
  if (run.some(({ block }) => block.kind === 'table')) return []
  const lines = run.flatMap(entry => entry.lines).filter(({ text }) => text.length > NEUTRAL_CHARS)
  const indexed = lines.filter(({ form }) => form === 'indexed')
  if (indexed.length < MIN_INDEXED || indexed.length < lines.length * ENTRY_SHARE) return []
  const { compare } = new Intl.Collator('und')
  const inOrder = pairNeighbours(indexed).filter(
    ([a, b]) => compare(readHead(a), readHead(b)) <= 0,
  ).length
  return inOrder >= (indexed.length - 1) * SORTED_SHARE ? listPlaces(0, run.length - 1) : []
}

function readHead({ text }: Line): string {
  return /\p{L}/u.exec(text)?.[0] ?? ''
}

function continuesContents(before: Entry, after: Entry): boolean {
  const isPart = ({ block, lines }: Entry) =>
    block.kind !== 'heading' && lines.every(({ form }) => form !== 'other')
  return (
    [before, after].every(
      entry => isPart(entry) || entry.lines.some(({ form }) => form === 'led'),
    ) && hasRisingPages(before, after)
  )
}

function hasRisingPages(before: Entry, after: Entry): boolean {
  const a = before.lines.at(-1)
  const b = after.lines[0]
  return (
    a !== undefined &&
    b !== undefined &&
    a.page <= b.page &&
    areRising([...before.lines, ...after.lines])
  )
}

function areRising(lines: readonly Line[]): boolean {
  const rising = pairNeighbours(lines).filter(([a, b]) => a.page <= b.page).length
  return rising >= (lines.length - 1) * RISING_SHARE
}

function pairNeighbours(lines: readonly Line[]): readonly (readonly [Line, Line])[] {
  return lines.slice(1).map((line, index) => [getItem(lines, index), line] as const)
}

function listPlaces(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function isDump(text: string): boolean {
  const lines = text.slice(0, MAX_DUMP_CHARS).split('\n')
  const tokens = lines.map(line => line.split(/[\s|:]+/).filter(Boolean))
  const hex = tokens.flatMap(findBytes)
  const withLetters = hex.filter(token => /[a-f]/i.test(token)).length
  return (
    hex.length >= MIN_HEX &&
    hex.length >= tokens.flat().length * HEX_SHARE &&
    withLetters >= hex.length * HEX_LETTERS
  )
}

function findBytes(line: readonly string[]): readonly string[] {
  const rows: string[][] = [[]]
  for (const token of line)
    if (HEX.test(token)) getLast(rows).push(token)
    else rows.push([])
  return rows.filter(row => row.length >= HEX_IN_ROW).flat()
}
