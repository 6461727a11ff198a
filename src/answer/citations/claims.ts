import type { Passage } from '../../search/passages/passage.ts'
import type { EnglishTerms } from '../../text/english-terms.ts'
import { removePolarity } from '../../text/polarity.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { blankSpans, type Span } from '../../text/sentences.ts'
import type { Term, Terms } from '../../text/terms.ts'
import { type Anchor, findAnchors, findNumbers } from './anchors.ts'
import type { Support } from './citation.ts'

/** `weight` from 0 to 1. */
type WeighedTerm = Term & { readonly weight: number }

export type Claim = {
  readonly text: string
  readonly anchors: readonly Anchor[]
  readonly terms: readonly WeighedTerm[]
  readonly weight: number
  /** Content words except numbers; Chinese words once. */
  readonly words: number
}

export type ClaimCheck = { readonly claim: string; readonly passage: Passage }

export type Judgement = {
  readonly support: Support
  readonly spans: readonly Span[]
  /** `unknown` without any evidence for the claim. */
  readonly isUnlikely?: true
}
export type Bearing = Judgement & { readonly passage: Passage }

export type ClaimReading = {
  readonly terms: Terms
  readonly rarity?: Pick<WordRarity, 'getRarity'>
  readonly english?: Pick<EnglishTerms, 'areOpposite'>
}

const ANSWERS = /^\s*(?:yes|no|是的?|不是?)[,，.。]\s*/iu

export function readClaim(written: string, { terms, rarity }: ClaimReading): Claim {
  const text = written.replace(ANSWERS, '')
  const anchors = findAnchors(text)
  const content = terms
    .listContent(removeNumbers(text, anchors))
    .map(term => ({ ...term, weight: computeWeight(term, rarity) }))
  return {
    text,
    anchors,
    terms: content,
    weight: content.reduce((sum, term) => sum + term.weight, 0),
    words: new Set(content.map(({ word }) => word)).size,
  }
}

export function splitClauses(claim: Claim, reading: ClaimReading): readonly Claim[] {
  return claim.text
    .split(
      /[;；]|[,，]\s*(?:and|but|while|whereas)\s|，|,\s|\s(?:and|but|while|whereas)\s|(?:而且|并且|但是?|而)/iu,
    )
    .filter(clause => clause.trim() !== '')
    .map(clause => readClaim(clause, reading))
}

/** Subordinators of reason (Quirk et al. 1985, 15.45; 现代汉语八百词). */
const REASON = /\b(?:because|since|as|so that)\b|因为|由于|原因|为了?(?!\d)|因(?!此)|所以/giu

export function splitReasons(claim: Claim, reading: ClaimReading): readonly Claim[] {
  const clauses = splitClauses(claim, reading).flatMap(({ text }) => text.split(REASON))
  const parts = clauses.map(text => readClaim(text, reading)).filter(({ words }) => words > 0)
  return parts.length > 0 ? parts : [claim]
}

export function findSubject(text: string): string {
  return removeNumbers(text, findAnchors(text))
}

function removeNumbers(text: string, anchors: readonly Anchor[]): string {
  const spans = findNumbers(anchors).map(({ span }) => span)
  return removePolarity(blankSpans(text, spans))
}

function computeWeight({ text, word }: Term, rarity: ClaimReading['rarity']): number {
  const weight = rarity?.getRarity(word) ?? 1
  return /\p{Script=Han}/u.test(text) ? weight / [...word].length : weight
}
