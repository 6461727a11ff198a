import { getItem, getLast } from '../../../../../system/items.ts'
import { type Fragment, isIdeograph } from '../lines.ts'

/**
 * Points that a letter may reach over a line, so that italics and wide letters stay in their
 * cell.
 */
const OVERHANG = 2
const MAX_SPACES = 200

/** Splits where drawn lines cross. Chooses spaces by estimated widths. */
export function splitAtLines(fragment: Fragment, lines: readonly number[]): readonly Fragment[] {
  const crossing = lines.filter(x => fragment.x0 + OVERHANG < x && x < fragment.x1 - OVERHANG)
  if (crossing.length === 0) return [fragment]
  const spaces = [...fragment.text.matchAll(/(?<=\S)\s+(?=\S)/gu)].map(
    ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    }),
  )
  if (spaces.length < crossing.length || spaces.length > MAX_SPACES) return [fragment]
  const place = estimatePlaces(fragment)
  const cuts = pickNearest(
    spaces.map(({ start, end }) => (place(start) + place(end)) / 2),
    crossing,
  ).map(index => getItem(spaces, index))
  return [...cuts, undefined].map((cut, index) => {
    const start = cuts[index - 1]?.end ?? 0
    const end = cut?.start ?? fragment.text.length
    const minX = crossing[index - 1] ?? fragment.x0
    const maxX = crossing[index] ?? fragment.x1
    const x0 = Math.max(minX, Math.min(place(start), maxX - 1))
    const x1 = Math.min(maxX, Math.max(place(end), minX + 1))
    return { ...fragment, text: fragment.text.slice(start, end), x0, x1, isSpaced: true }
  })
}

/** Returns points from the left by index. */
function estimatePlaces({ text, x0, x1 }: Fragment): (index: number) => number {
  const sums = [0]
  for (const character of text.split(''))
    sums.push(getLast(sums) + estimateCharacterWidth(character))
  const all = sums.at(-1) || 1
  return index => x0 + ((x1 - x0) * (sums[index] ?? all)) / all
}

/** Returns em, as in most fonts for reading. */
function estimateCharacterWidth(character: string): number {
  if (isIdeograph(character)) return 1
  if (/[\s.,:;'|!ilj()\][-]/.test(character)) return 0.3
  return /[\p{Lu}mw%]/u.test(character) ? 0.7 : 0.53
}

type Choice = { readonly cost: number; readonly chosen: readonly number[] }

function pickNearest(places: readonly number[], lines: readonly number[]): readonly number[] {
  const start: Choice = { cost: 0, chosen: [] }
  let best: readonly Choice[] = places.map(() => start)
  for (const [nth, line] of lines.entries()) {
    let before = nth === 0 ? start : undefined
    best = places.map((place, index) => {
      const previous = nth > 0 ? best[index - 1] : undefined
      if (previous && previous.cost < (before?.cost ?? Number.POSITIVE_INFINITY)) before = previous
      if (!before) return { cost: Number.POSITIVE_INFINITY, chosen: [] }
      return { cost: before.cost + Math.abs(place - line), chosen: [...before.chosen, index] }
    })
  }
  return best.reduce((cheapest, candidate) =>
    candidate.cost < cheapest.cost ? candidate : cheapest,
  ).chosen
}
