/** Scripts without spaces, as a character class. */
export const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const SPACED = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]+`

/** Runs of unspaced scripts; numbers with inner points or commas; words with inner apostrophes. */
export const TOKEN = new RegExp(
  String.raw`[${UNSPACED}]+|\p{N}+(?:[.,]\p{N}+)+|${SPACED}(?:['’]${SPACED})*`,
  'gv',
)

export const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
