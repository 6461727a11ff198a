import { decodeCommonHan } from '../../detection/charset-score.ts'

/** Shorter words are often units and abbreviations. */
const WORD = /\p{L}{4,}/gu
/** Fewer letters tell nothing. */
const TELLING_LETTERS = 200
/** Share of letters; other scripts have other shares of vowels, or none that are written. */
const MIN_ALPHABETIC = 0.9
/**
 * Share of vowels: below the 6 of 26 of random letters, so that codes are not wrong text. Latin
 * languages have about two in five.
 */
const MIN_VOWELS = 0.2
/** Fewer ideographs, and letters in words, tell nothing. */
const TELLING_IDEOGRAPHS = 60
const TELLING_MIXED_LETTERS = 60
/** Share of ideographs: texts have 97 % and more, random ones a third. */
const MIN_COMMON = 0.6
/** Share of letters in words of several scripts: texts have 2 % and less. */
const MAX_MIXED = 0.3

/** Scripts that no word joins. East Asian texts set Latin and Greek letters without blanks. */
const APART = [
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
  /\p{Script=Cyrillic}/u,
  /[\p{Script=Arabic}\p{Script=Syriac}]/u,
  /\p{Script=Hebrew}/u,
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}]/u,
  /[\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u,
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u,
  /[\p{Script=Armenian}\p{Script=Georgian}\p{Script=Ethiopic}\p{Script=Cherokee}]/u,
]

let common: ReadonlySet<number> | undefined

/** Detects a font with a wrong character map, whose letters are as printable as any. */
export function isLikelyText(text: string): boolean {
  return hasVowels(text) && hasCommonIdeographs(text) && !isMixed(text)
}

function hasVowels(text: string): boolean {
  const words = text.normalize('NFD').replace(/\p{M}/gu, '').match(WORD)?.join('') ?? ''
  if (words.length < TELLING_LETTERS) return true
  const alphabetic = countMatches(words, /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/gu)
  if (alphabetic < words.length * MIN_ALPHABETIC) return true
  const vowels = countMatches(words, /[aeiouyıæøœаеиоуыэюяієαεηιουω]/giu)
  return vowels >= words.length * MIN_VOWELS
}

function hasCommonIdeographs(text: string): boolean {
  const ideographs = text.match(/\p{Script=Han}/gu) ?? []
  if (ideographs.length < TELLING_IDEOGRAPHS) return true
  common ??= new Set(Object.values(decodeCommonHan()).flatMap(codes => [...codes]))
  const isCommon = (sign: string) => common?.has(sign.codePointAt(0) ?? 0) === true
  return ideographs.filter(isCommon).length >= ideographs.length * MIN_COMMON
}

function isMixed(text: string): boolean {
  let letters = 0
  let mixed = 0
  for (const [word] of text.matchAll(/[\p{L}\p{M}]{2,}/gu)) {
    letters += word.length
    if (APART.filter(script => script.test(word)).length > 1) mixed += word.length
  }
  return letters >= TELLING_MIXED_LETTERS && mixed > letters * MAX_MIXED
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
