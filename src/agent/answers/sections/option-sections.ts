import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import type { Hit } from '../../../search/searcher.ts'
import { definedOptions, optionsIn } from '../../language/options.ts'
import { isHeld, type Terms } from '../../language/terms.ts'
import { type Line, linesOf } from './outline.ts'
import type { Section } from './section.ts'

/** A document that defines an option that the question names. */
export type OptionPart = { readonly hit: Hit; readonly options: readonly string[]; readonly section: Section }

/** So many documents are read for their options. */
const MAX_DOCUMENTS = 3
/** A longer definition is quoted in part, where the question asks for more than what the option does. */
const MAX_WHOLE = 700

/** `EXIT VALUES`, `动作 ACTIONS`: a line by itself that heads a part of a manual page. */
const PART_HEAD = /^(?:\p{Script=Han}{1,8}(?:\([^)]*\))?\s+)?[A-Z][A-Z ,/-]{2,60}$/u

/** Ways to ask what an option does. */
const ASKS_USE =
  /\bwhat (?:does|do|is|are)\b|\b(?:do|does|mean|means|stand for|used for|use|for|option|flag|switch|command|parameter)\b|(?:是)?什么意思|(?:是|有|起)?什么(?:用处?|作用|效果|含义)|(?:是)?(?:做|干|表示|代表|用来做|用来干)什么|是什么|选项|参数|命令/giu

/** What documents say of the options that a question names, of documents whose name the question has first. */
export async function optionParts(
  question: string,
  hits: readonly Hit[],
  { reader, terms }: { readonly reader: DocumentReader; readonly terms: Terms },
  signal?: AbortSignal,
): Promise<readonly OptionPart[]> {
  const options = optionsIn(question)
  if (options.length === 0) return []
  const asked = terms.of(question)
  const isNamed = (hit: Hit) => [...terms.of(`${hit.title}\n${hit.name}`)].some(term => asked.has(term))
  const first = hits.filter((hit, at) => hits.findIndex(other => other.documentId === hit.documentId) === at)
  const parts: OptionPart[] = []
  for (const hit of first.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a))).slice(0, MAX_DOCUMENTS)) {
    const sections = optionSections(await linesOf(reader, hit.documentId, signal), options)
    parts.push(...sections.map(section => ({ hit, options, section })))
  }
  const named = parts.filter(({ hit }) => isNamed(hit))
  return named.length > 0 ? named : parts
}

/** The definition of the option where the question asks what it does, or a short one that has what else is asked. */
export function optionAnswer(question: string, parts: readonly OptionPart[], terms: Terms): OptionPart | undefined {
  const [best] = parts
  if (!best) return undefined
  const rest = best.options.reduce((text, option) => text.replaceAll(option, ' '), question).replace(ASKS_USE, ' ')
  const known = terms.of([best.hit.title, best.hit.name].join('\n'))
  const points = terms.pointsOf(rest).filter(point => !isHeld(point, known))
  if (points.length === 0) return best
  const held = terms.of(best.section.lines.map(({ text }) => text).join('\n'))
  const share = points.filter(point => isHeld(point, held)).length / points.length
  return lengthOf(best.section) <= MAX_WHOLE && share >= 1 / 2 ? best : undefined
}

/** The line that heads the definition in which a place of a document is, if it is in one and not in that line. */
export function optionHeadOver(lines: readonly Line[], charStart: number): Line | undefined {
  const at = lines.findLastIndex(line => line.charStart <= charStart)
  if (definedOptions(lines[at]?.text ?? '').length > 0) return undefined
  for (let above = at - 1; above >= 0; above--) {
    const line = lines[above]! // within the lines
    if (definedOptions(line.text).length > 0) return line
    if (endsPart(line)) return undefined
  }
  return undefined
}

/** Of each option, the longest text that stands under it. */
function optionSections(lines: readonly Line[], options: readonly string[]): readonly Section[] {
  const heads = lines.map(line => definedOptions(line.text))
  return options.flatMap(option => {
    const sections = lines.flatMap((_, at) => (heads[at]!.includes(option) ? [sectionFrom(lines, heads, at)] : [])) // one each
    return sections.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 1)
  })
}

function sectionFrom(lines: readonly Line[], heads: readonly (readonly string[])[], at: number): Section {
  if (lines[at]?.isRow) return { lines: lines.slice(at, at + 1) }
  const end = lines.findIndex((line, place) => place > at && (heads[place]!.length > 0 || endsPart(line))) // one each
  return { lines: lines.slice(at, end < 0 ? undefined : end) }
}

function endsPart({ text, level }: Line): boolean {
  return level !== undefined || PART_HEAD.test(text.trim())
}

function lengthOf({ lines }: Section): number {
  return lines.reduce((sum, { text }) => sum + text.trim().length, 0)
}
