/** Range `[start, end)` in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number }

export function areOverlapping(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}

/** Replaces spans by spaces, so that offsets stay. */
export function blankSpans(text: string, spans: readonly Span[]): string {
  let blanked = ''
  let end = 0
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.end <= end) continue
    const start = Math.max(end, span.start)
    blanked += text.slice(end, start) + ' '.repeat(span.end - start)
    end = span.end
  }
  return blanked + text.slice(end)
}

export function joinSpans(
  shouldJoin: (before: Span, after: Span) => boolean,
  spans: readonly Span[],
): readonly Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last && shouldJoin(last, span))
      joined[joined.length - 1] = { start: last.start, end: span.end }
    else joined.push(span)
  }
  return joined
}

/** Abbreviations whose point ends no sentence. */
const ABBREVIATIONS =
  /(?:^|[\s(])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Fig|Figs|Eq|Sec|Art|Ch|Vol|pp|vs|etc|cf|al|ed|eds|Inc|Ltd|Co|Corp|Jr|Sr|e\.g|i\.e|approx|resp|ca)\.$/

/** Abbreviations before a number: `ext. 310`, `vol. 3`. */
const BEFORE_NUMBER =
  /(?:^|[\s(])(?:ext|tel|nr|p|para|ver|v|rm|apt|app|tab|cl|est|dept|vol|sec|fig|ch)\.$/i

/** Letters with points before lower case: `9 a.m. and`, `U.S. law`. */
const DOTTED = /(?:^|[\s\d(])(?:\p{L}\.)+\p{L}\.$/u

/** Han ends anywhere, Latin ones before white space; closing marks included. */
const END = /[。！？；…]+[”’」』）)】]*|[.!?]+["'”’)\]]*(?=\s|$)|\n+/g

const OPEN_END = /["'”’」』）)】\]!?]$/u
const QUOTED = /[”」』]$/u

/** Lower case after a quotation, ! or ? continues its sentence. */
const GOES_ON = /^[ \t]+\p{Ll}/u

/** Speaker after a Chinese quotation: a few characters without a comma. */
const ATTRIBUTION = /^\p{Script=Han}{1,12}[。！？]/u
const MAX_ATTRIBUTION = 14

/**
 * Splits into exact slices that cover all but white space, at Han 。！？；…, Latin . ! ? before
 * white space (except abbreviations), line breaks. `"Stop!" he said.` stays, as does `vec! builds`,
 * which UAX #29 splits.
 */
export function splitSentences(text: string): readonly Span[] {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    if (
      match[0] === '.' &&
      isAbbreviation(text.slice(Math.max(start, end - 12), end), text.slice(end, end + 4))
    )
      continue
    if (continuesSentence(match[0], text.slice(end, end + MAX_ATTRIBUTION))) continue
    push(spans, text, start, end)
    start = end
  }
  push(spans, text, start, text.length)
  return spans
}

function continuesSentence(mark: string, after: string): boolean {
  return (
    (OPEN_END.test(mark) && GOES_ON.test(after)) || (QUOTED.test(mark) && ATTRIBUTION.test(after))
  )
}

function isAbbreviation(before: string, after: string): boolean {
  if (BEFORE_NUMBER.test(before) && /^[ \t]+\d/.test(after)) return true
  return ABBREVIATIONS.test(before) || (DOTTED.test(before) && /^[ \t]+\p{Ll}/u.test(after))
}

function push(spans: Span[], text: string, start: number, end: number): void {
  const slice = text.slice(start, end)
  const from = start + (slice.length - slice.trimStart().length)
  const to = start + slice.trimEnd().length
  if (to > from) spans.push({ start: from, end: to })
}
