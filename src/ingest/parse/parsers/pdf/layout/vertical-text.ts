import type { Box } from '../../../../block.ts'
import { type Fragment, isIdeograph } from '../lines.ts'
import type { Rule } from '../rules.ts'

type Page = {
  readonly width: number
  readonly height: number
  readonly fragments: readonly Fragment[]
  readonly rules: readonly Rule[]
  readonly toPageBox: (box: Box) => Box
}

/** Share of the characters, and number of them. */
const MIN_SHARE = 0.5
const MIN_CHARACTERS = 8
/** Em from character to character. */
const STEP = [0.7, 1.7] as const
const SAME_COLUMN = 0.3
/** Em from the baseline of an ideograph to its middle. */
const MIDDLE = 0.38

/** Turns a page whose lines run downwards, from right to left, so that they are read as level. */
export function turnVerticalText<Content extends Page>(page: Content): Content {
  const { width, height } = page
  const fragments = page.fragments.flatMap(splitDownwards)
  if (!isVertical(fragments)) return page
  return {
    ...page,
    width: height,
    height: width,
    fragments: fragments.map(fragment => turnFragment(fragment, width)),
    rules: page.rules.map(rule => ({
      ...rule,
      x0: rule.y0,
      x1: rule.y1,
      y0: width - rule.x1,
      y1: width - rule.x0,
    })),
    toPageBox: ([x0, y0, x1, y1]: Box) => page.toPageBox([width - y1, x0, width - y0, x1]),
  }
}

export function placeDownwards(fragment: Fragment): Fragment {
  const { text, x0, baseline, size, isAside } = fragment
  if (isAside) return fragment
  const [top, bottom] = [baseline, baseline + [...text].length * size]
  const place = { x0: x0 - size / 2, x1: x0 + size / 2, top, bottom, baseline: bottom }
  return { ...fragment, ...place, isAside: true, isDownwards: true }
}

function splitDownwards(fragment: Fragment): Fragment[] {
  if (!fragment.isDownwards) return [fragment]
  const { text, size } = fragment
  return [...text].map((character, index) => {
    const top = fragment.top + index * size
    const place = { top, bottom: top + size, baseline: top + size * (0.5 + MIDDLE) }
    return { ...fragment, ...place, text: character, isAside: false }
  })
}

function isVertical(fragments: readonly Fragment[]): boolean {
  const below = fragments.filter((fragment, index) => isBelow(fragments[index - 1], fragment))
  const characters = fragments.reduce((sum, { text }) => sum + text.trim().length, 0)
  return below.length >= MIN_CHARACTERS && below.length > characters * MIN_SHARE
}

function isBelow(above: Fragment | undefined, { text, x0, baseline, size }: Fragment): boolean {
  if (!above || !isSingle(above.text) || !isSingle(text)) return false
  const step = (baseline - above.baseline) / size
  return Math.abs(x0 - above.x0) < size * SAME_COLUMN && step > STEP[0] && step < STEP[1]
}

function isSingle(text: string): boolean {
  return text.length === 1 && (isIdeograph(text) || isVerticalForm(text))
}

function isVerticalForm(text: string): boolean {
  return /[\ufe10-\ufe19\ufe30-\ufe48]/.test(text)
}

function turnFragment(fragment: Fragment, width: number): Fragment {
  const { text, x0, x1, top, bottom, baseline, size } = fragment
  const isOne = text.trim().length <= 1
  const isAlong = fragment.isAside && bottom - top > x1 - x0
  const middle = width - (x0 + x1) / 2
  const start = isOne ? baseline - size / 2 - size * MIDDLE : top
  return {
    ...fragment,
    text: replaceVerticalForms(text),
    x0: start,
    x1: isOne ? start + size : bottom,
    top: middle - size / 2,
    bottom: middle + size / 2,
    baseline: middle + size * MIDDLE,
    isAside: !isOne && !isAlong,
  }
}

function replaceVerticalForms(text: string): string {
  return text.replace(/[\ufe10-\ufe19\ufe30-\ufe48]/g, form =>
    form
      .normalize('NFKC')
      .replace(/[!-~]/g, sign => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  )
}
