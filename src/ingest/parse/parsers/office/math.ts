import {
  group,
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
import { findAttribute } from './xml.ts'
import { findChild, findChildren, readElementText, type XmlElement } from './xml-tree.ts'

const NOT_SHOWN = /Pr$|^(?:Fallback|annotation|annotation-xml)$/
/** Defaults of ECMA-376, 22.1.2: a circumflex, and an integral. */
const DEFAULT_ACCENT = '\u0302'
const DEFAULT_NARY = '∫'
const OVERLINE = '\u0305'

/** Reads Office Math (ECMA-376, 22.1) as one line: `x=√2`, `(a+b)/(c+d)`, `10⁶`. */
export function readOfficeMath(element: XmlElement): string {
  return readTerm(element).text
}

function readTerm(element: XmlElement): Term {
  const part = (name: string) => readPart(element, name)
  switch (element.name) {
    case 't':
      return toTerm(readElementText(element))
    case 'br':
      return toTerm(' ')
    case 'f':
      return writeFraction(part('num'), part('den'), readValue(element, 'fPr', 'type') !== 'noBar')
    case 'rad':
      return writeRoot(part('e'), isHidden(element, 'degHide') ? toTerm('') : part('deg'))
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
      return writeScripts(part('e'), { lower: part('sub'), upper: part('sup') })
    case 'sPre':
      return joinTerms([
        writeScripts(toTerm(''), { lower: part('sub'), upper: part('sup') }),
        part('e'),
      ])
    case 'limLow':
      return writeScripts(part('e'), { lower: part('lim') })
    case 'limUpp':
      return writeScripts(part('e'), { upper: part('lim') })
    default:
      return readStructure(element)
  }
}

function readStructure(element: XmlElement): Term {
  const part = (name: string) => readPart(element, name)
  switch (element.name) {
    case 'd':
      return writeFence(findChildren(element, 'e').map(readChildren), {
        open: readValue(element, 'dPr', 'begChr') ?? '(',
        close: readValue(element, 'dPr', 'endChr') ?? ')',
        separator: readValue(element, 'dPr', 'sepChr') ?? '|',
      })
    case 'nary': {
      const sign = toTerm(readValue(element, 'naryPr', 'chr') ?? DEFAULT_NARY)
      const signed = writeScripts(sign, { lower: part('sub'), upper: part('sup') })
      return toTerm(`${signed.text} ${part('e').text}`)
    }
    case 'func':
      return { text: `${part('fName').text.trim()} ${group(part('e').text)}`, isApart: true }
    case 'm':
      return readMatrix(element)
    case 'eqArr':
      return toTerm(
        findChildren(element, 'e')
          .map(line => readChildren(line).text.replaceAll('&', ''))
          .join('; '),
      )
    case 'acc':
      return writeAccent(part('e'), readValue(element, 'accPr', 'chr') ?? DEFAULT_ACCENT)
    case 'bar':
      return writeAccent(part('e'), OVERLINE)
    case 'phant':
      return isHidden(element, 'show', '0') ? toTerm('') : part('e')
    default:
      return readChildren(element)
  }
}

/** Excludes DrawingML's element of the same name, which contains a formula. */
function readMatrix(element: XmlElement): Term {
  const rows = findChildren(element, 'mr')
  if (rows.length === 0) return readChildren(element)
  return writeMatrix(rows.map(row => findChildren(row, 'e').map(readChildren)))
}

function readPart(element: XmlElement, name: string): Term {
  const part = findChild(element, name)
  return part ? readChildren(part) : toTerm('')
}

function readChildren(element: XmlElement): Term {
  return joinTerms(
    findChildren(element)
      .filter(({ name }) => !NOT_SHOWN.test(name))
      .map(readTerm),
  )
}

function readValue(element: XmlElement, properties: string, name: string): string | undefined {
  const property = findChild(element, properties, name)
  return property && (findAttribute(property.attributes, 'val') ?? '')
}

function isHidden(element: XmlElement, name: string, value?: '0'): boolean {
  const property = findChild(element, `${element.name}Pr`, name)
  if (!property) return false
  const isOff = /^(?:0|false|off)$/.test(findAttribute(property.attributes, 'val') ?? '1')
  return value === '0' ? isOff : !isOff
}
