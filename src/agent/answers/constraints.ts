import { chineseNumber } from '../../search/analysis/chinese-number.ts'
import { coloursIn } from '../language/colours.ts'
import { isToDecide } from '../language/decisions.ts'
import { hasYear, yearPartsIn, yearPartsTold, yearsAsked } from '../language/periods.ts'
import type { FoundText } from './found-text.ts'
import { hasName, namesIn } from './names.ts'

/** What a question holds its answer to: a text that has none of these forms tells of something else, of colours where it has others. */
export type Constraint = {
  readonly kind: 'year' | 'part' | 'colour' | 'identifier' | 'version' | 'occasion' | 'office' | 'name'
  /** Folded; any one of them will do. A name is each of its words. */
  readonly forms: readonly string[]
}

/** Letters, then a digit: `AV-120`, `KR_2301`, `RFC 6265` only where it is written as one word. */
const IDENTIFIER =
  /(?<![\p{Script=Latin}\p{N}])[A-Za-z]{1,12}[-_./]?\d[A-Za-z\d]*(?:[-_./][A-Za-z\d]+)*(?![\p{Script=Latin}\p{N}])/giu
/** `RFC 6265`, `ISO 9001`; an amount of money is none. */
const STANDARD =
  /(?<![\p{Script=Latin}\p{N}])(?!(?:EUR|USD|GBP|CHF|CNY|RMB|JPY|HKD|AUD|CAD|SGD|SEK|NOK|DKK|FY|CY|AD|BC)\s)[A-Z]{2,8} \d{2,6}(?:[-.]\d+)*(?![\p{Script=Latin}\p{N}%]|[.,]\d)/gu
/** Quarters, halves and years are written in many ways. */
const PERIOD = /^(?:q[1-4]|h[12]|fy\d*|cy\d*)$/i
const VERSION =
  /(?<![\p{N}.])\d{1,4}(?:\.\d{1,6}){2,3}(?![\p{N}]|\.\d)|(?<=\b(?:version|release|v)\s?|版本\s?)\d{1,4}\.\d{1,6}(?![\p{N}]|\.\d)/giu
/** Of meetings, terms, rounds: not of paragraphs, whose numbers stand in no text where a program counts them. */
const OCCASION = /第\s*([〇零一二三四五六七八九十百两]{1,6}|\d{1,4})\s*([次届期轮批])/gu
const OFFICE =
  /谁是(?<after>[^，。？?、的]{0,6}?的?(?:总?经理|总监|主任|董事长|总裁|主席|部长|[校院局处科站厂]长|书记|秘书长?|主管|会计|顾问))[？?\s]*$|(?<before>(?:总?经理|总监|主任|董事长|总裁|主席|部长|[校院局处科站厂]长|书记|秘书长?|主管|会计|顾问))是谁/u

/** Of one kind so many are looked for: a question that lists more is a text that was pasted. */
const MAX_FORMS = 16

/** In characters, what joins them not counted; what is longer is no article's number. */
const MAX_IDENTIFIER = 64

/** What a question is held to, the question that it leans on before it in a line of its own. */
export function constraintsOf(question: string): readonly Constraint[] {
  const lines = question.split('\n').filter(line => line.trim() !== '')
  const last = constraintsIn(lines.at(-1) ?? '')
  const before = constraintsIn(lines.slice(0, -1).at(-1) ?? '')
  return [...last, ...before.filter(one => !last.some(other => other.kind === one.kind))]
}

