import type { DomElement, DomNode } from './dom-node.ts'
import { listChildElements } from './dom-node.ts'

const TEX = /\\[a-z]+|^\$.+\$$/i
const TEX_STYLE = /^\{\\(?:display|text)style\s*(.*)\}$/s
/** Used by Wikipedia, WordPress, Sphinx and Moodle. */
const FORMULA_CLASS = /(?:^|[\s_-])(?:math|tex|latex|formula|equation|texrender)(?:$|[\s_-])/i
const SIGN = /^[^\p{L}\p{N}\s]{1,8}$/u

/** Bounded, so that descriptions of photographs stay out of cells. */
const MAX_NAME_CHARS = 30
const FILE_NAME = /\.(?:gif|jpe?g|png|svg|webp)$/i

export function readInlinePicture(picture: DomElement): string {
  const text = picture.getAttribute('alt')?.trim() ?? ''
  if (SIGN.test(text)) return text
  const isFormula = TEX.test(text) || FORMULA_CLASS.test(picture.getAttribute('class') ?? '')
  if (!isFormula || hasMathBeside(picture)) return ''
  return TEX_STYLE.exec(text)?.[1]?.trim() ?? text
}

export function readPictureName(element: DomElement): string {
  const isPicture = element.localName === 'img'
  const isIcon = element.localName === 'svg' || element.getAttribute('role') === 'img'
  const name = isPicture
    ? element.getAttribute('alt')
    : isIcon || isEmptyIcon(element)
      ? (element.getAttribute('aria-label') ?? element.getAttribute('title'))
      : null
  const word = name?.replace(/\s+/g, ' ').trim() ?? ''
  return word.length > MAX_NAME_CHARS || FILE_NAME.test(word) ? '' : word
}

function isEmptyIcon(element: DomElement): boolean {
  return (element.localName === 'i' || element.localName === 'span') && !element.firstChild
}

function hasMathBeside(picture: DomElement): boolean {
  const parent: DomNode | null = picture.parentNode
  if (!parent) return false
  return [...listChildElements(parent)].some(
    sibling => sibling.localName === 'math' || [...listChildElements(sibling, 'math')].length > 0,
  )
}
