import { bare, type SourceDocument, type Unit, unitsQuoted } from './document.ts'
import type { ProofQuestion } from './question-set.ts'
import { readStatement } from './statement.ts'
import { supportOf, type Verdict } from './support.ts'

/** A citation as a system gave it: what it leaves out is undefined. */
export type PeerCitation = {
  /** The id of the document, found from the name of the file that was cited. */
  readonly document: string
  readonly quote: string
  readonly page?: number
  /** Whether the quoted words state the sentence, if the system says so. */
  readonly support?: string | undefined
  /** The text that the system's offsets count in, and the offsets. */
  readonly offsets?: { readonly source: string; readonly start: number; readonly end: number }
}

export type PeerSentence = { readonly text: string; readonly citations: readonly PeerCitation[] }

export type PeerAnswer = {
  readonly sentences: readonly PeerSentence[]
  readonly refused: boolean
  /** How sure the system is, where it says so: any scale, more is surer. */
  readonly confidence?: number
}

export type MarkedCitation = {
  /** Do the quoted words stand in the document, and at the stated offsets if any are stated? */
  readonly exists: boolean
  readonly hasOffsets: boolean
  /** Is it on the page and in the section of the gold evidence? Of answerable questions only. */
  readonly isPlaced: boolean
  /** Is the page that it states the one where its words are? Undefined where there are no pages, or none is stated. */
  readonly pageIsRight?: boolean
  readonly verdict: Verdict
}

type MarkedSentence = {
  readonly text: string
  readonly verdict: Verdict
  readonly citations: readonly MarkedCitation[]
}

export type MarkedAnswer = {
  readonly id: string
  readonly answerable: boolean
  readonly refused: boolean
  readonly confidence?: number
  readonly sentences: readonly MarkedSentence[]
  readonly facts: number
  readonly factsCovered: number
  readonly evidence: number
  readonly evidenceCited: number
  /** All gold facts covered; or, of an unanswerable question, refused. */
  readonly isRight: boolean
}

type Documents = ReadonlyMap<string, SourceDocument>

export function markAnswer(
  question: ProofQuestion,
  answer: PeerAnswer,
  documents: Documents,
): MarkedAnswer {
  const sentences = answer.refused ? [] : answer.sentences
  const marked = sentences.map(sentence => markSentence(sentence, question, documents))
  const cited = sentences.flatMap(({ citations }) =>
    citations.flatMap(citation => citedUnits(citation, documents)),
  )
  const supported = sentences.filter((_, index) => marked[index]?.verdict === 'full')
  const facts = question.facts.length ? question.facts : question.answerable ? [[]] : []
  const factsCovered = facts.filter(spellings =>
    isCovered(spellings, supported, question, documents),
  ).length
  return {
    id: question.id,
    answerable: question.answerable,
    refused: answer.refused,
    confidence: answer.confidence,
    sentences: marked,
    facts: facts.length,
    factsCovered,
    evidence: question.evidence.length,
    evidenceCited: question.evidence.filter(unit => cited.includes(unit)).length,
    isRight: question.answerable
      ? !answer.refused && factsCovered === facts.length
      : answer.refused,
  }
}

function markSentence(
  sentence: PeerSentence,
  question: ProofQuestion,
  documents: Documents,
): MarkedSentence {
  const citations = sentence.citations.map(citation =>
    markCitation(sentence.text, citation, question, documents),
  )
  const order: Verdict[] = ['full', 'partial', 'unknown']
  const verdict =
    order.find(wanted => citations.some(citation => citation.verdict === wanted)) ?? 'none'
  return { text: sentence.text, verdict, citations }
}

function markCitation(
  text: string,
  citation: PeerCitation,
  question: ProofQuestion,
  documents: Documents,
) {
  const document = documents.get(citation.document)
  const units = citedUnits(citation, documents)
  const { offsets, quote, page } = citation
  const atOffsets = !offsets || offsets.source.slice(offsets.start, offsets.end) === quote
  const exists = units.length > 0 && atOffsets
  return {
    exists,
    hasOffsets: offsets !== undefined,
    isPlaced: units.some(unit =>
      question.evidence.some(
        gold => citation.document === question.document && sharePlace(unit, gold),
      ),
    ),
    pageIsRight:
      page === undefined || !document || !hasPages(document)
        ? undefined
        : units.some(unit => unit.page === page),
    verdict: document && exists ? supportOf(text, units, document).verdict : ('none' as const),
  }
}

const citedUnits = (citation: PeerCitation, documents: Documents): readonly Unit[] => {
  const document = documents.get(citation.document)
  return document ? unitsQuoted(document, citation.quote) : []
}

/** The same page and the same section, for a document may have no pages, or one long page. */
const sharePlace = (a: Unit, b: Unit): boolean =>
  a.page === b.page && a.headings.join('\n') === b.headings.join('\n')

const hasPages = ({ format }: SourceDocument): boolean => format === 'pdf' || format === 'pptx'

/**
 * A gold fact is covered by a supported sentence that says it and cites the right document. One without words of its
 * own (a way to do a thing, a definition), or `yes` and `no`, is covered by a sentence that cites the gold evidence.
 */
function isCovered(
  spellings: readonly string[],
  supported: readonly PeerSentence[],
  question: ProofQuestion,
  documents: Documents,
): boolean {
  return supported.some(sentence => {
    const cited = sentence.citations.filter(({ document }) => document === question.document)
    const units = cited.flatMap(citation => citedUnits(citation, documents))
    const isTurn = spellings.some(spelling => spelling === 'yes' || spelling === 'no')
    if (spellings.length === 0 || isTurn)
      return (
        question.evidence.some(unit => units.includes(unit)) &&
        !opensAgainst(sentence.text, spellings)
      )
    return cited.length > 0 && spellings.some(spelling => says(sentence.text, spelling))
  })
}

/** Does the sentence begin with the yes or no that the evidence denies? */
function opensAgainst(text: string, spellings: readonly string[]): boolean {
  const opener = /^\s*(yes|no|是的|可以|不是|不可以|不行|不能)(?=[\s,.，。:：])/i
    .exec(text)?.[1]
    ?.toLowerCase()
  if (!opener) return false
  const isYes = ['yes', '是的', '可以'].includes(opener)
  return spellings.includes(isYes ? 'no' : 'yes')
}

/** The words as they are, or their numbers and all of their words in any order. */
export function says(text: string, fact: string): boolean {
  if (includesWhole(text, fact)) return true
  const wanted = readStatement(fact)
  const found = readStatement(text)
  if (wanted.measures.length === 0) return false
  const hasNumbers = wanted.measures.every(({ value, unit }) =>
    found.measures.some(
      other => other.value === value && (!unit || !other.unit || other.unit === unit),
    ),
  )
  return (
    hasNumbers &&
    [...wanted.content].every(
      word => found.content.has(word) || wanted.measures.some(({ unit }) => unit),
    )
  )
}

/** The fact's letters in the text's, no digit of another number beside its own. */
function includesWhole(text: string, fact: string): boolean {
  const wanted = bare(fact)
  const whole = bare(text)
  for (let at = whole.indexOf(wanted); at >= 0 && wanted; at = whole.indexOf(wanted, at + 1)) {
    const cutsBefore = /^\d/.test(wanted) && /\d$/.test(whole.slice(0, at))
    const cutsAfter = /\d$/.test(wanted) && /^\d/.test(whole.slice(at + wanted.length))
    if (!cutsBefore && !cutsAfter) return true
  }
  return false
}
