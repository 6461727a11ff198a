/** Characters of East Asian scripts, which take two columns (Unicode Standard Annex 11). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u
const FIRST_WORD = /^\s*(?:\p{Script=Han}|[^\s\p{Script=Han}]+)/u
/** A line that leaves so much of the width of its text empty was ended on purpose. */
const SPARE = 0.2

/** Columns that a text takes in letters of one width. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += character > '\u007f' && WIDE.test(character) ? 2 : 1
  return width
}

/** The first word of the next line would have fitted on a line that ends in this column, with room to spare: somebody ended it there. */
export function isEnded(end: number, next: string, width: number): boolean {
  return end + 1 + widthOf(FIRST_WORD.exec(next)?.[0].trim() ?? '') <= width * (1 - SPARE)
}
