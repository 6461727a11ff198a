import { type DateValue, datesIn, type TimeOfDay, timesIn } from '../../text/dates.ts'
import { EXCEPTING, withoutPolarity } from '../../text/polarity.ts'
import { type Quantity, quantitiesIn } from '../../text/quantities.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { overlap, type Span } from '../../text/sentences.ts'
import type { Term, Terms } from '../../text/terms.ts'

/** A word of a claim with how much it tells, 0 to 1. */
export type WeighedTerm = Term & { readonly weight: number }

/** The numbers of a text. */
export type Numbers = {
  readonly quantities: readonly Quantity[]
  readonly dates: readonly DateValue[]
  readonly times: readonly TimeOfDay[]
}

/** What a sentence, or a clause of one, claims. */
export type Claim = Numbers & {
  readonly text: string
  /** Its content words beside its numbers. */
  readonly terms: readonly WeighedTerm[]
  /** Of all terms. */
  readonly weight: number
  /** Content words beside the numbers, a Chinese word once. */
  readonly words: number
  /** Written with a capital inside the text, or with digits in them. */
  readonly names: readonly string[]
}

export type ClaimReading = { readonly terms: Terms; readonly rarity?: Pick<WordRarity, 'of'> }

const ANSWERS = /^\s*(?:yes|no|是的?|不是?)[,，.。]\s*/iu
const NAME = /(?<!^\s*|[.!?:]\s{1,3}|[“"(*_-]\s?)\b(?!I\b|\p{Lu}+\b(?<=^.{0,2}))\p{Lu}[\p{L}’'-]*\p{L}/gu
const IDENTIFIER = /(?<![\p{L}\d])(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[A-Za-z][\w./-]*\w/gu
export function readClaim(written: string, { terms, rarity }: ClaimReading): Claim {
  const text = written.replace(ANSWERS, '')
  const numbers = numbersIn(text)
  const content = terms.contentOf(aboutOf(text)).map(term => ({ ...term, weight: weightOf(term, rarity) }))
  const taken = spansOf(numbers)
  const names = [...text.matchAll(NAME), ...text.matchAll(IDENTIFIER)]
    .filter(({ index, 0: name }) => !taken.some(span => overlap(span, { start: index, end: index + name.length })))
    .map(([name]) => name)
  return {
    text,
    ...numbers,
    terms: content,
    weight: content.reduce((sum, term) => sum + term.weight, 0),
    words: new Set(content.map(({ word }) => word)).size,
    names: [...new Set(names)],
  }
}

/** The same text as one claim for each of its clauses that could stand alone; names go on from one to the next. */
export function clausesOf(claim: Claim, reading: ClaimReading): readonly Claim[] {
  let names: readonly string[] = []
  return claim.text
    .split(/[;；]|[,，]\s*(?:and|but|while|whereas)\s|，|,\s|\s(?:and|but|while|whereas)\s|(?:而且|并且|但是?|而)/iu)
    .filter(clause => clause.trim() !== '')
    .map(clause => {
      const read = readClaim(clause, reading)
      if (read.names.length > 0) names = read.names
      return { ...read, names }
    })
}

/** The parts of a text that deny and demand by themselves; one that says nothing of its own belongs to the one before. */
export function segmentsOf(text: string): readonly string[] {
  return text
    .split(/[,;:](?=\s|$)|[，；：。！？]|[.!?](?=\s|$)|\b(?:but|whereas|while|although)\b|但是?|而(?![且是])/iu)
    .flatMap(part => part.split(EXCEPTING))
    .filter(part => part.trim() !== '')
}

export function numbersIn(text: string): Numbers {
  const dates = datesIn(text)
  const times = timesIn(text)
  const taken = [...dates, ...times].map(({ span }) => span)
  const quantities = quantitiesIn(text).filter(({ span }) => !taken.some(other => overlap(span, other)))
  return { quantities, dates, times }
}

/** A text without its numbers and the words that deny, demand or limit. */
export function aboutOf(text: string): string {
  return withoutPolarity(blanked(text, spansOf(numbersIn(text))))
}

function spansOf({ quantities, dates, times }: Numbers): readonly Span[] {
  return [...quantities, ...dates, ...times].map(({ span }) => span)
}

function blanked(text: string, spans: readonly Span[]): string {
  return spans.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text)
}

/** A character of a Chinese word has its share of the word. */
function weightOf({ text, word }: Term, rarity: ClaimReading['rarity']): number {
  const weight = rarity?.of(word) ?? 1
  return /\p{Script=Han}/u.test(text) ? weight / [...word].length : weight
}
