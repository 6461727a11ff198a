import { type DomElement, type DomNode, DomWalk } from './dom.ts'

/** Elements whose content is not the page's text. Not `head`: if its end tag is left out, the text lies in it. */
const NO_TEXT = new Set(
  'script style noscript annotation annotation-xml template title svg canvas iframe object embed audio video map button select input textarea datalist nav rt rp dialog'.split(
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

const PERMALINK_CHARS = 2

/** A menu is nearly all links. */
const MENU_LINK_SHARE = 0.7

/** Whether an element and all in it is no part of what the page says: code, hidden things, menus, the page's footer. */
export function isBoilerplate(element: DomElement): boolean {
  const name = element.localName
  if (NO_TEXT.has(name) || isHidden(element)) return true
  if (ASIDE_ROLES.has(element.getAttribute('role') ?? '')) return true
  if (isPermalink(element)) return true
  if (name === 'footer') return !isInside(element, ['article', 'blockquote', 'section'])
  const label = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  return MENU_WORD.test(label) && name !== 'body' && linkShare(element) > MENU_LINK_SHARE
}

/** The sign after a heading that links to the heading itself, as Sphinx and others set it. */
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

/** Share of the characters that stand in links. */
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
