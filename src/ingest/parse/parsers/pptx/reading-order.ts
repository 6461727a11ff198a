export type ShapeBox = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Placed = { readonly box: ShapeBox | undefined }

type Numbered<Item> = { readonly item: Item; readonly box: ShapeBox; readonly number: number }

/**
 * Share of the smaller shape by which two may overlap side by side: frames are larger than
 * their text.
 */
const MAX_OVERLAP = 0.2
/** Protects time, which grows with the square of the number. */
const MAX_SHAPES = 200

/**
 * Cuts a slide at gaps into rows and columns; if both are possible, in the order closest to the
 * stored one. A shape without a place follows the one before.
 */
export function orderByPlace<Item extends Placed>(items: readonly Item[]): readonly Item[] {
  const followers = new Map<Item | undefined, Item[]>()
  const placed: Numbered<Item>[] = []
  for (const [number, item] of items.entries()) {
    const before = placed.at(-1)?.item
    if (item.box) placed.push({ item, box: item.box, number })
    else followers.set(before, [...(followers.get(before) ?? []), item])
  }
  const ordered = placed.length > MAX_SHAPES ? placed : cut(placed)
  const following = (item: Item | undefined) => followers.get(item) ?? []
  return [...following(undefined), ...ordered.flatMap(({ item }) => [item, ...following(item)])]
}

function cut<Item>(items: readonly Numbered<Item>[]): readonly Numbered<Item>[] {
  if (items.length < 2) return items
  const ways = [split(items, 'y', 'height'), split(items, 'x', 'width')]
  const orders = ways.filter(parts => parts.length > 1).map(parts => parts.flatMap(cut))
  const [best = items] = orders.toSorted((a, b) => countInversions(a) - countInversions(b))
  return best
}

function split<Item>(
  items: readonly Numbered<Item>[],
  start: 'x' | 'y',
  size: 'width' | 'height',
): readonly (readonly Numbered<Item>[])[] {
  const sorted = items.toSorted((a, b) => a.box[start] - b.box[start] || a.number - b.number)
  const parts: Numbered<Item>[][] = []
  let end = Number.NEGATIVE_INFINITY
  let smallest = Number.POSITIVE_INFINITY
  for (const item of sorted) {
    const { [start]: from, [size]: length } = item.box
    const overlap = MAX_OVERLAP * Math.min(smallest, length)
    if (from >= end - overlap) {
      parts.push([])
      smallest = Number.POSITIVE_INFINITY
    }
    parts.at(-1)?.push(item)
    end = Math.max(end, from + length)
    smallest = Math.min(smallest, length)
  }
  return parts.map(part => part.toSorted((a, b) => a.number - b.number))
}

function countInversions(items: readonly Numbered<unknown>[]): number {
  return items.reduce(
    (sum, { number }, index) =>
      sum + items.slice(index + 1).filter(later => later.number < number).length,
    0,
  )
}
