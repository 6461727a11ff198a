import { localizable, withMessage } from '../../../../../errors/localizable.ts'
import type { ParserEvent } from '../../../parser.ts'
import { hasWords } from '../../../skipped-text.ts'
import { hasMoreThanPageNumber } from '../../page-furniture.ts'
import {
  countCharacters,
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

/** Share of the text; the measure of silent loss in `bench/world/report.ts`. */
const MAX_UNREPORTED = 0.05

/** Finds the running heads and feet whose words are nowhere else in the document. */
export class RunningHeads {
  readonly #keptByKey = new Map<string, boolean>()
  #body = ''
  #skipped = 0
  #copies = 0
  #copiedCharacters = 0
  #characters = 0

  get skipped(): number {
    return this.#skipped
  }

  /** Reports the copies of lines that are kept once, if they make up much of the text. */
  *listWarnings(): Iterable<ParserEvent> {
    if (this.#copiedCharacters <= this.#characters * MAX_UNREPORTED) return
    const message = localizable`Running heads are read once. Copies of them that were left out: ${this.#copies}.`
    yield { type: 'warning', warning: withMessage({ code: 'skipped' }, message) }
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
    this.#characters += countCharacters(page.fragments)
    const all = toRows(toSegments([...fragments]))
    this.#countCopies(all)
    const rows = all.filter(row => this.#isNew(row))
    if (rows.length === 0) return []
    const others = neighbours.flatMap(other => findMarginLines(other).flat())
    const kept = rows.filter(row => {
      const alike = others.filter(({ key }) => key === toKey(row)).map(({ line }) => line)
      return !isBrowserPrint && this.#hasOwnWords(row, alike)
    })
    for (const row of kept) this.#keptByKey.set(toKey(row), true)
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
    const isNew = !this.#keptByKey.has(key)
    if (isNew) this.#keptByKey.set(key, false)
    return isNew
  }

  #countCopies(rows: readonly (readonly Segment[])[]): void {
    const copies = rows.filter(row => this.#keptByKey.get(toKey(row)))
    this.#copies += copies.length
    this.#copiedCharacters += countCharacters(copies.flat())
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
