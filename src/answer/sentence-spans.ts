import { joinSpans, type Span, splitSentences } from '../text/sentences.ts'

/** Number of characters that tell whether a full stop is an abbreviation's. */
const MAX_ABBREVIATION = 16
/** Maximum length of a sentence; a longer one is cut at a clause. */
const MAX_SENTENCE = 400
/** The end of a sentence or of what announces something. */
export const ENDS = /[。！？；…：.!?:;]["'”’」』）)\]]*$/
const MARK = /[-*•·‣▪◦]|o(?=\s{2})/
/** The number of an item. */
export const NUMBER =
  /\d{1,3}[.)、．](?!\d)|[a-z]{1,3}\)|[\u2460-\u2473]|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]{1,3}步/
/** The beginning of a list item. */
export const ITEM = new RegExp(String.raw`^\s*(?:${MARK.source}|${NUMBER.source})`)
const BARE_MARK = /^(?:\d{1,3}(?:\.\d{1,3})*[.)]|[(（]?[a-z\d]{1,3}[)）.]|[-*•·‣▪◦])$/i

/** Sentences with the wrapped lines of a paragraph put together again, and the very long ones cut at clauses. */
export function splitSentenceSpans(text: string): readonly Span[] {
  const joined = joinSpans(
    (before, after) => continuesSentence(text, before, after),
    splitSentences(text),
  )
  return joined.flatMap(span => cutAtClauses(text, span))
}

/** A bare `5.`, an ellipsis inside a name, or the end of a line end no sentence. */
function continuesSentence(text: string, before: Span, after: Span): boolean {
  const first = text.slice(before.start, before.end)
  const second = text.slice(after.start, after.end)
  if (BARE_MARK.test(first)) return true
  if (/…$/.test(first) && /^[\s\u200B]*[,，、;；)）\p{Ll}]/u.test(second)) return true
  const isWrapped =
    text.slice(before.end, after.start).includes('\n') && after.end - before.start <= MAX_SENTENCE
  return isWrapped && !ITEM.test(second) && (!ENDS.test(first) || isAbbreviated(first, second))
}

/** The full stop of `9 a.m.` at the end of a line, and the next goes on. */
function isAbbreviated(first: string, second: string): boolean {
  const joined = `${first.slice(-MAX_ABBREVIATION)} ${second.slice(0, MAX_ABBREVIATION)}`
  return first.endsWith('.') && splitSentences(joined).length === 1
}

function cutAtClauses(text: string, span: Span): readonly Span[] {
  const spans: Span[] = []
  let { start } = span
  while (span.end - start > MAX_SENTENCE) {
    const cut = start + findLastCut(text.slice(start, start + MAX_SENTENCE))
    spans.push({ start, end: start + text.slice(start, cut).trimEnd().length })
    start = cut
  }
  return [...spans, { start, end: span.end }]
}

/** After the last clause of the second half, else after the last word, else at the end. */
function findLastCut(text: string): number {
  const after = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((_, match) => match.index + match[0].length, 0)
  const clause = after(/[;；,，:：]\s*/g)
  return clause > text.length / 2 ? clause : after(/\s+/g) || text.length
}
