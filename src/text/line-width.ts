/** East Asian characters of two columns (Unicode Standard Annex 11). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u
const FIRST_WORD = /^\s*(?:\p{Script=Han}|[^\s\p{Script=Han}]+)/u
/** Empty share of a line that shows a deliberate end, so that ragged lines are joined. */
const SPARE = 0.2

export function measureWidth(text: string): number {
  let width = 0
  for (const character of text) width += character > '\u007f' && WIDE.test(character) ? 2 : 1
  return width
}

/** Returns whether the next word would have fitted. */
export function isEnded(end: number, next: string, width: number): boolean {
  return end + 1 + measureWidth(FIRST_WORD.exec(next)?.[0].trim() ?? '') <= width * (1 - SPARE)
}
