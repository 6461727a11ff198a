import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import type { Hit } from '../../../search/searcher.ts'
import { asksForList, cueFit, withoutListNouns } from '../../language/cues.ts'
import { isHeld, type Point, type Terms } from '../../language/terms.ts'
import { contentAsked } from './content-question.ts'
import { type NumberedName, numberedNames } from './numbered-name.ts'
import { type Line, linesOf } from './outline.ts'
import { type Section, sectionAt, seriesOf } from './section.ts'

/** A document of which the question names a part by its number: that part, where the document has it. */
export type NamedPart = {
  readonly hit: Hit
  readonly name: NumberedName
  readonly lines: readonly Line[]
  readonly section: Section | undefined
}

/** Lines of one document that answer a question. */
export type AnswerLines = { readonly hit: Hit; readonly lines: readonly Line[] }

/** So many documents are read for their parts. */
const MAX_DOCUMENTS = 3
/** Parts are told by their numbers where there are so many of them. */
const SERIES = 2
/** So many lines at the beginning of a document say what all of it is about. */
const FRONT = 4
/** Of a question, what is called a part. */
const PART_NOUNS =
  /\b(?:sections?|chapters?|parts?|paragraphs?|clauses?|version|release|the document|faq)\b|(?:这|该)?(?:一)?(?:章节|条款|部分|版本|版|节|章)|常见问题/giu

type Found = { readonly reader: DocumentReader; readonly terms: Terms }

/** The parts that the question names by numbers, of the documents that were found first. */
export async function namedParts(
  question: string,
  hits: readonly Hit[],
  { reader }: Found,
  signal?: AbortSignal,
): Promise<readonly NamedPart[]> {
  const names = numberedNames(question)
  if (names.length === 0) return []
  const parts: NamedPart[] = []
  for (const hit of firstHits(hits)) {
    const lines = await linesOf(reader, hit.documentId, signal)
    for (const name of names) {
      const series = isNamedSo(hit, name) ? new Map<string, Section>() : seriesOf(lines, name.kind)
      if (series.size >= SERIES) parts.push({ hit, name, lines, section: series.get(name.number) })
    }
  }
  return parts
}

/** What answers where the question asks for what a numbered part says, or for lines of it; undefined where other words may. */
export function partAnswer(question: string, parts: readonly NamedPart[], { terms }: Found): AnswerLines | undefined {
  const answers = parts.flatMap(({ hit, name, lines: all, section }) => {
    if (!section) return []
    const bare = question.slice(0, name.start) + ' '.repeat(name.end - name.start) + question.slice(name.end)
    const content = contentAsked(bare, true)
    if (content === undefined && (!asksForLines(question) || cueFit(question, '') !== undefined)) return []
    const front = all.slice(0, Math.min(FRONT, firstOf(all, name)))
    const opening = [section.lines[0], ...front]
      .map(line => line?.text)
      .concat(hit.title, hit.name)
      .join('\n')
    const points = unheld(content ?? bare, opening, terms)
    const lines =
      linesAbout(section, points, terms) ?? (content === undefined ? undefined : sectionAbout(section, points, terms))
    return lines ? [{ hit, lines, left: points.length }] : []
  })
  return answers.toSorted((a, b) => a.left - b.left)[0]
}

/** What stands under the heading that a question repeats, or under the one that it asks the content of. */
export async function headedAnswer(
  question: string,
  hits: readonly Hit[],
  { reader, terms }: Found,
  signal?: AbortSignal,
): Promise<AnswerLines | undefined> {
  const content = contentAsked(question, false)
  const points = content === undefined ? [] : unheld(content, '', terms)
  const isAsked = (heading: string) => {
    if (plain(heading) === plain(question)) return true
    const held = terms.of(heading)
    return points.length > 0 && points.every(point => isHeld(point, held))
  }
  const headed = hits.flatMap(hit => hit.headings.filter(isAsked).map(heading => ({ hit, heading })))
  const [found] = headed.toSorted((a, b) => a.heading.length - b.heading.length)
  if (!found) return undefined
  const lines = await linesOf(reader, found.hit.documentId, signal)
  const at = lines.findIndex(line => line.level !== undefined && line.text.trim() === found.heading.trim())
  return at < 0 ? undefined : { hit: found.hit, lines: sectionAt(lines, at).lines }
}

/** The whole document is called by the name, as `manual-4.0.3.pdf` is: nothing in it is meant. */
function isNamedSo({ name, title }: Hit, { kind, number }: NumberedName): boolean {
  const called = numberedNames(`${title}\n${name.replace(/[_-]/g, ' ')}`)
  return called.some(other => other.kind === kind && other.number === number)
}

/** Where the first line is that is numbered as the name is. */
function firstOf(lines: readonly Line[], { kind }: NumberedName): number {
  const first = lines.findIndex(({ text }) => numberedNames(text).some(other => other.kind === kind))
  return first < 0 ? lines.length : first
}

function firstHits(hits: readonly Hit[]): readonly Hit[] {
  return hits
    .filter((hit, at) => hits.findIndex(other => other.documentId === hit.documentId) === at)
    .slice(0, MAX_DOCUMENTS)
}

function asksForLines(question: string): boolean {
  return asksForList(question) || /^(?:what|which)\b|什么|哪/iu.test(question)
}

/** What stands under the sub-heading that has all points, or the lines that hold one of them; undefined where nothing does. */
function linesAbout({ lines }: Section, points: readonly Point[], terms: Terms): readonly Line[] | undefined {
  if (points.length === 0) return undefined
  const holding = lines
    .slice(1)
    .filter(line => points.filter(point => isHeld(point, terms.of(line.text))).length >= needed(points))
  const heading = holding.find(line => line.level !== undefined)
  if (heading) return sectionAt(lines, lines.indexOf(heading)).lines
  return holding.length > 0 ? holding : undefined
}

/** The section, if it has at least half of what is asked of it. */
function sectionAbout({ lines }: Section, points: readonly Point[], terms: Terms): readonly Line[] | undefined {
  const held = terms.of(lines.map(({ text }) => text).join('\n'))
  return points.filter(point => isHeld(point, held)).length * 2 >= points.length ? lines : undefined
}

/** One word, or two Han characters. */
function needed(points: readonly Point[]): number {
  return points.some(({ text }) => /\p{Script=Han}/u.test(text)) ? Math.min(2, points.length) : 1
}

/** What is asked for and is not said in a text already. */
function unheld(question: string, said: string, terms: Terms): readonly Point[] {
  const held = terms.of(said)
  return terms.pointsOf(withoutListNouns(question.replace(PART_NOUNS, ' '))).filter(point => !isHeld(point, held))
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^\s*(?:faq|q|问|问题|常见问题)\s*[:：]/u, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
