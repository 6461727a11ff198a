import {
  joinTerms,
  type Term,
  toTerm,
  writeAccent,
  writeFence,
  writeFraction,
  writeMatrix,
  writeRoot,
  writeScripts,
} from '../linear-formula.ts'
import { type DomElement, type DomNode, listChildElements } from './dom-node.ts'

const ACCENTS: Readonly<Record<string, string>> = {
  '¯': '\u0305',
  '‾': '\u0305',
  '―': '\u0305',
  _: '\u0332',
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '→': '\u20d7',
  '⃗': '\u20d7',
  '˙': '\u0307',
  '.': '\u0307',
  '¨': '\u0308',
}
/** Another notation, or not shown (MathML Core). */
const NOT_SHOWN = new Set(['annotation', 'annotation-xml', 'mphantom', 'mprescripts', 'none'])
/** Protects the stack. */
const MAX_DEPTH = 100

export function readMathml(math: DomElement): string {
  return readChildren(math, 0).text.replace(/\s+/g, ' ').trim()
}

function readTerm(node: DomNode, depth: number): Term {
  const name = node.localName ?? ''
  if (node.nodeType === 3) return toTerm((node.nodeValue ?? '').replace(/\s+/g, ' '))
  if (node.nodeType !== 1 || NOT_SHOWN.has(name) || depth > MAX_DEPTH) return toTerm('')
  const child = (index: number) => readChild(node, index, depth + 1)
  switch (name) {
    case 'mi':
    case 'mtext':
      return readName(node, depth)
    case 'mn':
      return { ...readChildren(node, depth), isApart: true }
    case 'mfrac':
      return writeFraction(child(0), child(1), !/^0/.test(readAttribute(node, 'linethickness')))
    case 'msqrt':
      return writeRoot(readChildren(node, depth), toTerm(''))
    case 'mroot':
      return writeRoot(child(0), child(1))
    case 'msub':
      return writeScripts(child(0), { lower: child(1) })
    case 'msup':
      return writeScripts(child(0), { upper: child(1) })
    case 'munder':
      return writeScripts(child(0), { lower: child(1) })
    case 'mover':
      return readOver(child(0), child(1))
    case 'msubsup':
    case 'munderover':
      return writeScripts(child(0), { lower: child(1), upper: child(2) })
    default:
      return readGroup(node, depth)
  }
}

function readGroup(node: DomNode, depth: number): Term {
  const children = () => [...listChildElements(node)].map(element => readTerm(element, depth + 1))
  switch (node.localName) {
    case 'mfenced':
      return writeFence(children(), {
        open: readAttribute(node, 'open', '('),
        close: readAttribute(node, 'close', ')'),
        separator: readAttribute(node, 'separators', ','),
      })
    case 'mtable': {
      const rows = [...listChildElements(node)].filter(({ localName }) =>
        /^m(?:labeled)?tr$/.test(localName),
      )
      return writeMatrix(
        rows.map(row => [...listChildElements(row)].map(cell => readChildren(cell, depth + 1))),
      )
    }
    case 'mspace':
      return toTerm(' ')
    case 'semantics':
      return readChild(node, 0, depth + 1)
    case 'mmultiscripts': {
      const [base = toTerm(''), lower = toTerm(''), upper = toTerm('')] = children()
      return writeScripts(base, { lower, upper })
    }
    default:
      return readChildren(node, depth)
  }
}

/** A name of several letters is a word: sin x, not sinx. */
function readName(node: DomNode, depth: number): Term {
  const term = readChildren(node, depth)
  return /^\p{L}{2,}$/u.test(term.text) ? { ...term, isApart: true } : term
}

function readOver(base: Term, over: Term): Term {
  const accent = ACCENTS[over.text]
  return accent ? writeAccent(base, accent) : writeScripts(base, { upper: over })
}

function readChildren(node: DomNode, depth: number): Term {
  const terms: Term[] = []
  const isToken = /^m(?:i|n|o|s|text)$/.test(node.localName ?? '')
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (isToken || child.nodeType === 1) terms.push(readTerm(child, depth + 1))
  const joined = joinTerms(terms)
  return isToken ? toTerm(joined.text.trim()) : joined
}

function readChild(node: DomNode, index: number, depth: number): Term {
  const element = [...listChildElements(node)][index]
  return element ? readTerm(element, depth) : toTerm('')
}

function readAttribute(node: DomNode, name: string, missing = ''): string {
  return node.getAttribute?.(name) ?? missing
}
