/** A word, or a number that is too long for a page's. */
const CONTENT = /\p{L}|\d{4}/u

export function hasMoreThanPageNumber(text: string): boolean {
  return CONTENT.test(text)
}
