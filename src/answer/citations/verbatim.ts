import type { Passage } from '../../search/passages/passage.ts'
import { readPolarity } from '../../text/polarity.ts'
import type { Span } from '../../text/sentences.ts'
import { findConditions } from './conditions.ts'

/** Word, number or meaningful sign, normalized for comparison. */
type Word = {
  readonly text: string
  readonly span: Span
  /** A punctuation mark or a line break follows. */
  readonly hasMarkAfter: boolean
}

type WordedText = {
  readonly words: readonly Word[]
  readonly indexes: ReadonlyMap<string, readonly number[]>
}

/**
 * Number with separators, Chinese character, word, or sign of currency, degree, percentage or
 * comparison.
 */
const WORD =
  /(?<![\p{L}\p{N}])[-−](?=\p{N})|\p{N}+(?:[.,:/-]\p{N}+)*|\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}])+|[\p{Sc}%‰°℃℉±≤≥]/gu
const LETTER = /\p{L}/u
const CHINESE_NUMERAL = /^[〇零一二两三四五六七八九十百千万亿]$/u
const CLAUSE_END = /[,;:!?|\n，；：。！？、]|\.(?=\s|$)/gu
const SENTENCE_END = /[.!?](?=\s|$)|[;；。！？]|\n\s*\n|\n(?=\s*(?:[-*•·]|\d+[.)、]))/gu
/** Lines of a table or a form, which state nothing together. */
const STRUCTURED = / \| |[:：]\s*\S/u
/** A single word such as `Yes` occurs anywhere. */
const MIN_WORDS = 2
/** Characters checked for a negation. Bounds the work on text without clauses. */
const MAX_CLAUSE = 200
/** Characters after a word in which a mark is looked for. */
const MAX_GAP = 8

/** Reads each passage once. */
export class VerbatimFinder {
  readonly #texts = new Map<string, WordedText>()

  /**
   * Finds the words in order, except in negated clauses, questions and without their condition.
   * Returns the first line for words of a heading.
   */
  find(text: string, passage: Passage): Span | undefined {
    const words = splitWords(text)
    const isQuestion = /[?？]\s*$/u.test(text)
    if (words.length < MIN_WORDS || !words.some(word => LETTER.test(word.text))) return undefined
    const place = this.#findWords(words, passage.text, isQuestion)
    if (place) return place
    const around = [passage.title, ...passage.headings, ...passage.context.split('\n')]
    const isAround = around.some(line => this.#findWords(words, line, isQuestion) !== undefined)
    return isAround ? { start: 0, end: findLineEnd(passage.text) } : undefined
  }

  #findWords(words: readonly Word[], text: string, isQuestion: boolean): Span | undefined {
    const { words: own, indexes } = this.#read(text)
    for (const index of indexes.get(words[0]!.text) ?? []) {
      const last = own[index + words.length - 1]
      if (!last || !words.every((word, offset) => own[index + offset]!.text === word.text)) continue
      const span = { start: own[index]!.span.start, end: last.span.end }
      const isCut =
        isSameNumeral(own[index - 1], own[index]) || isSameNumeral(last, own[index + words.length])
      const isJoined = words.some((word, offset) => {
        const next = own[index + offset + 1]
        return (
          offset + 1 < words.length &&
          !word.hasMarkAfter &&
          next !== undefined &&
          isStructuredBreak(text, own[index + offset]!.span.end, next.span.start)
        )
      })
      if (!isCut && !isJoined && !isDenied(text, span) && !isRestricted(text, span, isQuestion))
        return span
    }
    return undefined
  }

  #read(text: string): WordedText {
    const cached = this.#texts.get(text)
    if (cached) return cached
    const words = splitWords(text)
    const indexes = new Map<string, number[]>()
    for (const [index, word] of words.entries()) {
      const places = indexes.get(word.text)
      if (places) places.push(index)
      else indexes.set(word.text, [index])
    }
    const read = { words, indexes }
    this.#texts.set(text, read)
    return read
  }
}

function splitWords(text: string): readonly Word[] {
  return [...text.matchAll(WORD)].map(({ index, 0: word }) => ({
    text: word.normalize('NFKC').toLowerCase(),
    span: { start: index, end: index + word.length },
    hasMarkAfter: /^[^\S\n]*[^\s\p{L}\p{N}]|^\s*\n/u.test(
      text.slice(index + word.length, index + word.length + MAX_GAP),
    ),
  }))
}

function isStructuredBreak(text: string, from: number, to: number): boolean {
  if (!text.slice(from, to).includes('\n')) return false
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from)
  return STRUCTURED.test(before) && STRUCTURED.test(text.slice(to).split('\n', 1)[0] ?? '')
}

function isRestricted(text: string, { start, end }: Span, isQuestion: boolean): boolean {
  const before =
    text
      .slice(Math.max(0, start - MAX_CLAUSE), start)
      .split(SENTENCE_END)
      .at(-1) ?? ''
  const after = text.slice(end, end + MAX_CLAUSE)
  const mark = after.search(SENTENCE_END)
  if (!isQuestion && mark >= 0 && /[?？]/u.test(after[mark] ?? '')) return true
  const rest = mark < 0 ? after : after.slice(0, mark)
  return findConditions(`${before}${rest}`, before.length).length > 0
}

/** Recognizes parts of one Chinese number: `十` of `四十`. */
function isSameNumeral(before: Word | undefined, after: Word | undefined): boolean {
  if (!before || !after || before.span.end !== after.span.start) return false
  return CHINESE_NUMERAL.test(before.text) && CHINESE_NUMERAL.test(after.text)
}

/** Recognizes a negation of the span: `no` before `further stalls`. */
function isDenied(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - MAX_CLAUSE), start)
  const after = text.slice(end, end + MAX_CLAUSE)
  const rest = `${before.split(CLAUSE_END).at(-1) ?? ''} ${after.split(CLAUSE_END)[0] ?? ''}`
  return readPolarity(rest).negations % 2 === 1
}

function findLineEnd(text: string): number {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}
