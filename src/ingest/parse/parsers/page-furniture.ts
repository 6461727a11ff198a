/** A page number has neither letters nor four digits. */
const CONTENT = /\p{L}|\d{4}/u

export function hasMoreThanPageNumber(text: string): boolean {
  return CONTENT.test(text)
}
