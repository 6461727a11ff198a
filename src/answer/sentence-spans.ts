import { joinSpans, type Span, splitSentences } from '../text/sentences.ts'

/** Characters that decide about an end, so that checks stay cheap. */
const MAX_DECIDING = 16
/** Characters of a sentence, so that quotations stay readable; longer ones are cut at a clause. */
const MAX_SENTENCE = 400
export const ENDS = /[。！？；…：.!?:;]["'”’」』）)\]]*$/
const MARK = /[-*•·‣▪◦]|o(?=\s{2})/
export const NUMBER =
  /\d{1,3}[.)、．](?!\d)|[a-z]{1,3}\)|[\u2460-\u2473]|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]{1,3}步/
export const ITEM = new RegExp(String.raw`^\s*(?:${MARK.source}|${NUMBER.source})`)
const BARE_MARK = /^(?:\d{1,3}(?:\.\d{1,3})*[.)]|[(（]?[a-z\d]{1,3}[)）.]|[-*•·‣▪◦])$/i

/** Splits sentences across wrapped lines; cuts long ones at clauses. */
export function splitSentenceSpans(text: string): readonly Span[] {
  const joined = joinSpans(
    (before, after) => isContinuation(text, before, after),
    splitSentences(text),
  )
  return joined.flatMap(span => cutAtClauses(text, span))
}

/** Rejects false borders: `5.`, ellipses in names, line ends. */
function isContinuation(text: string, before: Span, after: Span): boolean {
  const first = text.slice(before.start, before.end)
  const second = text.slice(after.start, after.end)
  if (BARE_MARK.test(first)) return true
  if (/…$/.test(first) && /^[\s\u200B]*[,，、;；)）\p{Ll}]/u.test(second)) return true
  const isWrapped =
    text.slice(before.end, after.start).includes('\n') && after.end - before.start <= MAX_SENTENCE
  return isWrapped && !ITEM.test(second) && (!ENDS.test(first) || isFalseEnd(first, second))
}

/** Returns true for `9 a.m.` at a line end. */
function isFalseEnd(first: string, second: string): boolean {
  const joined = `${first.slice(-MAX_DECIDING)} ${second.slice(0, MAX_DECIDING)}`
  return /[.!?]$/.test(first) && splitSentences(joined).length === 1
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

/** Cuts after the last clause of the second half, else the last word. */
function findLastCut(text: string): number {
  const findAfter = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((_, match) => match.index + match[0].length, 0)
  const clause = findAfter(/[;；,，:：]\s*/g)
  return clause > text.length / 2 ? clause : findAfter(/\s+/g) || text.length
}
