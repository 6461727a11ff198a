import { isBrowserPrint } from './layout/browser-print.ts'
import { type Fragment, joinSegments, type Segment, toRows, toSegments } from './lines.ts'
import type { PageContent } from './page.ts'

/** Share of the page, so that text in the middle is never a running head. */
const MARGIN = 0.15
const MAX_ROWS = 4
/** Points that a running head may move, so that those of scanned and mirrored pages are found. */
const DRIFT = 6
/** Em to the text, so that the repeated head of a table stays text. */
const MIN_DISTANCE = 1.5

export type Furniture = {
  readonly fragments: ReadonlySet<Fragment>
  readonly isBrowserPrint: boolean
}

type MarginLine = {
  readonly line: Segment
  readonly key: string
  /** Em to the next line towards the middle. */
  readonly distance: number
}

export function findFurniture(
  page: PageContent,
  neighbours: readonly PageContent[],
  count: number,
): Furniture {
  const others = neighbours.map(neighbour => ({
    page: neighbour.page,
    lines: findMarginLines(neighbour).flat(),
  }))
  const margins = findMarginLines(page)
  const outer = margins.flatMap(([first]) => first?.line ?? [])
  const isPrinted = isBrowserPrint(
    outer.map(({ text }) => text),
    { page: page.page, count },
  )
  const fragments = isPrinted
    ? outer.flatMap(line => line.fragments)
    : listRepeatedFragments(page, margins, others)
  return { fragments: new Set(fragments), isBrowserPrint: isPrinted }
}

function listRepeatedFragments(
  page: PageContent,
  margins: readonly MarginLine[][],
  others: readonly Neighbour[],
): readonly Fragment[] {
  const edges = margins.map(edge => edge.slice(0, countRepeatedLines(page, edge, others)))
  const found = edges.flatMap(edge => edge.flatMap(({ line }) => line.fragments))
  if (countCharacters(found) < countCharacters(page.fragments) / 2) return found
  const outermost = edges.flatMap(edge => edge.slice(0, 1)).flatMap(({ line }) => line.fragments)
  return countCharacters(outermost) < countCharacters(page.fragments) / 2 ? outermost : []
}

type Neighbour = { readonly page: number; readonly lines: readonly MarginLine[] }

function countRepeatedLines(
  page: PageContent,
  edge: readonly MarginLine[],
  others: readonly Neighbour[],
): number {
  const needed = Math.min(2, others.length)
  if (needed === 0) return 0
  const isRepeated = (line: MarginLine) =>
    others.filter(other =>
      other.lines.some(match => isRepetition(line, match, other.page - page.page)),
    ).length >= needed
  const end = edge.findIndex(line => !isRepeated(line) && !isAlternating(line, page.page, others))
  const repeated = edge.slice(0, end === -1 ? edge.length : end)
  return repeated.findLastIndex(line => line.distance >= MIN_DISTANCE || isNumber(line.key)) + 1
}

function isAlternating(line: MarginLine, page: number, others: readonly Neighbour[]): boolean {
  const sameSide = others.filter(other => (other.page - page) % 2 === 0)
  const otherSide = others.filter(other => (other.page - page) % 2 !== 0)
  const hasIt = (other: Neighbour) =>
    other.lines.some(match => isRepetition(line, match, other.page - page))
  const hasPlace = (other: Neighbour) => other.lines.some(match => isSamePlace(line, match))
  return (
    sameSide.length > 0 &&
    otherSide.length > 0 &&
    sameSide.every(hasIt) &&
    otherSide.every(hasPlace)
  )
}

function isSamePlace(a: MarginLine, b: MarginLine): boolean {
  const isAlike = Math.abs(a.line.size - b.line.size) < 0.5 && b.distance >= MIN_DISTANCE
  return isAlike && Math.abs(a.line.baseline - b.line.baseline) <= DRIFT
}

export function countCharacters(fragments: readonly Pick<Fragment, 'text'>[]): number {
  return fragments.reduce((sum, fragment) => sum + fragment.text.length, 0)
}

export function findMarginLines(page: PageContent): readonly [MarginLine[], MarginLine[]] {
  const inMargin = page.fragments.filter(({ top, bottom, isAside }) => {
    if (isAside) return false
    return bottom < page.height * (MARGIN + 0.1) || top > page.height * (1 - MARGIN - 0.1)
  })
  const lines = toRows(toSegments(inMargin)).map(joinSegments)
  const describe = (line: Segment, next: Segment | undefined): MarginLine => ({
    line,
    key: maskNumbers(line.text),
    distance: next
      ? Math.abs(next.baseline - line.baseline) / Math.max(line.size, next.size)
      : Infinity,
  })
  const top = lines
    .map((line, index) => describe(line, lines[index + 1]))
    .filter(({ line }) => isInTop(line, page))
  const upwards = lines.toReversed()
  const bottom = upwards
    .map((line, index) => describe(line, upwards[index + 1]))
    .filter(({ line }) => isInBottom(line, page))
  return [top.slice(0, MAX_ROWS), bottom.slice(0, MAX_ROWS)]
}

type Height = Pick<PageContent, 'height'>

export function isInMargin(place: Pick<Segment, 'top' | 'bottom'>, page: Height): boolean {
  return isInTop(place, page) || isInBottom(place, page)
}

function isInTop({ bottom }: Pick<Segment, 'bottom'>, { height }: Height): boolean {
  return bottom < height * MARGIN
}

function isInBottom({ top }: Pick<Segment, 'top'>, { height }: Height): boolean {
  return top > height * (1 - MARGIN)
}

/** Lines with equal keys differ in numbers and white space only. */
export function maskNumbers(text: string): string {
  return text.replace(/\d+/g, '#').replace(/\s+/g, '')
}

/** Numbers may be equal or count with the pages. */
function isRepetition(mine: MarginLine, other: MarginLine, pagesBetween: number): boolean {
  if (mine.key !== other.key || Math.abs(mine.line.baseline - other.line.baseline) > DRIFT)
    return false
  const here = listNumbers(mine.line)
  const there = listNumbers(other.line)
  const steps = here.map((number, index) => (there[index] ?? Number.NaN) - number)
  if (isNumber(mine.key)) return steps[0] === pagesBetween
  return steps.every(step => step === 0 || step === pagesBetween)
}

function isNumber(key: string): boolean {
  return key.includes('#') && !/\p{L}{2}/u.test(key)
}

export function listNumbers({ text }: Pick<Segment, 'text'>): number[] {
  return (text.match(/\d+/g) ?? []).map(Number)
}
