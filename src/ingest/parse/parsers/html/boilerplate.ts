import { hasWords, type SkippedKind, type SkippedText } from '../../skipped-text.ts'
import { DomWalk } from './dom.ts'
import { type DomElement, type DomNode, listChildElements } from './dom-node.ts'
import { readInlinePicture, readPictureName } from './pictures.ts'

/** Not `head`: if its end tag is missing, it contains the text. */
const NO_TEXT = new Set(
  'script style noscript annotation annotation-xml template title svg canvas iframe object embed audio video map select input textarea datalist nav rt rp dialog'.split(
    ' ',
  ),
)

const ASIDE_ROLES = new Set([
  'navigation',
  'contentinfo',
  'search',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
  'toolbar',
])

const MENU_WORD =
  /(^|[\s_-])(nav|navbar|navigation|menu|breadcrumbs?|pager|pagination|sidebar|footer|toc-nav|share|social)($|[\s_-])/i

/** React streams content after the page and moves it to its place. */
const STREAMED_ID = /^S:[\da-f]+$/

/** Longer than messages and dialogs. */
const MIN_HIDDEN_CHARS = 300

/** Names of what stands around the text of a page, chosen on the development pages of WCXB. */
const SURROUNDINGS: readonly (readonly [SkippedKind, RegExp])[] = [
  ['headers', nameWords('(?:site|page|global|main|top)-?(?:header|bar)|masthead')],
  ['footers', nameWords('(?:site|page|global)?-?footer')],
  ['form controls', nameWords('newsletter|subscribe|sign-?up|cookies?|consent|gdpr')],
  ['hidden elements', nameWords('modal|pop-?up|lightbox|flyout|toast|tooltip|drawer|overlay')],
  ['asides', nameWords('share|sharing|social')],
  ['asides', nameWords('related|recommend(?:ed|ations)?|trending|read-next|you-may-also-like')],
  ['asides', nameWords('upsell|cross-sell')],
]

const PERMALINK_CHARS = 2

/** High, so that only what is nearly all links is a menu. */
const MENU_LINK_SHARE = 0.7

/** Words in a row: shorter titles name what they stand at. */
const TIP = /\p{L}{2,}(?: \p{L}{2,}){2}|\p{Script=Han}{4}/u
/** Without text of the page, or with what it repeats. */
const WORDLESS = new Set('script style title rp annotation annotation-xml'.split(' '))
const KINDS: Readonly<Record<string, SkippedKind>> = {
  rt: 'reading aids',
  nav: 'menus',
  footer: 'footers',
  button: 'form controls',
  select: 'form controls',
  textarea: 'form controls',
  datalist: 'form controls',
}
/** A letter by itself is a sign. */
const WORD = /\p{L}{2}|\p{Lo}/u
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary']

/** `text` omits what stands around the text of a web page. */
export type PageScope = 'page' | 'text'

export class PageFilter {
  readonly #root: DomNode
  readonly #skipped: SkippedText
  readonly #counted = new Set<DomElement>()
  #controlled: ReadonlySet<string> | undefined
  #shares: TextShares | undefined
  #words: ReadonlySet<string> | undefined
  readonly #scope: PageScope

  constructor(root: DomNode, skipped: SkippedText, scope: PageScope) {
    this.#root = root
    this.#skipped = skipped
    this.#scope = scope
  }

  shouldOmit(element: DomElement): boolean {
    const isOmitted = isBoilerplate(element) && !this.#isPageContent(element)
    const isLost = !isOmitted && isHidden(element) && !this.#canBecomeVisible(element)
    const around = isOmitted || isLost ? undefined : this.#findSurroundings(element)
    const isUnread = isOmitted || isLost || around !== undefined
    if (this.#counted.has(element)) return isUnread
    const kind =
      around ?? (isUnread ? findSkippedKind(element) : this.#findUnreadAttribute(element))
    if (!kind) return isUnread
    this.#counted.add(element)
    this.#skipped.add(kind)
    return isUnread
  }

  /** Most of a page does not stand around its text. */
  #findSurroundings(element: DomElement): SkippedKind | undefined {
    const kind = this.#scope === 'text' ? findSurroundings(element) : undefined
    if (!kind || !hasWord(element)) return undefined
    const { visible } = this.#measure()
    return countLetters(element) * 2 < visible ? kind : undefined
  }

  #canBecomeVisible(element: DomElement): boolean {
    if (element.getAttribute('hidden') === 'until-found') return true
    if (element.getAttribute('role') === 'tabpanel') return true
    const [first] = listChildElements(element)
    if (first?.localName === 'math') return true
    const id = element.getAttribute('id')
    if (id !== null && STREAMED_ID.test(id)) return true
    this.#controlled ??= listControlledIds(this.#root)
    if (id !== null && this.#controlled.has(id)) return true
    const { visible, hidden } = this.#measure()
    return hidden > Math.max(visible, MIN_HIDDEN_CHARS) // until its scripts run
  }

  /** A text whose words the page shows elsewhere is not lost. */
  #findUnreadAttribute(element: DomElement): SkippedKind | undefined {
    const text = readUnreadAttribute(element)
    if (text === '') return undefined
    this.#words ??= this.#collectWords()
    const words = this.#words
    return splitWords(text).every(word => words.has(word)) ? undefined : 'text alternatives'
  }

