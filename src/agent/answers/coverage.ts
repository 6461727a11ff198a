import { isHeld, type Point, type Terms } from '../language/terms.ts'
import { type AskedWord, shareHeld, type Translation } from '../language/translation.ts'
import type { Candidate } from './candidates.ts'

/** A word of the heading tells less than one in the sentence, unless a topic is asked for: that is what headings and columns say. */
export const AROUND = 0.5

export type Words = Pick<Candidate, 'terms' | 'surroundings' | 'scope'>

/** A point of the question with its weight: the fewer units hold it, and the rarer it is in its language, the more it tells. */
type WeightedPoint = Point & { readonly weight: number }

/** What of a question's words a unit has, in shares of their weight. */
type Covered = {
  /** What it and its surroundings hold, these by less. */
  readonly share: number
  /** What neither does. */
  readonly missing: number
  /** How many points of the question stand in the unit itself. */
  readonly told: number
}

type CoverageOptions = {
  readonly terms: Terms
  readonly translation: Translation
  /** How much what only its surroundings hold counts for a unit. */
  readonly around?: number
}

/** How units cover the words of a question: in its own language by the words themselves, in the other by what they mean. */
export class Coverage {
  readonly #question: string
  readonly #points: readonly WeightedPoint[]
  readonly #translation: Translation
  readonly #around: number
  #asked: readonly AskedWord[] | undefined

  /** `candidates` tell which of the question's words are rare. */
  constructor(
    question: string,
    candidates: readonly Candidate[],
    { terms, translation, around = AROUND }: CoverageOptions,
  ) {
    this.#question = question
    this.#points = weigh(terms.pointsOf(question), candidates)
    this.#translation = translation
    this.#around = around
  }

  of(candidate: Words & Pick<Candidate, 'isAcross'>): Covered {
    return candidate.isAcross ? this.#across(candidate) : this.#within(candidate)
  }

  #within(words: Words): Covered {
    const points = this.#points
    const told = points.filter(point => isHeld(point, words.terms)).length
    const total = points.reduce((sum, point) => sum + point.weight, 0)
    if (total === 0) return { share: 0, missing: 0, told }
    const share = points.reduce((sum, point) => sum + heldBy(point, words, this.#around) * point.weight, 0) / total
    const lacked = points.filter(point => heldBy(point, words) === 0)
    return { share, missing: lacked.reduce((sum, point) => sum + point.weight, 0) / total, told }
  }

  #across({ terms, surroundings, scope }: Words): Covered {
    this.#asked ??= this.#translation.asked(this.#question)
    const own = shareHeld(this.#asked, term => terms.has(term))
    const all = shareHeld(this.#asked, term => terms.has(term) || surroundings.has(term) || scope.has(term))
    return { share: own + (all - own) * this.#around, missing: 1 - all, told: own * this.#asked.length }
  }
}

function weigh(points: readonly Point[], candidates: readonly Candidate[]): readonly WeightedPoint[] {
  return points.flatMap(point => {
    const holders = candidates.reduce((sum, candidate) => sum + heldBy(point, candidate), 0)
    if (point.isOptional && holders === 0) return []
    const rarity = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))
    return [{ ...point, weight: (point.telling ?? 1) * rarity }]
  })
}

/** 1 where the unit holds a point, less where only its surroundings do. */
export function heldBy(point: Point, { terms, surroundings, scope }: Words, around = AROUND): number {
  if (isHeld(point, terms) || isHeld(point, scope)) return 1
  return isHeld(point, surroundings) ? around : 0
}
