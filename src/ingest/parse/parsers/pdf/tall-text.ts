import type { Fragment } from './lines.ts'

/** Headings are rarely larger; drop caps span two lines at least. Protects headings. */
const TALL = 1.8
/** Capital letter in em; about the same in all fonts. */
const CAPITAL = 0.7
/** Em from a drop cap to the lines beside it. */
const INITIAL_GAP = 1.5
/** Em; more is no running text. */
const MAX_LEADING = 2.5
/** Share of a line over a watermark, so that boxes that only touch stay apart. */
const COVERED = 0.5
const MAX_TALL = 200

const INITIAL = /^["“„‘«(¿¡]?\p{L}[\p{M}'’]?$/u

/**
 * Joins drop caps with their lines, and marks large words behind other text. Either would
 * collect all lines it spans into one row.
 */
export function settleTallText(fragments: readonly Fragment[]): Fragment[] {
  const usual = findMedianSize(fragments)
  const tall = fragments.filter(({ size, isAside }) => !isAside && size >= usual * TALL)
  const settled = new Map<Fragment, Fragment | undefined>()
  for (const fragment of tall.slice(0, MAX_TALL)) {
    const beside = findLinesBeside(fragment, fragments)
    if (beside.length > 1) joinInitial(fragment, beside, settled)
    else if (isBehindText(fragment, fragments))
      settled.set(fragment, { ...fragment, isAside: true })
  }
  if (settled.size === 0) return [...fragments]
  return fragments.flatMap(fragment => {
    const replacement = settled.has(fragment) ? settled.get(fragment) : fragment
    return replacement ? [replacement] : []
  })
}

function findMedianSize(fragments: readonly Fragment[]): number {
  const sorted = fragments.toSorted((a, b) => a.size - b.size)
  let remaining = sorted.reduce((sum, { text }) => sum + text.length, 0) / 2
  for (const { size, text } of sorted) {
    remaining -= text.length
    if (remaining <= 0) return size
  }
  return 0
}

function findLinesBeside(initial: Fragment, fragments: readonly Fragment[]): Fragment[] {
  if (!INITIAL.test(initial.text.trim())) return []
  const top = initial.baseline - initial.size * CAPITAL
  const beside = fragments
    .filter(({ size, isAside, x0, baseline }) => {
      if (isAside || size * TALL > initial.size) return false
      const gap = (x0 - initial.x1) / size
      return (
        gap > -INITIAL_GAP / 2 &&
        gap < INITIAL_GAP &&
        baseline > top &&
        baseline < initial.baseline + size / 2
      )
    })
    .sort((a, b) => a.baseline - b.baseline || a.x0 - b.x0)
  const lines = beside.filter((line, index) => {
    const previous = beside[index - 1]
    return !previous || line.baseline - previous.baseline > line.size / 2
  })
  const isText = lines.every((line, index) => {
    const previous = lines[index - 1]
    return !previous || line.baseline - previous.baseline < line.size * MAX_LEADING
  })
  return isText ? lines : []
}

function joinInitial(
  initial: Fragment,
  lines: readonly Fragment[],
  settled: Map<Fragment, Fragment | undefined>,
): void {
  settled.set(initial, undefined)
  for (const [index, line] of lines.entries()) {
    const text = index === 0 ? initial.text.trim() + line.text : line.text
    settled.set(line, { ...line, text, x0: initial.x0 })
  }
}

function isBehindText(word: Fragment, fragments: readonly Fragment[]): boolean {
  if (!/\p{L}{2}/u.test(word.text)) return false
  const top = word.baseline - word.size * CAPITAL
  return fragments.some(({ isAside, size, x0, x1, baseline }) => {
    const middle = baseline - (size * CAPITAL) / 2
    if (isAside || size * TALL > word.size || middle < top || middle > word.baseline) return false
    const overlap = Math.min(x1, word.x1) - Math.max(x0, word.x0)
    return overlap > Math.min(x1 - x0, word.x1 - word.x0) * COVERED
  })
}
