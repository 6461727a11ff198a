/** `[start, end)` in the page, without comments and scripts. */
type Markup = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'tag'; readonly name: string; readonly isEnd: boolean }
  /** A doctype, or what has no end and would hide the rest. */
  | { readonly kind: 'obstacle' }
)

const OPENING = /<(?:!--|!\[CDATA\[|!doctype(?![\w-])|\/?[a-z]|[!?/])/gi
const NAME = /[a-z][^\s/>]*/iy
const ATTRIBUTE = /[^>=]*=\s*(?:"[^"]*"|'[^']*'|(?!["'])[^\s>]*)/y
/** Their content is text up to the end tag, as linkedom reads it. */
const RAW_TEXT = /^(?:script|style|title|textarea|xmp)$/i
const ENDS = /-->|\]\]>|<\/(?:style|title|textarea|xmp)(?=[\s>])/gi
const END_SIGNS = new Map([
  ['<!--', '-->'],
  ['<![cdata[', ']]>'],
])
const ANY_TAG = /<\/?[a-z]/gi
const DECLARING_DOCTYPE =
  /<!doctype[^>[]*\[(?:\s+|%[\w.-]+;|<[!?](?:"[^"]*"|'[^']*'|[^>"'])*>)*\]\s*>/iy
/** Bounded, so that unclosed declarations cost little. */
const MAX_DECLARATIONS = 2000

/** Walks markup as an HTML tokenizer does, in linear time. */
export function* readMarkup(page: string): Iterable<Markup> {
  const opening = new RegExp(OPENING)
  const lastEnds = findLastEnds(page)
  for (let match = opening.exec(page); match; match = opening.exec(page)) {
    const { index: start } = match
    const sign = match[0].toLowerCase()
    const isHiding = isOpen(lastEnds, start, END_SIGNS.get(sign))
    const markup: Markup | Skipped = isHiding
      ? { kind: 'obstacle', start, end: opening.lastIndex }
      : readMarkupItem(page, start, sign)
    if (markup.end < 0) return
    if (markup.kind === 'tag' && isOpen(lastEnds, start, findEndTag(markup))) {
      opening.lastIndex = findHiddenText(page, markup)
      yield { kind: 'obstacle', start, end: opening.lastIndex }
      continue
    }
    if (markup.kind) yield markup
    opening.lastIndex =
      markup.kind === 'tag' && !markup.isEnd ? findContentEnd(page, markup) : markup.end
  }
}

function findLastEnds(page: string): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { 0: end, index } of page.matchAll(ENDS)) ends.set(end.toLowerCase(), index)
  return ends
}

function isOpen(lastEnds: ReadonlyMap<string, number>, start: number, end?: string): boolean {
  return end !== undefined && (lastEnds.get(end) ?? 0) <= start
}

/** A script without an end contains no text. */
function findEndTag({ name, isEnd }: Markup & { readonly kind: 'tag' }): string | undefined {
  const tag = name.toLowerCase()
  return !isEnd && tag !== 'script' && RAW_TEXT.test(tag) ? `</${tag}` : undefined
}

/** A style contains no tags. */
function findHiddenText(page: string, { name, end }: Markup & { readonly kind: 'tag' }): number {
  if (name.toLowerCase() !== 'style') return end
  ANY_TAG.lastIndex = end
  return ANY_TAG.exec(page)?.index ?? page.length
}

type Skipped = { readonly kind?: undefined; readonly start: number; readonly end: number }

/** The end is -1 if it is missing. */
function readMarkupItem(page: string, start: number, opening: string): Markup | Skipped {
  if (opening === '<!--') return { start, end: findAfter(page, '-->', start + 2) }
  if (opening === '<![cdata[') return { start, end: findAfter(page, ']]>', start) }
  if (opening === '<!doctype') return { kind: 'obstacle', start, end: findDoctypeEnd(page, start) }
  if (!/[a-z]$/.test(opening)) return { start, end: findAfter(page, '>', start) }
  const isEnd = opening.startsWith('</')
  const name = matchSticky(NAME, page, start + opening.length - 1)
  const end = isEnd
    ? findAfter(page, '>', start)
    : findTagEnd(page, start + opening.length - 1 + name.length)
  return { kind: 'tag', name, isEnd, start, end }
}

function findTagEnd(page: string, start: number): number {
  let index = start
  for (
    let attribute = matchSticky(ATTRIBUTE, page, index);
    attribute;
    attribute = matchSticky(ATTRIBUTE, page, index)
  )
    index += attribute.length
  return findAfter(page, '>', index)
}

function findDoctypeEnd(page: string, start: number): number {
  const declaring = matchSticky(DECLARING_DOCTYPE, page.slice(start, start + MAX_DECLARATIONS), 0)
  if (declaring) return start + declaring.length
  const end = findAfter(page, '>', start)
  return end < 0 ? page.length : end
}

function findContentEnd(page: string, { name, end }: Markup & { readonly kind: 'tag' }): number {
  if (!RAW_TEXT.test(name) || page[end - 2] === '/') return end
  const close = new RegExp(`</${name}(?=[\\s>])`, 'gi')
  close.lastIndex = end
  return close.exec(page)?.index ?? page.length
}

function findAfter(page: string, sign: string, from: number): number {
  const index = page.indexOf(sign, from)
  return index < 0 ? -1 : index + sign.length
}

function matchSticky(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}
