import { type Elevation, toElevatedText } from '../raised-text.ts'
import { type DomElement, type DomNode, isElement } from './dom-node.ts'
import { readMarkup } from './markup.ts'
import { readMathml } from './mathml.ts'

type DomStep =
  | { readonly type: 'open'; readonly element: DomElement }
  | { readonly type: 'close'; readonly element: DomElement }
  | { readonly type: 'text'; readonly text: string }

/** Protects against linkedom's time, which grows with the square of the depth. */
const MAX_DEPTH = 200
/** Nesting in `<sup>`, so that `<sup><a><b>1</b></a></sup>` is the sign of a note. */
const MAX_ELEVATED_DEPTH = 3

const SELF_CLOSING =
  /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|html|head|body)$/i

export async function parseDom(page: string): Promise<DomNode> {
  const { parseHTML } = await import('linkedom')
  const { document } = parseHTML(withParsableMarkup(page))
  return document as unknown as DomNode // its Document has all of DomNode
}

export class DomWalk {
  #isSkipping = false

  /** Skips the content of the last element, which is not closed either. */
  skipChildren(): void {
    this.#isSkipping = true
  }

  *walkSteps(root: DomNode): Iterable<DomStep> {
    let node: DomNode | null = root.firstChild
    while (node) {
      const entered = yield* this.#visit(node)
      if (entered && node.firstChild) {
        node = node.firstChild
        continue
      }
      if (entered) yield* closeElement(node)
      while (node && !node.nextSibling) {
        node = node.parentNode
        if (!node || node === root) return
        yield* closeElement(node)
      }
      node = node?.nextSibling ?? null
    }
  }

  *#visit(node: DomNode): Generator<DomStep, boolean> {
    if (node.nodeType === 3)
      yield { type: 'text', text: toElevatedText(node.nodeValue ?? '', findElevation(node)) }
    if (!isElement(node)) return false
    yield { type: 'open', element: node }
    const entered = !this.#isSkipping
    this.#isSkipping = false
    if (!entered || node.localName !== 'math') return entered
    yield { type: 'text', text: readMathml(node) }
    yield { type: 'close', element: node }
    return false
  }
}

function* closeElement(node: DomNode): Iterable<DomStep> {
  if (isElement(node)) yield { type: 'close', element: node }
}

function findElevation(text: DomNode): Elevation | undefined {
  let element = text.parentNode
  for (let depth = 0; element && depth < MAX_ELEVATED_DEPTH; depth++) {
    if (element.localName === 'sup') return 'raised'
    if (element.localName === 'sub') return 'lowered'
    element = element.parentNode
  }
  return undefined
}

/** Removes doctypes, and tags nested deeper than in any real page. Text stays. */
function withParsableMarkup(page: string): string {
  const parts: string[] = []
  let depth = 0
  let copiedTo = 0
  for (const markup of readMarkup(page)) {
    const isNesting =
      markup.kind === 'tag' && !SELF_CLOSING.test(markup.name) && page[markup.end - 2] !== '/'
    const level = isNesting ? (markup.isEnd ? depth-- : ++depth) : 0
    if (markup.kind === 'tag' && level <= MAX_DEPTH) continue
    parts.push(page.slice(copiedTo, markup.start))
    copiedTo = markup.end
  }
  return parts.join('') + page.slice(copiedTo)
}

export function* listPictureSources(root: DomNode): Iterable<string> {
  for (const step of new DomWalk().walkSteps(root)) {
    if (step.type !== 'open') continue
    const { element } = step
    const name = element.localName.toLowerCase()
    const source =
      name === 'img'
        ? element.getAttribute('src')
        : name === 'image' && (element.getAttribute('xlink:href') ?? element.getAttribute('href'))
    if (source) yield source
  }
}
