import { getFirst } from '../../../../../system/items.ts'
import { findReferences, type LooseObject } from './loose-objects.ts'

/** From lists of pages, from some with estimates, or only from the order in the file. */
export type Numbering = 'listed' | 'guessed' | 'found'

type LoosePages = {
  /** Undefined for a page missing between others. */
  readonly pages: readonly (number | undefined)[]
  readonly total: number | undefined
  readonly numbering: Numbering
}

type Objects = ReadonlyMap<number, LooseObject>

/** Bounded, so that a file of many revisions costs little. */
const MAX_ROOTS = 8

/** Lists in lists, so that a circle ends. */
const MAX_DEPTH = 50
/** Bounded, so that a wrong number does not make thousands of missing pages. */
const MAX_MISSING = 10_000

/**
 * Orders pages by the remaining lists, else by the file. Omits pages that their own list omits.
 * The last of several complete lists counts.
 */
export function findLoosePages(objects: Objects): LoosePages {
  const all = [...objects.values()].filter(
    object => object.isComplete && (isList(object) || isPage(object)),
  )
  const parents = new Set(all.filter(isList).map(list => list.number))
  const orphans = all.filter(object => !parents.has(readParent(object) ?? -1))
  const lists = () => new PageLists(objects, groupByParent(orphans))
  const roots = orphans.filter(isRoot).slice(-MAX_ROOTS)
  const root = roots.findLast(list => lists().listLeaves(list).some(isThere))
  const remainingLists = lists()
  const tops = [...(root ? [root] : []), ...orphans.filter(object => !isRoot(object))]
  const order = new Map(all.map((object, index) => [object.number, index]))
  const placeOf = (leaves: readonly Leaf[]) => order.get(leaves.find(isThere)!)!
  const parts = tops
    .map(top => remainingLists.listLeaves(top))
    .filter(leaves => leaves.some(isThere))
  const leaves = parts.toSorted((a, b) => placeOf(a) - placeOf(b)).flat()
  const isInFileOrder = !root || parts.length > 1 || remainingLists.hasOrphans
  return { ...toLoosePages(leaves, root), ...(isInFileOrder && { numbering: 'found' }) }
}

function toLoosePages(leaves: readonly Leaf[], root: LooseObject | undefined): LoosePages {
  const listed = leaves.slice(0, leaves.findLastIndex(isThere) + 1)
  const total = root && readCount(root)
  return {
    pages: listed.map(leaf => (isThere(leaf) ? leaf : undefined)),
    total: total !== undefined && total >= listed.length ? total : undefined,
    numbering: listed.includes('guessed') ? 'guessed' : 'listed',
  }
}

function isRoot(object: LooseObject): boolean {
  return isList(object) && readParent(object) === undefined
}

function groupByParent(
  orphans: readonly LooseObject[],
): ReadonlyMap<number, readonly LooseObject[]> {
  const kids = new Map<number, LooseObject[]>()
  for (const orphan of orphans) {
    const parent = readParent(orphan)
    if (parent === undefined) continue
    const siblings = kids.get(parent)
    if (siblings) siblings.push(orphan)
    else kids.set(parent, [orphan])
  }
  return kids
}

function isThere(leaf: Leaf): leaf is number {
  return typeof leaf === 'number'
}

/** A page's object; for a missing page, whether lists mention it. */
type Leaf = number | 'missing' | 'guessed'

type Kid = { readonly leaves: readonly Leaf[]; readonly isMissing: boolean }

class PageLists {
  readonly #objects: Objects
  /** Pages and lists by the number of their missing list. */
  readonly #orphans: ReadonlyMap<number, readonly LooseObject[]>
  readonly #seen = new Set<number>()
  #room = MAX_MISSING
  hasOrphans = false

  constructor(objects: Objects, orphans: ReadonlyMap<number, readonly LooseObject[]>) {
    this.#objects = objects
    this.#orphans = orphans
  }

  listLeaves(object: LooseObject, depth = 0): Leaf[] {
    if (this.#seen.has(object.number) || depth > MAX_DEPTH) return []
    this.#seen.add(object.number)
    if (isPage(object)) return [object.number]
    const numbers = readKids(object).filter(number => !this.#seen.has(number))
    const kids = numbers.map(number => this.#readKid(number, depth))
    const missing = kids.filter(kid => kid.isMissing)
    const found = kids.reduce((sum, kid) => (kid.isMissing ? sum : sum + kid.leaves.length), 0)
    const sizes =
      missing.length === 0 ? [] : this.#fillMissing(kids, missing, (readCount(object) ?? 0) - found)
    return kids.flatMap(kid => (kid.isMissing ? (sizes.shift() ?? []) : kid.leaves))
  }

  #readKid(number: number, depth: number): Kid {
    const object = this.#objects.get(number)
    if (object?.isComplete && (isPage(object) || isList(object))) {
      return { leaves: this.listLeaves(object, depth + 1), isMissing: false }
    }
    this.#seen.add(number)
    const leaves = (this.#orphans.get(number) ?? []).flatMap(orphan =>
      this.listLeaves(orphan, depth + 1),
    )
    if (leaves.length > 0) this.hasOrphans = true
    return { leaves, isMissing: true }
  }

  #fillMissing(kids: readonly Kid[], missing: readonly Kid[], statedCount: number): Leaf[][] {
    const rest = statedCount <= this.#room ? statedCount : 0
    this.#room -= Math.max(rest, missing.length)
    if (rest === missing.length) return missing.map(kid => padLeaves(kid, 1, 'missing'))
    const from = kids.findIndex(kid => kid.isMissing)
    const isOneGap = kids.findLastIndex(kid => kid.isMissing) - from + 1 === missing.length
    const isCertain =
      rest > missing.length && isOneGap && missing.every(kid => kid.leaves.length === 0)
    if (isCertain) return [padLeaves(getFirst(missing), rest, 'missing')]
    const usual = kids.reduce(
      (max, kid) => (kid.isMissing ? max : Math.max(max, kid.leaves.length)),
      1,
    )
    return missing.map((kid, index) => {
      const unassigned = rest - index * usual
      return padLeaves(
        kid,
        Math.max(1, index === missing.length - 1 ? unassigned : Math.min(usual, unassigned)),
        'guessed',
      )
    })
  }
}

function padLeaves({ leaves }: Kid, size: number, leaf: Leaf): Leaf[] {
  return [...leaves, ...Array.from({ length: Math.max(0, size - leaves.length) }, () => leaf)]
}

function isPage({ text }: LooseObject): boolean {
  return /\/Type\s*\/Page(?![A-Za-z])/.test(text)
}

function isList({ text }: LooseObject): boolean {
  return /\/Type\s*\/Pages(?![A-Za-z])/.test(text) && /\/Kids\b/.test(text)
}

function readParent({ text }: LooseObject): number | undefined {
  return findReferences(/\/Parent\s+\d+\s+\d+\s+R/.exec(text)?.[0] ?? '')[0]
}

function readCount({ text }: LooseObject): number | undefined {
  const count = /\/Count\s+(\d{1,7})/.exec(text)?.[1]
  return count === undefined ? undefined : Number(count)
}

function readKids({ text }: LooseObject): number[] {
  return [...new Set(findReferences(/\/Kids\s*\[([^[\]]*)\]/.exec(text)?.[1] ?? ''))]
}
