import { overlap } from '../../../ingest/sentences.ts'
import { chineseNumber } from '../../../search/analysis/chinese-number.ts'

/** A part of a document by its number: `Chapter 3`, `第三条`, `4.2.0`. */
export type NumberedName = {
  /** What is counted: the word before the number, the measure behind it, or `version`. */
  readonly kind: string
  readonly number: string
  /** In the text. */
  readonly start: number
  readonly end: number
}

const HAN =
  /第\s*(?<number>[〇零一二三四五六七八九十百千两]{1,8}|\d{1,4})\s*(?<kind>[条章节编篇款项部卷课讲步次届期轮批回题])/gu
const VERSION =
  /(?<![\p{N}.])\d{1,4}(?:\.\d{1,6}){2,3}(?![\p{N}]|\.\d)|(?<=\b(?:version|release|v)\s?|版本\s?|\b\p{Lu}\p{L}+\s)\d{1,4}\.\d{1,6}(?![\p{N}]|\.\d)|\d{1,4}\.\d{1,6}(?=\s?版)/giu
/** What the parts of documents are called: a `Level 3 application` is no part. */
const PART =
  'articles?|sections?|chapters?|parts?|clauses?|paragraphs?|annex|appendix|schedule|exhibit|title|book|volume|rules?|steps?|lessons?|modules?|units?|phases?|stages?|items?|questions?|topics?|acts?|days?|weeks?|§'
const WORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<kind>${PART})\s?(?<number>\d{1,3}(?:\.\d{1,3})*|[ivx]{1,6})(?![.-]\p{N}|[\p{L}\p{N}%])`,
  'giu',
)
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** All in a text, in no order. */
export function numberedNames(text: string): readonly NumberedName[] {
  const han = [...text.matchAll(HAN)].map(({ 0: all, index, groups = {} }) => {
    const written = groups.number ?? ''
    const number = String(/^\d/.test(written) ? Number(written) : chineseNumber(written))
    return { kind: groups.kind ?? '', number, start: index, end: index + all.length }
  })
  const versions = [...text.matchAll(VERSION)].map(({ 0: number, index }) => ({
    ...{ kind: 'version', number, start: index, end: index + number.length },
  }))
  const words = [...text.matchAll(WORD)].map(({ 0: all, index, groups = {} }) => ({
    ...{
      kind: groups.kind?.toLowerCase().replace(/s$/, '') ?? '',
      number: arabic(groups.number ?? ''),
      start: index,
      end: index + all.length,
    },
  }))
  return [...han, ...versions, ...words.filter(word => !versions.some(other => overlap(word, other)))]
}

function arabic(number: string): string {
  if (/^\d/.test(number)) return number
  const values = [...number.toLowerCase()].map(letter => ROMAN[letter] ?? 0)
  return String(values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0))
}
