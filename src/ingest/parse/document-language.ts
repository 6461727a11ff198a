import { getItem } from '../../system/items.ts'
import type { Block } from '../block.ts'
import { type TrigramLanguage, toCanonicalTag } from './trigram-language.ts'

/** Long enough, so that one window tells the language. */
const WINDOW_CHARS = 1_024

/** More text adds nothing. Protects memory. */
const MAX_WINDOWS = 16

/**
 * Spread, so that a foreword does not decide alone; fewer if one language leads by
 * `CLEAR_LEAD`.
 */
const MAX_VOTES = 5
const CLEAR_LEAD = 2

/** Enough, so that a language is not found by chance. Letters of syllabic scripts count for more. */
const MIN_LETTERS = 100
const LETTERS_PER_SYLLABLE = 3

/** Words in a row, so that names and terms do not decide. */
const MIN_WORDS = 5

const LETTERS = /\p{L}+/gu
const SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu

export class DocumentLanguage {
  readonly #trigrams: TrigramLanguage
  readonly #windows: string[] = []
  #pending = ''

  constructor(trigrams: TrigramLanguage) {
    this.#trigrams = trigrams
  }

  add({ kind, text }: Pick<Block, 'kind' | 'text'>): void {
    if (this.#windows.length >= MAX_WINDOWS || !canShowLanguage(kind, text)) return
    this.#pending += `${text.slice(0, MAX_WINDOWS * WINDOW_CHARS)}\n`
    while (this.#pending.length >= WINDOW_CHARS && this.#windows.length < MAX_WINDOWS) {
      this.#windows.push(this.#pending.slice(0, WINDOW_CHARS))
      this.#pending = this.#pending.slice(WINDOW_CHARS)
    }
  }

  /**
   * Prefers the detected language: formats state their program's setting. A stated tag stays if
   * it is more exact (`en-GB`), or the text too short.
   */
  tag(stated: string | undefined): string | undefined {
    const statedTag = toCanonicalTag(stated)
    const found = this.#findMajority()
    return found === undefined || found === toPrimaryLanguage(statedTag) ? statedTag : found
  }

  #findMajority(): string | undefined {
    const votes = new Map<string, number>()
    for (const window of spread(
      [...this.#windows, this.#pending].slice(0, MAX_WINDOWS),
      MAX_VOTES,
    )) {
      const language = this.#detectWindow(window)
      if (language) votes.set(language, (votes.get(language) ?? 0) + 1)
      const [most = 0, next = 0] = [...votes.values()].toSorted((a, b) => b - a)
      if (most - next >= CLEAR_LEAD) break
    }
    const [first] = [...votes].toSorted(([, a], [, b]) => b - a)
    return first?.[0]
  }

  #detectWindow(text: string): string | undefined {
    return hasEnoughLetters(text) ? this.#trigrams.detectTag(text) : undefined
  }
}

function hasEnoughLetters(text: string): boolean {
  let letters = 0
  for (const [run] of text.matchAll(LETTERS)) {
    letters += run.length
    if (letters >= MIN_LETTERS) return true
  }
  const syllables = (text.match(SYLLABLES) ?? []).reduce((sum, run) => sum + run.length, 0)
  return letters + syllables * (LETTERS_PER_SYLLABLE - 1) >= MIN_LETTERS
}

function canShowLanguage(kind: Block['kind'], text: string): boolean {
  if (kind === 'code') return false
  if (/(?!\p{Script=Latin})\p{L}/u.test(text.slice(0, WINDOW_CHARS))) return true
  return kind !== 'table' && text.split(/\s+/, MIN_WORDS).length === MIN_WORDS
}

/** Spreads items evenly, the first and the middle one first. */
function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  const step = Math.max(1, items.length / count)
  const picked = Array.from({ length: Math.min(count, items.length) }, (_, index) =>
    getItem(items, Math.floor(index * step)),
  )
  const middle = picked.length >> 1
  return [
    ...picked.slice(0, 1),
    ...picked.slice(middle, middle + 1),
    ...picked.slice(1, middle),
    ...picked.slice(middle + 1),
  ]
}

export function toPrimaryLanguage(tag: string | undefined): string | undefined {
  return tag?.split('-')[0]
}
