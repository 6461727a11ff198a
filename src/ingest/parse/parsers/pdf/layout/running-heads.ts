import { hasWords } from '../../../skipped-text.ts'
import { hasMoreThanPageNumber } from '../../page-furniture.ts'
import {
  type Furniture,
  findMarginLines,
  isInMargin,
  listNumbers,
  maskNumbers,
} from '../furniture.ts'
import { type Fragment, joinSegments, type Segment, toRows, toSegments } from '../lines.ts'
import type { PageContent } from '../page.ts'

/** Protects memory. */
const MAX_BODY_CHARACTERS = 1_000_000

/** Finds the running heads and feet whose words are nowhere else in the document. */
export class RunningHeads {
  readonly #keys = new Set<string>()
  #body = ''
  #skipped = 0

  /** Number of different lines with words that were left out. */
  get skipped(): number {
    return this.#skipped
  }

  addPage(page: PageContent): void {
    this.#addBody(page.fragments.filter(fragment => !isInMargin(fragment, page)))
  }

  /** Returns the lines to keep, for which this page is the first. */
  select(
    page: PageContent,
    { fragments, isBrowserPrint }: Furniture,
    neighbours: readonly PageContent[],
  ): readonly Segment[] {
    this.#addBody(page.fragments.filter(text => !fragments.has(text) && isInMargin(text, page)))
    const rows = toRows(toSegments([...fragments])).filter(row => this.#isNew(row))
    if (rows.length === 0) return []
    const others = neighbours.flatMap(other => findMarginLines(other).flat())
    const kept = rows.filter(row => {
      const alike = others.filter(({ key }) => key === toKey(row)).map(({ line }) => line)
      return !isBrowserPrint && this.#hasOwnWords(row, alike)
    })
    const left = rows.filter(row => !kept.includes(row)).map(joinSegments)
    this.#skipped += left.filter(({ text }) => hasWords(text)).length
    return kept.map(joinSegments)
  }

  #addBody(fragments: readonly Fragment[]): void {
    if (this.#body.length >= MAX_BODY_CHARACTERS) return
    const text = fragments.map(fragment => fragment.text).join('')
    this.#body += text.replace(/\s+/g, '').toLowerCase()
  }

  #isNew(row: readonly Segment[]): boolean {
    const key = toKey(row)
    const isNew = !this.#keys.has(key)
    this.#keys.add(key)
    return isNew
  }

  #hasOwnWords(row: readonly Segment[], alike: readonly Segment[]): boolean {
    const words = listWords(row, alike).filter(hasMoreThanPageNumber)
    return words.some(word => !this.#body.includes(word.toLowerCase()))
  }
}

function toKey(row: readonly Segment[]): string {
  return maskNumbers(joinSegments(row).text)
}

/** Omits numbers that change from page to page, and the words that label them: `Page 1 of 2`. */
function listWords(row: readonly Segment[], alike: readonly Segment[]): readonly string[] {
  const numbers = alike.map(listNumbers)
  let index = 0
  return row.flatMap(({ text }) => {
    const marked = text.replace(/\d+/g, number => {
      const place = index++
      return numbers.some(there => there[place] !== Number(number)) ? COUNTED : number
    })
    const tokens = marked.split(' ')
    const isLabel = (token: string, place: number) =>
      tokens.slice(Math.max(0, place - 1), place + 2).some(near => near.includes(COUNTED)) &&
      !/\d/.test(token)
    return tokens.filter((token, place) => !isLabel(token, place)).map(trimSigns)
  })
}

/** Noncharacter (Unicode). */
const COUNTED = '\ufffe'

function trimSigns(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}
