import { type Polarity, polarityOf } from '../../text/polarity.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import { aboutOf, type Claim, type ClaimReading, segmentsOf } from './claims.ts'
import type { ReadStatement } from './read-statement.ts'
import type { Cell } from './statements.ts'

/** A part of a statement or claim that denies or demands by itself. */
type Segment = Polarity & { readonly text: string; readonly terms: readonly Term[] }

/** A segment of which a claim has this share of the words is what it speaks of. */
const SPOKEN_OF = 0.6

export type PolarityFit = {
  /** What the claim says is denied, or it denies what is said. */
  readonly isDenied: boolean
  /** It demands what is left to choice, or the other way round. */
  readonly isOtherDemand: boolean
}

/** Of what the claim says of its own row, the row's name is no part. */
export function fitOfPolarity({ text }: Claim, statement: ReadStatement, { terms }: ClaimReading): PolarityFit {
  const told = segments(statement.cells?.slice(1).flatMap(cellSegments) ?? segmentsOf(statement.text), terms)
  const key = statement.cells ? terms.of(statement.cells[0]!.text) : new Set<string>() // a row has cells
  const said = segments(segmentsOf(text), terms).map(one => ({
    ...one,
    terms: one.terms.filter(term => !isHeld(term, key)),
  }))
  const fits = said.map(segment => {
    const meant = meantBy(segment, told, said.length === 1 ? text : segment.text, terms)
    if (meant.length === 0) return { isDenied: isNegative(segment) && !told.some(isNegative), isOtherDemand: false }
    const alike = meant.filter(one => isNegative(one) === isNegative(segment))
    return {
      isDenied: alike.length === 0,
      isOtherDemand: alike.length > 0 && alike.every(one => isOtherDemand(segment, one)),
    }
  })
  return {
    isDenied: fits.some(({ isDenied }) => isDenied),
    isOtherDemand: fits.some(({ isOtherDemand }) => isOtherDemand),
  }
}

function isNegative({ negations }: Segment): boolean {
  return negations % 2 === 1
}

function isOtherDemand(a: Segment, b: Segment): boolean {
  return a.modality !== undefined && b.modality !== undefined && a.modality !== b.modality
}

/** Those of which the claim says most, if it says much of them; else those that say most of it. */
function meantBy(segment: Segment, told: readonly Segment[], text: string, terms: Terms): readonly Segment[] {
  const there = terms.of(text)
  const spoken = most(told, one => share(one.terms, there), SPOKEN_OF)
  return spoken.length > 0 ? spoken : most(told, one => share(segment.terms, terms.of(one.text)), SPOKEN_OF)
}

function most(segments: readonly Segment[], shareOf: (segment: Segment) => number, least: number): readonly Segment[] {
  const shares = segments.map(shareOf)
  const best = Math.max(...shares)
  return best < least ? [] : segments.filter((_, at) => shares[at] === best)
}

function share(terms: readonly Term[], there: ReadonlySet<string>): number {
  return terms.filter(term => isHeld(term, there)).length / Math.max(1, terms.length)
}

/** One that has no words of its own goes with the one before: `dogs, cats included, are not allowed`. */
function segments(parts: readonly string[], terms: ClaimReading['terms']): readonly Segment[] {
  const joined: string[] = []
  for (const part of parts) {
    const isEmpty = terms.contentOf(aboutOf(part)).length === 0
    if (isEmpty && joined.length > 0) joined[joined.length - 1] += ` ${part}`
    else joined.push(part)
  }
  return joined.map(text => ({ text, terms: terms.contentOf(aboutOf(text)), ...polarityOf(text) }))
}

const NO = /^\s*(?:no|none|not?|false|n|[✗✘×✕-]|否|无|不是?)\s*$/iu
const YES = /^\s*(?:yes|true|y|[✓✔√]|是|有)\s*$/iu

/** A cell that only says yes or no is about its column. */
function cellSegments({ column, text }: Cell): readonly string[] {
  if (NO.test(text)) return [`not ${column}`]
  if (YES.test(text)) return [column]
  const own = segmentsOf(text)
  return own.length > 1 ? own : [`${column} ${text}`]
}
