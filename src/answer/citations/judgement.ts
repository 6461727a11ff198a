import type { Passage } from '../../search/passages/context.ts'
import type { Span } from '../../text/sentences.ts'
import { isHeld, type Term } from '../../text/terms.ts'
import { agrees } from './agreement.ts'
import { type Claim, type ClaimReading, clausesOf } from './claims.ts'
import { type ReadStatement, readStatement } from './read-statement.ts'
import { statementsOf } from './statements.ts'

/** Whether a passage states a claim: `unknown` is what words, numbers and names do not tell. */
export type Support = 'stated' | 'not-stated' | 'unknown'

/** How a passage bears on a claim, and where; of what is unknown, the statement that may say it in other words. */
export type Judgement = { readonly support: Support; readonly spans: readonly Span[]; readonly likely?: string }

/** A statement that holds this share of a claim's words, by weight, states it if nothing is against it. */
const STATES = 0.7
/** One that holds less of it speaks of something else. */
const SPEAKS = 1 / 3
/** By fewer words it is not told what a claim speaks of. */
const LEAST_WORDS = 2
/** A missing word that the passage has elsewhere counts as so many: there the passage tells of the other thing. */
const ELSEWHERE = 2
/** Titles and headings add at most so many times what a statement says itself. */
const CONTEXT = 2
/** Words as long that begin alike are forms of one: refund, refundable. */
const SHORTEST_STEM = 5
const LONGEST_ENDING = 3

type ReadPassage = { readonly statements: readonly ReadStatement[]; readonly terms: ReadonlySet<string> }

/** Holds claims against passages in their own language; each passage is read once. */
export class Judge {
  readonly #reading: ClaimReading
  readonly #passages = new Map<string, ReadPassage>()

  constructor(reading: ClaimReading) {
    this.#reading = reading
  }

  /** By one statement of the passage, or, of a claim of several clauses, by one for each. */
  judge(claim: Claim, passage: Passage): Judgement {
    const whole = this.#judgeWhole(claim, passage)
    if (whole.support === 'stated') return whole
    const clauses = clausesOf(claim, this.#reading)
    if (clauses.length < 2 || !clauses.every(standsAlone)) return whole
    const parts = clauses.map(clause => this.#judgeWhole(clause, passage))
    if (parts.some(({ support }) => support !== 'stated')) return whole
    return { support: 'stated', spans: distinct(parts.flatMap(({ spans }) => spans)) }
  }

  #judgeWhole(claim: Claim, passage: Passage): Judgement {
    const read = this.#read(passage)
    const shares = read.statements.map(statement => ({ statement, share: shareOf(claim, statement, read.terms) }))
    const [first] = shares
    if (!first) return { support: 'not-stated', spans: [] }
    const best = shares.reduce((most, one) => (one.share > most.share ? one : most), first)
    if (best.share < SPEAKS && claim.words >= LEAST_WORDS) return { support: 'not-stated', spans: best.statement.spans }
    const likely = shares
      .filter(({ share }) => share >= Math.min(STATES, best.share))
      .toSorted((a, b) => b.share - a.share)
    const open = likely.find(({ statement }) => agrees(claim, statement, this.#reading))
    if (!open) return { support: 'not-stated', spans: best.statement.spans }
    const { spans, about, text } = open.statement
    if (open.share >= STATES) return { support: 'stated', spans }
    const head = about.trim().split('\n').at(-1) ?? ''
    return { support: 'unknown', spans, ...(open.share >= SPEAKS && { likely: `${head}\n${text}`.trim() }) }
  }

  #read(passage: Passage): ReadPassage {
    const key = `${passage.context}\n\n${passage.text}`
    const known = this.#passages.get(key)
    if (known) return known
    const { terms } = this.#reading
    const statements = statementsOf(passage).map(statement => readStatement(statement, terms))
    const read = { statements, terms: terms.of(passage.text) }
    this.#passages.set(key, read)
    return read
  }
}

/** Two words, or a word and a number, can be looked for by themselves. */
function standsAlone({ words, quantities, dates }: Claim): boolean {
  return words >= 2 || (words === 1 && quantities.length + dates.length > 0)
}

/** The share of a claim's words that a statement has, by weight; what it speaks of counts for as much as twice its own. */
function shareOf({ terms, weight }: Claim, { own, known }: ReadStatement, all: ReadonlySet<string>): number {
  let [said, told, missing] = [0, 0, 0]
  for (const term of terms) {
    if (isHeld(term, own) || hasForm(term, own)) said += term.weight
    else if (isHeld(term, known) || hasForm(term, known)) told += term.weight
    else if (isHeld(term, all)) missing += term.weight * (ELSEWHERE - 1)
  }
  return weight === 0 ? 0 : (said + Math.min(told, CONTEXT * said)) / (weight + missing)
}

function hasForm({ text, word }: Term, known: ReadonlySet<string>): boolean {
  if (word === text && /\p{Script=Han}/u.test(text)) return known.has(text)
  if (text.length < SHORTEST_STEM || /[^a-z]/.test(text)) return false
  return [...known].some(other => {
    const length = Math.min(text.length, other.length)
    const isNear = Math.max(text.length, other.length) - length <= LONGEST_ENDING
    return isNear && length >= SHORTEST_STEM && text.slice(0, length) === other.slice(0, length)
  })
}

function distinct(spans: readonly Span[]): readonly Span[] {
  return spans.filter(
    (span, at) => spans.findIndex(other => other.start === span.start && other.end === span.end) === at,
  )
}
