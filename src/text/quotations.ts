import { type Alignment, align, locate, readWording, type Wording } from './alignment.ts'
import { readPolarity } from './polarity.ts'
import type { Span } from './sentences.ts'

/** Quoted text, and its position without and with marks. */
export type Quotation = { readonly text: string; readonly span: Span; readonly marked: Span }

/**
 * Shorter quotations are names. A Han character counts twice, so that
 * both languages compare.
 */
const MIN_LETTERS = 8

/** Parts of a quotation with omissions, so that the search stays cheap. */
const MAX_PARTS = 16

/**
 * Bounded, so that unclosed marks do not read to the end. An apostrophe in a word closes
 * nothing.
 */
const QUOTED = new RegExp(
  [
    '„([^“”„]{1,4000})[“”]', // German closes with a mark that opens elsewhere
    '“([^”]{1,4000})”',
    '「([^」]{1,4000})」',
    '『([^』]{1,4000})』',
    '«([^»]{1,4000})»',
    '‹([^›]{1,4000})›',
    '"([^"]{1,4000})"',
    '＂([^＂]{1,4000})＂',
    '(?<![\\p{L}\\p{N}])[‘‚]((?:[^‘’]|(?<=\\p{L})’(?=\\p{L})){1,4000})[’‘]',
    "(?<![\\p{L}\\p{N}])'((?:[^'\\n]|(?<=\\p{L})'(?=\\p{L})){1,4000})'(?![\\p{L}\\p{N}])",
  ].join('|'),
  'gu',
)

const ELISION = /\[\s?(?:…|\.{3})\s?\]|…+|\.{3,}/

export function findQuotations(text: string): readonly Quotation[] {
  const quoted = [...text.matchAll(QUOTED)].map(match => {
    const words = match.slice(1).find(Boolean) ?? ''
    const start = match.index + match[0].indexOf(words)
    const end = start + words.replace(/[\s.,;:!?。，；：！？…]+$/, '').length
    const quote = text.slice(start, end)
    const marked = { start: match.index, end: match.index + match[0].length }
    return { text: quote, span: { start, end }, marked }
  })
  return quoted.filter(
    quotation => quotation.text.replace(/\p{Script=Han}/gu, 'xx').trim().length >= MIN_LETTERS,
  )
}

/** Prepares each text once. */
export class QuotableTexts {
  readonly #wordings = new Map<string, Wording>()

  /** Ignores spelling of letters and spaces, and hyphenation. */
  find(text: string, quote: string): Span | undefined {
    const found = this.#getWording(text)
    const expected = this.#getWording(quote.trim())
    const span = locate(found, expected) ?? joinHyphenated(found, expected)
    return span && withMarks(span, found, expected)
  }

  align(text: string, quote: string): Alignment | undefined {
    return align(this.#getWording(text), this.#getWording(quote))
  }

  #getWording(text: string): Wording {
    const wording = this.#wordings.get(text) ?? readWording(text)
    this.#wordings.set(text, wording)
    return wording
  }
}

function joinHyphenated(found: Wording, expected: Wording): Span | undefined {
  const aligned = align(found, expected)
  return aligned?.edits === 0 ? aligned.span : undefined
}

/** Includes brackets and marks around the quotation. */
function withMarks(
  { start, end }: Span,
  { text }: Wording,
  { text: quote, tokens }: Wording,
): Span {
  const before = quote.slice(0, tokens[0]?.span.start)
  const after = quote.slice(tokens.at(-1)?.span.end)
  return {
    start: text.endsWith(before, start) ? start - before.length : start,
    end: text.startsWith(after, end) ? end + after.length : end,
  }
}

/** Rejects an omission that hides a negation. */
export function findExactSpans(
  quote: string,
  text: string,
  texts: QuotableTexts,
): readonly Span[] | undefined {
  const spans: Span[] = []
  let from = 0
  const parts = quote
    .split(ELISION)
    .map(part => part.trim())
    .filter(Boolean)
  if (parts.length > MAX_PARTS) return undefined
  for (const part of parts) {
    const span = texts.find(text.slice(from), part)
    if (!span || (spans.length > 0 && hasNegation(text.slice(from, from + span.start))))
      return undefined
    spans.push({ start: from + span.start, end: from + span.end })
    from += span.end
  }
  return spans.length > 0 ? spans : undefined
}

/** Returns whether an omitted part reverses a sentence: `Pets are … allowed`. */
function hasNegation(omitted: string): boolean {
  return !/[.!?。！？；;\n]/.test(omitted) && readPolarity(omitted).negations > 0
}
