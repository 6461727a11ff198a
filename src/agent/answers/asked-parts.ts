import type { DocumentReader } from '../../ingest/catalog/document.ts'
import { mergeHits } from '../../search/passages/context.ts'
import type { Hit } from '../../search/searcher.ts'
import { optionsIn } from '../language/options.ts'
import type { Terms } from '../language/terms.ts'
import type { Unit } from '../language/units.ts'
import type { Evidence } from './evidence.ts'
import { type AnswerLines, headedAnswer, type NamedPart, namedParts, partAnswer } from './sections/asked-sections.ts'
import { type NumberedName, numberedNames } from './sections/numbered-name.ts'
import { type OptionPart, optionAnswer, optionParts } from './sections/option-sections.ts'
import type { Line } from './sections/outline.ts'
import type { QuotedParts } from './selection.ts'
import { askedRows } from './tables/asked-rows.ts'

/** The parts of documents, rows and sections, that a question is held to. */
export type AskedParts = {
  /** Whether a unit may answer. */
  readonly allows: (unit: Unit) => boolean
  /** The hits, and in front of them the sections that are named. */
  readonly hits: readonly Hit[]
  /** Where rows or sections are asked for, those; undefined where other words may answer. */
  readonly answer: (ranking: readonly Evidence[]) => QuotedParts | undefined
}

/** So many characters of a section are quoted, or looked at. */
const MAX_QUOTED = 1_500
const MAX_READ = 6_000
/** So many of what is said of an option. */
const MAX_DEFINITION = 700

export async function askedParts(
  question: string,
  hits: readonly Hit[],
  sources: { readonly reader: DocumentReader; readonly terms: Terms },
  signal?: AbortSignal,
): Promise<AskedParts> {
  const rows = await askedRows(question, hits, sources, signal)
  const parts = await namedParts(question, hits, sources, signal)
  const lines = partAnswer(question, parts, sources) ?? (await headedAnswer(question, hits, sources, signal))
  const options = await optionParts(question, hits, sources, signal)
  const option = optionAnswer(question, options, sources.terms)
  const asked = lines ?? (option && { hit: option.hit, lines: option.section.lines })
  const section = asked && (await quoted(asked, sources.reader, lines ? MAX_QUOTED : MAX_DEFINITION))
  return {
    allows: unit => rows.allows(unit) && isInPart(unit, parts) && isOfOption(unit, options),
    hits: [...(await partHits([...parts, ...options], sources.reader)), ...hits],
    answer: ranking => rows.answer(ranking) ?? section,
  }
}

/** Of a document with several parts of the kind that is named, only the one that is meant, and what speaks of it. */
function isInPart({ passage, span, text }: Unit, parts: readonly NamedPart[]): boolean {
  const own = parts.filter(({ hit }) => hit.documentId === passage.documentId)
  if (own.length === 0) return true
  const start = passage.charStart + span.start
  return own.some(({ section, name }) => {
    const [first, last] = [section?.lines[0], section?.lines.at(-1)]
    if (first && last && first.charStart <= start && start < last.charEnd) return true
    return numberedNames(text).some(other => isSameName(other, name))
  })
}

/** Where documents define the option that is named, a unit of that, or one that names it: `-c` is another option than `-C`. */
function isOfOption({ passage, span, text }: Unit, parts: readonly OptionPart[]): boolean {
  if (parts.length === 0) return true
  const start = passage.charStart + span.start
  const isIn = ({ hit, section }: OptionPart) =>
    hit.documentId === passage.documentId &&
    section.lines[0]!.charStart <= start && // a section has lines
    start < section.lines.at(-1)!.charEnd
  return parts.some(isIn) || optionsIn(text).some(option => parts[0]?.options.includes(option))
}

/** Version 2.9 is 2.9.0, too, and whatever else begins so. */
function isSameName(told: NumberedName, asked: NumberedName): boolean {
  if (told.kind !== asked.kind) return false
  return told.number === asked.number || (asked.kind === 'version' && told.number.startsWith(`${asked.number}.`))
}

async function partHits(
  parts: readonly Pick<NamedPart, 'hit' | 'section'>[],
  reader: DocumentReader,
): Promise<readonly Hit[]> {
  const named = parts.flatMap(({ hit, section }) => (section ? [{ hit, lines: section.lines }] : []))
  return Promise.all(named.map(async ({ hit, lines }) => hitOf(hit, upTo(lines, MAX_READ), reader)))
}

/** Lines as a hit: those of a section follow one another. */
async function hitOf(hit: Hit, lines: readonly Line[], reader: DocumentReader): Promise<Hit> {
  const [first, last] = [lines[0]!, lines.at(-1)!] // a section has lines
  const indent = first.text.length - first.text.trimStart().length
  const [charStart, charEnd] = [first.charStart + indent, last.charEnd]
  const text = await reader.read(hit.documentId, charStart, charEnd)
  return { ...hit, chunkId: `${hit.chunkId}:${charStart}`, charStart, charEnd, text, context: hit.title, headings: [] }
}

/** Runs of lines that follow one another are one quotation each. */
async function quoted({ hit, lines }: AnswerLines, reader: DocumentReader, characters: number): Promise<QuotedParts> {
  const shown = upTo(lines, characters)
  const runs: Line[][] = []
  for (const line of shown) {
    const run = runs.at(-1)
    if (run && line.charStart - run.at(-1)!.charEnd <= 2) run.push(line)
    else runs.push([line])
  }
  const excerpts = await Promise.all(runs.map(run => hitOf(hit, run, reader)))
  const quotes = excerpts.flatMap(excerpt =>
    mergeHits([excerpt]).map(passage => ({ passage, span: { start: 0, end: passage.text.length } })),
  )
  return { quotes, more: lines.length - shown.length }
}

/** As many lines as are short enough together, one at least. */
function upTo(lines: readonly Line[], characters: number): readonly Line[] {
  const end = lines.findIndex((line, at) => at > 0 && line.charEnd - lines[0]!.charStart > characters) // called with lines
  return end < 0 ? lines : lines.slice(0, end)
}
