const ADDRESS = /(?:^|\s)(?:https?|file|about|data|[a-z]+-extension):\S+/
/** Day, month and year in any order, or a written month, beside a time. */
const DATE =
  /\d{1,4}[./\-年]\s?\d{1,2}[./\-月]\s?\d{1,4}|\p{L}{3,}\.? \d{1,2}, \d{4}|\d{1,2}\.? \p{L}{3,}\.? \d{4}/u
const TIME = /\d{1,2}[:.]\d{2}/

/** Tells whether a browser printed its title, date, address and page number over and under a page. */
export function isBrowserPrint(
  edges: readonly string[],
  { page, count }: { readonly page: number; readonly count: number },
): boolean {
  const number = new RegExp(String.raw`(?:^|\s)${page}\s?(?:/|\p{L}{1,5})\s?${count}(?:\s|$)`, 'u')
  return (
    edges.length === 2 &&
    edges.some(text => ADDRESS.test(text)) &&
    edges.some(text => number.test(text)) &&
    edges.some(text => DATE.test(text) && TIME.test(text)) &&
    edges.every(text => [ADDRESS, number, DATE].some(sign => sign.test(text)))
  )
}