/** Of years, identifiers and the like one that is named will do: several are listed or compared. */
function constraintsIn(question: string): readonly Constraint[] {
  const decides = isToDecide(question)
  const anyOf = (kind: Constraint['kind'], written: readonly string[]) => {
    const forms = [...new Set(written)].slice(0, MAX_FORMS)
    return forms.length > 0 ? [{ kind, forms }] : []
  }
  const written = [...question.matchAll(IDENTIFIER), ...question.matchAll(STANDARD)].map(([text]) => text)
  const identifiers = written.filter(text => !PERIOD.test(text))
  const office = question.match(OFFICE)?.groups
  return [
    ...anyOf('year', decides ? [] : yearsAsked(question)),
    ...anyOf('part', [...yearPartsIn(question)]),
    ...anyOf('colour', [...coloursIn(question)]),
    ...anyOf(
      'identifier',
      identifiers.map(squeezed).filter(form => form.length <= MAX_IDENTIFIER),
    ),
    ...anyOf('version', decides ? [] : (question.match(VERSION) ?? [])),
    ...anyOf('occasion', [...question.matchAll(OCCASION)].map(occasion)),
    ...anyOf('office', [office?.after ?? office?.before ?? ''].filter(Boolean)),
    ...namesIn(question.replace(IDENTIFIER, ' ').replace(STANDARD, ' ')).map(forms => ({
      kind: 'name' as const,
      forms,
    })),
  ]
}

/** The texts in which a constraint is looked for: what a passage says of itself, and all that was found of its document. */
export type ConstrainedText = { readonly passage: string; readonly document: FoundText }

/** Whether a text is about what the question is held to. A year may stand elsewhere in the document, if the passage names no other. */
export function meets(constraint: Constraint, { passage, document }: ConstrainedText): boolean {
  const { kind, forms } = constraint
  if (kind === 'year') {
    if (forms.some(year => hasYear(passage, year))) return true
    if (/(?<!\d)(?:19|20)\d\d(?!\d)/.test(passage)) return false
  }
  if (kind === 'part') {
    if (namesPart(constraint, passage)) return true
    if (isOfOtherPart(constraint, passage)) return false
  }
  return document.judged(constraint, () => isIn(document, constraint))
}

/** The text is about a quarter or a half of a year, and not about the one that the question is held to. */
export function isOfOtherPart(constraint: Constraint, text: string): boolean {
  return constraint.kind === 'part' && yearPartsTold(text).size > 0 && !namesPart(constraint, text)
}

/** The text is about the quarter or half that a question is held to. */
export function namesPart({ forms }: Constraint, text: string): boolean {
  const told = yearPartsTold(text)
  return forms.some(part => told.has(part))
}

function isIn(document: FoundText, constraint: Constraint): boolean {
  const { kind, forms } = constraint
  const { text } = document
  if (kind === 'year') return forms.some(year => hasYear(text, year))
  if (kind === 'part') return namesPart(constraint, text)
  if (kind === 'colour') {
    const told = coloursIn(text)
    return told.size === 0 || forms.some(colour => told.has(colour))
  }
  if (kind === 'identifier') return forms.some(form => hasIdentifier(document.normalized, form))
  if (kind === 'version') return forms.some(form => hasVersion(text, form))
  if (kind === 'office') return forms.some(form => text.includes(form))
  if (kind === 'name') return hasName(document, forms)
  const occasions = new Set([...text.matchAll(OCCASION)].map(occasion))
  return forms.some(form => occasions.has(form))
}

/** In NFKC, however it is joined. */
function hasIdentifier(text: string, form: string): boolean {
  const spaced = [...form].map(letter => (/[\w]/.test(letter) ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`))
  return new RegExp(`(?<![a-z\\d])${spaced.join('[-_./\\s‐–]?')}(?!\\d)`, 'iu').test(text)
}

/** Of `5.2.1`, or of all of `5.2`. */
function hasVersion(text: string, form: string): boolean {
  const branch = form.split('.').slice(0, 2)
  return new RegExp(`(?<![\\d.])(?:${form.replaceAll('.', '\\.')}(?!\\d)|${branch.join('\\.')}(?![\\d]|\\.\\d))`).test(
    text,
  )
}

function occasion([, number = '', counted = '']: RegExpMatchArray): string {
  return `${/^\d/.test(number) ? Number(number) : chineseNumber(number)}${counted}`
}

function squeezed(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[-_./\s]/g, '')
}
