import type { Evidence } from './evidence.ts'

/** Lifts across languages are so much smaller: a sentence is doubtful under .08 in its own and under .055 in the other. */
const ACROSS = 1.45

/** What comes nearest, best first: in the question's language what shares its words, then of both languages what is nearer by meaning. */
export function nearestFirst(own: readonly Evidence[], across: readonly Evidence[]): readonly Evidence[] {
  const sharing = own.filter(({ missing }) => missing < 1)
  const further = own.filter(({ missing }) => missing >= 1)
  return [...sharing, ...merged(further, across)]
}

/** Each in its order; without vectors, nothing tells how near the other language is, so that it comes last. */
function merged(own: readonly Evidence[], across: readonly Evidence[]): readonly Evidence[] {
  const lists = { own: [...own], across: [...across] }
  const next = () => {
    const [first, second] = [lists.own[0], lists.across[0]]
    const isNearer = first && second && ACROSS * (second.lift ?? 0) > (first.lift ?? 0)
    return !first || isNearer ? lists.across.shift() : lists.own.shift()
  }
  return Array.from({ length: own.length + across.length }, next).flatMap(one => one ?? [])
}
