import type { Span } from '../../ingest/sentences.ts'

/** A text as quotations are compared: letters by NFKC, white space, hyphens and quotes alike; with the way back. */
export type Normalised = {
  readonly text: string
  /** For each unit of `text`, the span of the original that it came from. */
  readonly origins: readonly Span[]
}

/** A base character with its combining marks: NFKC may join them, so they are normalised together. */
const CLUSTERS = /\P{M}\p{M}*/gu
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[“”„‟«»「」『』]/g, '"'],
  [/[‘’‚‛]/g, "'"],
  [/[\u00AD\u200B-\u200D\uFEFF]/g, ''],
  [/\s/g, ' '],
]

/** Where the quoted words stand in the text: exactly, but for the normalisation, and never inside a longer word or number. */
export function locate({ text: haystack, origins }: Normalised, quote: Normalised): Span | undefined {
  const needle = quote.text.trim()
  if (needle === '') return undefined
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    const end = at + needle.length
    if (cutsWord(haystack, at) || cutsWord(haystack, end)) continue
    return { start: origins[at]!.start, end: origins[end - 1]!.end } // both inside the haystack
  }
  return undefined
}

/** The same words, but for the normalisation. */
export function sameWords(a: string, b: string): boolean {
  return normalise(a).text.trim() === normalise(b).text.trim()
}

export function normalise(text: string): Normalised {
  let normal = ''
  const origins: Span[] = []
  for (const { 0: cluster, index } of text.matchAll(CLUSTERS)) {
    for (const letter of lettersOf(cluster)) {
      if (letter === ' ' && needsNoSpace(normal, text, index + cluster.length)) continue
      normal += letter
      origins.push({ start: index, end: index + cluster.length })
    }
  }
  return { text: normal, origins }
}

function lettersOf(cluster: string): string {
  if (/^[!-~]$/.test(cluster)) return cluster
  return ALIKE.reduce((known, [pattern, letters]) => known.replace(pattern, letters), cluster.normalize('NFKC'))
}

/** Runs of white space count as one; between Han characters it only wraps lines. */
function needsNoSpace(before: string, text: string, next: number): boolean {
  if (before === '' || before.endsWith(' ')) return true
  return HAN_END.test(before) && HAN_START.test(text.slice(next, next + 24))
}

const HAN_END = /[\p{Script=Han}，。；：！？、（）,;:!?()]$/u
const HAN_START = /^\s*[\p{Script=Han}，。；：！？、（）]/u

/** Between two letters of one Latin word or two digits of one number; `1` in `1.5` is inside a number, too. */
function cutsWord(text: string, at: number): boolean {
  const left = text.slice(Math.max(0, at - 2), at)
  const right = text.slice(at, at + 2)
  if (/\d$/.test(left) && /^(\d|[.,]\d)/.test(right)) return true
  if (/\d[.,]$/.test(left) && /^\d/.test(right)) return true
  return /\p{Script=Latin}$/u.test(left) && /^\p{Script=Latin}/u.test(right)
}