  #collectWords(): ReadonlySet<string> {
    const words = new Set<string>()
    const walk = new DomWalk()
    for (const step of walk.walkSteps(this.#root)) {
      if (step.type === 'text') for (const word of splitWords(step.text)) words.add(word)
      if (step.type !== 'open') continue
      const { element } = step
      if (isBoilerplate(element) || isHidden(element) || this.#findSurroundings(element))
        walk.skipChildren()
    }
    return words
  }

  #isPageContent(element: DomElement): boolean {
    if (element.localName !== 'noscript') return false
    const { visible, hidden, withoutScripts } = this.#measure()
    return withoutScripts > Math.max(visible + hidden, MIN_HIDDEN_CHARS)
  }

  #measure(): TextShares {
    this.#shares ??= measureShares(this.#root)
    return this.#shares
  }
}

function nameWords(words: string): RegExp {
  return new RegExp(`(?:^|[ _-])(?:${words})(?:[ _-]|$)`)
}

function findSurroundings(element: DomElement): SkippedKind | undefined {
  const name = element.localName
  const role = element.getAttribute('role')
  const isOutside = () => !isInside(element, ['article', 'main'])
  if ((name === 'aside' || role === 'complementary') && isOutside()) return 'asides'
  if (name === 'form') return 'form controls'
  if (name === 'footer') return 'footers'
  const isHeader = (name === 'header' || role === 'banner') && isOutside()
  const label = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  const written = label.replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2').toLowerCase()
  const kind = isHeader ? 'headers' : SURROUNDINGS.find(([, words]) => words.test(written))?.[0]
  return kind === 'headers' && hasElement(element, 'h1') ? undefined : kind
}

/** Letters of a page by who sees them. */
type TextShares = {
  readonly visible: number
  readonly hidden: number
  readonly withoutScripts: number
}

function measureShares(root: DomNode): TextShares {
  const shares = { visible: 0, hidden: 0, withoutScripts: 0 }
  const walk = new DomWalk()
  for (const step of walk.walkSteps(root)) {
    if (step.type === 'text') shares.visible += step.text.trim().length
    if (step.type !== 'open') continue
    const { element } = step
    if (element.localName === 'noscript') shares.withoutScripts += countLetters(element)
    else if (isBoilerplate(element)) walk.skipChildren()
    else if (isHidden(element)) shares.hidden += countLetters(element)
    else continue
    walk.skipChildren()
  }
  return shares
}

function countLetters(element: DomElement): number {
  let letters = 0
  const walk = new DomWalk()
  for (const step of walk.walkSteps(element)) {
    if (step.type === 'text') letters += step.text.trim().length
    else if (step.type === 'open' && isBoilerplate(step.element)) walk.skipChildren()
  }
  return letters
}

export function readStatedCheckBox(element: DomElement): string {
  const isStated =
    element.localName === 'input' &&
    element.getAttribute('type') === 'checkbox' &&
    element.getAttribute('disabled') !== null
  if (!isStated) return ''
  return element.getAttribute('checked') === null ? '☐' : '☒'
}

function listControlledIds(root: DomNode): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const step of new DomWalk().walkSteps(root)) {
    if (step.type !== 'open') continue
    const { element } = step
    const controlled = element.getAttribute('aria-controls')
    const isTab = element.getAttribute('role') === 'tab'
    const isOpener = isTab || element.getAttribute('aria-expanded') !== null
    if (controlled && isOpener && !isInside(element, ['nav', 'header']))
      for (const id of controlled.split(/\s+/)) ids.add(id)
  }
  return ids
}

function findSkippedKind(element: DomElement): SkippedKind | undefined {
  const name = element.localName
  switch (name) {
    case 'svg':
      return hasElement(element, 'text') ? 'drawings' : undefined
    case 'iframe':
      return isLinking(element) ? 'linked files' : undefined
    case 'input':
      return hasOwnValue(element) ? 'form controls' : undefined
    case 'map':
      return hasNamedArea(element) ? 'text alternatives' : undefined
    default:
      return WORDLESS.has(name) || !hasWord(element) ? undefined : findTextKind(element)
  }
}

