import type { DocumentReader } from '../../ingest/catalog/document.ts'
import { mergeHits } from '../../search/passages/context.ts'
import { cueFit } from '../language/cues.ts'
import { asksHowTo } from '../language/how-to.ts'
import { optionHeadOver } from './sections/option-sections.ts'
import { type Line, linesOf } from './sections/outline.ts'
import { questionAbove } from './sections/own-question.ts'
import { wholeAnswer } from './sections/question-answer.ts'
import { type Stretch, stepsAround } from './sections/steps.ts'
import { underHeading } from './sections/under-heading.ts'
import type { Quote, QuotedParts } from './selection.ts'

export type WholeOptions = {
  readonly reader: DocumentReader
  /** Where it asks what to do, of numbered steps all are quoted; a heading that has the form it asks for stands alone. */
  readonly question: string
  readonly signal?: AbortSignal
}

/** A quote by its place in the document, with what was left of its list, and whether that was widened. */
type Placed = Stretch & { readonly quote: Quote; readonly isSteps: boolean }

/** Quotes widened to what they are a part of, and in that order; `hasSteps` where one of them is a list of steps. */
export async function wholeQuotes(
  quotes: readonly Quote[],
  { reader, question, signal }: WholeOptions,
): Promise<QuotedParts & { readonly hasSteps: boolean }> {
  const documents = new Map<string, readonly Line[]>()
  const placed: Placed[] = []
  for (const quote of quotes) {
    const { documentId } = quote.passage
    const lines = documents.get(documentId) ?? (await linesOf(reader, documentId, signal))
    documents.set(documentId, lines)
    const own = widened(quote, lines, question)
    placed.push(own, ...optionOver(own, lines, question))
  }
  const apart = placed.filter((one, at) => !placed.some((other, place) => place !== at && hides(other, place, one, at)))
  const whole = await Promise.all(apart.map(one => readAgain(one, reader)))
  const more = apart.reduce((sum, one) => sum + one.more, 0)
  return { quotes: whole, more, hasSteps: apart.some(({ isSteps }) => isSteps) }
}

function widened(quote: Quote, lines: readonly Line[], question: string): Placed {
  const own = { ...placeOf(quote), more: 0 }
  const steps = asksHowTo(question) ? stepsAround(lines, own) : undefined
  const isTold = cueFit(question, quote.passage.text.slice(quote.span.start, quote.span.end)) === 1
  const under = steps ?? wholeAnswer(lines, own) ?? (isTold ? undefined : underHeading(lines, own))
  const whole = { ...own, ...under }
  const charStart = questionAbove(lines, whole.charStart) ?? whole.charStart
  return { ...whole, charStart, quote, isSteps: steps !== undefined }
}

/** `Which option …`, `With this option …`: what the option is called stands where its definition begins. */
const ASKS_OPTION =
  /\b(?:which|what)\s(?:\w+\s){0,2}(?:options?|flags?|switch(?:es)?)\b|(?:哪个|什么|哪些)[^，。？]{0,4}选项/iu
const POINTS_BACK = /\bthis (?:option|flag|switch)\b|[该此本]选项|这个选项/iu

function optionOver(own: Placed, lines: readonly Line[], question: string): readonly Placed[] {
  const text = own.quote.passage.text.slice(own.quote.span.start, own.quote.span.end)
  const head = ASKS_OPTION.test(question) || POINTS_BACK.test(text) ? optionHeadOver(lines, own.charStart) : undefined
  if (!head) return []
  return [{ ...own, charStart: head.charStart, charEnd: head.charEnd, more: 0, isSteps: false }]
}

/** It holds the other; of two alike, the first. */
function hides(one: Placed, at: number, other: Placed, place: number): boolean {
  const isSame = one.quote.passage.documentId === other.quote.passage.documentId
  if (!isSame || one.charStart > other.charStart || other.charEnd > one.charEnd) return false
  return one.charStart < other.charStart || other.charEnd < one.charEnd || at < place
}

function placeOf({ passage: { charStart }, span }: Quote) {
  return { charStart: charStart + span.start, charEnd: charStart + span.end }
}

/** A quote that was not widened stays as it was: it may be a part of a table with its columns known. */
async function readAgain({ quote, charStart, charEnd }: Placed, reader: DocumentReader): Promise<Quote> {
  const was = placeOf(quote)
  if (was.charStart === charStart && was.charEnd === charEnd) return quote
  const { documentId, title, parts } = quote.passage
  const text = await reader.read(documentId, charStart, charEnd)
  const [passage] = mergeHits([{ ...parts[0]!, context: title, charStart, charEnd, text }]) // a passage has parts
  return { passage: passage!, span: { start: 0, end: text.length } } // of one hit, one passage
}
