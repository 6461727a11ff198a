import type { Block } from '../../block.ts'
import { isSentence } from './headings.ts'
import { levelOf, type Profile, titleKey } from './profile.ts'

const MAX_CHARACTERS = 80
/** Text of so many characters is no title, whatever it ends with. */
const RUNNING_TEXT = 60

const ARABIC = /^(\d{1,3}(?:\.\d{1,3}){0,5})(?:\.|．)?(?:\s+|(?=\p{Script=Han}))(?=["“‘(（《]?[\p{Lu}\p{Lo}])/u
const CHINESE = /^[（(]?第?([一二三四五六七八九十百]{1,5})(编|篇|部分|章|节|、|[)）])/
const DIGITS = '一二三四五六七八九'

/**
 * What the numbers of headings say, over a document from its first page to its last: which of two that look alike is
 * below the other, and that a short numbered line before running text is a heading though it looks like any other line.
 */
export class HeadingLevels {
  readonly #profile: Profile
  /** Level of the headings that are open, by the depth that their numbers say. */
  #levels = new Map<number, number>()
  #paths = new Map<number, readonly number[]>()

  constructor(profile: Profile) {
    this.#profile = profile
  }

  /** The blocks of the next page, with its headings found and in their levels. */
  settle(blocks: readonly Block[]): Block[] {
    return blocks.map((block, index) => {
      const number = headingNumber(block.text)
      if (!number) return block
      const isHeading = block.kind === 'heading' || (isTitleOf(blocks, index) && this.#isNext(number))
      if (!isHeading) return block
      const level = this.#place(block, number)
      return { ...block, kind: 'heading', level }
    })
  }

  #place(block: Block, number: HeadingNumber): number {
    const { depth, path } = number
    let level = this.#profile.outline.get(titleKey(block.text))
    if (level === undefined) {
      level = this.#levels.get(depth) ?? block.level ?? levelOf(this.#profile.bodySize, this.#profile)
      for (const [other, above] of this.#levels) if (other < depth) level = Math.max(level, above + 1)
      level = Math.min(6, level)
    }
    const isOpen = (other: number) => other < depth
    this.#levels = new Map([...[...this.#levels].filter(([other]) => isOpen(other)), [depth, level]])
    this.#paths = new Map([...[...this.#paths].filter(([other]) => isOpen(other)), [depth, path]])
    return level
  }

  /** The first of its kind, or the one after the last. */
  #isNext({ depth, path }: HeadingNumber): boolean {
    const last = path.at(-1)!
    const parent = this.#paths.get(depth - 1)
    const isInParent = path.length === 1 || !parent || path.slice(0, -1).join('.') === parent.join('.')
    return isInParent && (last === 1 || last === (this.#paths.get(depth)?.at(-1) ?? Number.NaN) + 1)
  }
}

/** A short line with a number, alone, before the text that it is the title of. */
function isTitleOf(blocks: readonly Block[], index: number): boolean {
  const [block, next] = [blocks[index]!, blocks[index + 1]]
  if (!next || !isTitleLike(block)) return false
  if (next.kind === 'table' || next.kind === 'caption') return true
  const [mine, its] = [headingNumber(block.text), headingNumber(next.text)]
  if (isTitleLike(next)) return its !== undefined && its.depth > mine!.depth && isTitleOf(blocks, index + 1)
  if (next.kind !== 'paragraph' && next.kind !== 'list') return false
  return its?.depth !== mine!.depth && (next.text.length >= RUNNING_TEXT || isSentence(next.text))
}

function isTitleLike({ kind, text, lines }: Block): boolean {
  if (kind !== 'paragraph' && kind !== 'list') return false
  if (lines?.length !== 1 || text.length > MAX_CHARACTERS || isSentence(text) || /[:：]$/.test(text)) return false
  return headingNumber(text) !== undefined && !/[.…·]{3}/.test(text)
}

/** How deep the number of a heading says that it stands: 1 for `2` and `第二章`, 2 for `2.1` and `第二节`, 3 for `二、`. */
type HeadingNumber = {
  readonly depth: number
  /** The numbers from the outermost on; of numbers in words only their own. */
  readonly path: readonly number[]
}

/** The number that a heading begins with; undefined when it has none. */
function headingNumber(text: string): HeadingNumber | undefined {
  const arabic = ARABIC.exec(text)
  if (arabic) {
    const path = arabic[1]!.split('.').map(Number)
    return path.includes(0) ? undefined : { depth: path.length, path }
  }
  const chinese = CHINESE.exec(text)
  return chinese ? { depth: chineseDepth(chinese[2]!), path: [chineseNumber(chinese[1]!)] } : undefined
}

function chineseDepth(mark: string): number {
  if (mark === '、') return 3
  return mark === ')' || mark === '）' ? 4 : mark === '节' ? 2 : 1
}

/** Of a number up to 199 as Chinese writes it. */
function chineseNumber(written: string): number {
  const [before, after] = written.includes('十') ? written.replace(/^.*百零?/, '').split('十') : ['', written.at(-1)!]
  const tens = written.includes('十') ? (before ? DIGITS.indexOf(before) + 1 : 1) * 10 : 0
  return (written.includes('百') ? 100 : 0) + tens + DIGITS.indexOf(after ?? '') + 1
}