function findTextKind(element: DomElement): SkippedKind {
  if (element.getAttribute('role') === 'contentinfo') return 'footers'
  return KINDS[element.localName] ?? (isMenu(element) ? 'menus' : 'hidden elements')
}

function readUnreadAttribute(element: DomElement): string {
  const name = element.localName
  const text = element.getAttribute(name === 'img' ? 'alt' : 'title') ?? ''
  if (name !== 'img' && name !== 'abbr') return TIP.test(text) ? text : ''
  const isRead =
    name === 'img' &&
    (readInlinePicture(element) || isInside(element, HEADINGS) || isOnlyCellContent(element))
  return WORD.test(text) && !isRead ? text : ''
}

/** Pairs of Han characters stand for words. */
function splitWords(text: string): readonly string[] {
  return [
    ...text.toLowerCase().matchAll(/(?=(\p{Script=Han}{2}))|[^\P{L}\p{Script=Han}]{2,}/gu),
  ].map(({ 0: word, 1: pair }) => pair ?? word)
}

/** A cell without text is read by the name of its picture. */
function isOnlyCellContent(picture: DomElement): boolean {
  let cell = picture.parentNode
  while (cell && cell.localName !== 'td' && cell.localName !== 'th') cell = cell.parentNode
  return cell !== null && readPictureName(picture) !== '' && isBlank(cell)
}

function isBlank(node: DomNode): boolean {
  for (const step of new DomWalk().walkSteps(node))
    if (step.type === 'text' && step.text.trim() !== '') return false
  return true
}

function isLinking(frame: DomElement): boolean {
  return frame.getAttribute('src') !== null || frame.getAttribute('srcdoc') !== null
}

function hasOwnValue(field: DomElement): boolean {
  const isVisible = !/^(?:hidden|checkbox|radio)$/i.test(field.getAttribute('type') ?? '')
  return isVisible && hasWords(field.getAttribute('value') ?? '')
}

function hasNamedArea(map: DomElement): boolean {
  return [...listChildElements(map, 'area')].some(area => WORD.test(area.getAttribute('alt') ?? ''))
}

function hasWord(element: DomElement): boolean {
  for (const step of new DomWalk().walkSteps(element))
    if (step.type === 'text' && WORD.test(step.text)) return true
  return false
}

export function hasElement(element: DomElement, name: string): boolean {
  for (const step of new DomWalk().walkSteps(element))
    if (step.type === 'open' && step.element.localName === name) return true
  return false
}

function isBoilerplate(element: DomElement): boolean {
  const name = element.localName
  if (name === 'button') return !isInside(element, HEADINGS)
  if (NO_TEXT.has(name) || ASIDE_ROLES.has(element.getAttribute('role') ?? '')) return true
  if (isPermalink(element)) return true
  if (name === 'footer') return !isInside(element, ['article', 'blockquote', 'section'])
  return name !== 'body' && hasMenuName(element) && linkShare(element) > MENU_LINK_SHARE
}

function hasMenuName(element: DomElement): boolean {
  const label = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  return MENU_WORD.test(label)
}

function isMenu(element: DomElement): boolean {
  const isNamed = ASIDE_ROLES.has(element.getAttribute('role') ?? '') || hasMenuName(element)
  return isNamed || linkShare(element) > MENU_LINK_SHARE
}

/** Matches the sign after a heading that links to itself, as in Sphinx. */
function isPermalink(element: DomElement): boolean {
  if (element.localName !== 'a' || !element.getAttribute('href')?.startsWith('#')) return false
  let text = ''
  for (const step of new DomWalk().walkSteps(element)) {
    if (step.type === 'text') text += step.text.trim()
    if (text.length > PERMALINK_CHARS) return false
  }
  return /^[¶#🔗]$/u.test(text)
}

function isHidden(element: DomElement): boolean {
  if (element.getAttribute('hidden') !== null || element.getAttribute('aria-hidden') === 'true')
    return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '')
}

function isInside(element: DomNode, names: readonly string[]): boolean {
  for (let node = element.parentNode; node; node = node.parentNode) {
    if (node.localName && names.includes(node.localName)) return true
  }
  return false
}

function linkShare(element: DomElement): number {
  let links = 0
  let all = 0
  let depth = 0
  for (const step of new DomWalk().walkSteps(element)) {
    if (step.type === 'text') {
      const characters = step.text.trim().length
      all += characters
      if (depth > 0) links += characters
    } else if (step.element.localName === 'a') depth += step.type === 'open' ? 1 : -1
  }
  return all === 0 ? 0 : links / all
}
