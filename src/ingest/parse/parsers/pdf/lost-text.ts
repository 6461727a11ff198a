import {
  type LocalizableMessage,
  localizable,
  withMessage,
} from '../../../../errors/localizable.ts'
import type { Warning } from '../../parser.ts'
import { formatPageRanges } from './page-ranges.ts'

/** Share of letters in words of some length, so that wrong letters are noticed. */
const MIN_WORDS = 0.6
/** Latin languages have about two vowels in five letters; fewer letters tell nothing. */
const VOWELS = [0.25, 0.6] as const
const TELLING_LETTERS = 40
/** Share of letters, digits and common punctuation, so that wrong signs are noticed. */
const MIN_COMMON = 0.8

export type LostText = 'guessed' | 'unread'

type Piece = { readonly text: string; readonly isSpaced: boolean; readonly lostFont?: string }

/**
 * Keeps fragments in missing fonts only if they read as words. Returns what became of the
 * others.
 */
export function filterBelievable<Fragment extends Piece>(
  fragments: readonly Fragment[],
): { readonly fragments: readonly Fragment[]; readonly lost?: LostText } {
  const texts = new Map<string, string>()
  for (const { lostFont, isSpaced, text } of fragments) {
    if (lostFont) texts.set(lostFont, `${texts.get(lostFont) ?? ''}${isSpaced ? ' ' : ''}${text}`)
  }
  if (texts.size === 0) return { fragments }
  const isRead = (text: string) => count(text, /\p{L}/gu) >= TELLING_LETTERS && isReadable(text)
  const isRight = [...texts.values()].some(isRead) ? isReadable : isRead
  const unread = new Set([...texts].filter(([, text]) => !isRight(text)).map(([font]) => font))
  if (unread.size === 0) return { fragments, lost: 'guessed' }
  return {
    fragments: fragments.filter(({ lostFont }) => !lostFont || !unread.has(lostFont)),
    lost: 'unread',
  }
}

export function* buildLostTextWarnings(lost: ReadonlyMap<number, LostText>): Iterable<Warning> {
  const listPages = (kind: LostText) =>
    [...lost]
      .filter(([, other]) => other === kind)
      .map(([page]) => page)
      .sort((a, b) => a - b)
  const guessed = listPages('guessed')
  const unread = listPages('unread')
  if (unread.length > 0) {
    const message = localizable`Some of the text on ${pageCount(unread)} (${formatPageRanges(unread)}) is left out: the fonts that say what it means are missing.`
    yield withMessage({ code: 'corrupt' }, message)
  }
  if (guessed.length > 0) {
    const message = localizable`Text on ${pageCount(guessed)} (${formatPageRanges(guessed)}) is read without its fonts, which are missing: some characters may be wrong.`
    yield withMessage({ code: 'garbled' }, message)
  }
}

function pageCount({ length }: readonly number[]): LocalizableMessage {
  return length === 1 ? localizable`${length} page` : localizable`${length} pages`
}

function isReadable(text: string): boolean {
  const letters = count(text, /\p{L}/gu)
  const vowels = count(text, /[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüý]/gi)
  const hasVowels = vowels >= letters * VOWELS[0] && vowels <= letters * VOWELS[1]
  if (letters === 0 || (letters >= TELLING_LETTERS && !hasVowels)) return false
  const inWords =
    text.match(/(?<!\p{L})(\p{Lu}?\p{Ll}{2,}|\p{Lu}{3,})(?!\p{L})/gu)?.join('').length ?? 0
  const common = count(text, /[\p{L}\d.,;:!?()'"-]/gu)
  return inWords >= letters * MIN_WORDS && common >= count(text, /\S/g) * MIN_COMMON
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}
