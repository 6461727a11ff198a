import { getItem, getLast } from '../../../../system/items.ts'
import type { Block } from '../../../block.ts'
import { type HeadingNumber, isSentence, parseHeadingNumber } from '../heading-numbers.ts'
import { findLevel, type Profile, toTitleKey } from './profile.ts'

const MAX_CHARACTERS = 80
/** Bounded, so that a line of text that ends like a title stays text. */
const RUNNING_TEXT = 60

/**
 * Uses the numbers of headings over all pages: they order headings that look alike, and reveal
 * numbered lines.
 */
export class HeadingLevels {
  readonly #profile: Profile
  #levels = new Map<number, number>()
  #paths = new Map<number, readonly number[]>()

  constructor(profile: Profile) {
    this.#profile = profile
  }

  settle(blocks: readonly Block[]): Block[] {
    return blocks.map((block, index) => {
      const number = parseHeadingNumber(block.text)
      if (!number) return block
      const isHeading =
        block.kind === 'heading' || (isTitleOfText(blocks, index) && this.#isNext(number))
      if (!isHeading) return block
      const level = this.#place(block, number)
      return { ...block, kind: 'heading', level }
    })
  }

  #place(block: Block, number: HeadingNumber): number {
    const { depth, path } = number
    let level = this.#profile.outline.get(toTitleKey(block.text))
    if (level === undefined) {
      level =
        this.#levels.get(depth) ?? block.level ?? findLevel(this.#profile.bodySize, this.#profile)
      for (const [other, above] of this.#levels)
        if (other < depth) level = Math.max(level, above + 1)
      level = Math.min(6, level)
    }
    const isOpen = (other: number) => other < depth
    this.#levels = new Map([
      ...[...this.#levels].filter(([other]) => isOpen(other)),
      [depth, level],
    ])
    this.#paths = new Map([...[...this.#paths].filter(([other]) => isOpen(other)), [depth, path]])
    return level
  }

  #isNext({ depth, path }: HeadingNumber): boolean {
    const last = getLast(path)
    const parent = this.#paths.get(depth - 1)
    const isInParent =
      path.length === 1 || !parent || path.slice(0, -1).join('.') === parent.join('.')
    return isInParent && (last === 1 || last === (this.#paths.get(depth)?.at(-1) ?? Number.NaN) + 1)
  }
}

function isTitleOfText(blocks: readonly Block[], index: number): boolean {
  const block = getItem(blocks, index)
  const next = blocks[index + 1]
  const mine = parseHeadingNumber(block.text)
  if (!next || !mine || !isTitleLike(block)) return false
  if (next.kind === 'table' || next.kind === 'caption') return true
  const its = parseHeadingNumber(next.text)
  if (isTitleLike(next))
    return its !== undefined && its.depth > mine.depth && isTitleOfText(blocks, index + 1)
  if (next.kind !== 'paragraph' && next.kind !== 'list') return false
  return its?.depth !== mine.depth && (next.text.length >= RUNNING_TEXT || isSentence(next.text))
}

function isTitleLike({ kind, text, lines }: Block): boolean {
  if (kind !== 'paragraph' && kind !== 'list') return false
  if (
    lines?.length !== 1 ||
    text.length > MAX_CHARACTERS ||
    isSentence(text) ||
    /[:：]$/.test(text)
  )
    return false
  return parseHeadingNumber(text) !== undefined && !/[.…·]{3}/.test(text)
}
