import type { AgentEvent, AgentResult } from '../agent/event.ts'
import type { ToolCitation } from '../answer/citations/citation.ts'
import { unwrap } from '../answer/unwrap.ts'
import {
  answerLabels,
  cutLabel,
  placeLabel,
  selectContradicted,
} from '../app/answer-page/answer-labels.ts'
import { AppError } from '../errors.ts'
import { Analyzer } from '../text/analyzer.ts'
import { measureWidth } from '../text/line-width.ts'
import { findExcerpt } from './excerpt.ts'
import { LineWrapper, wrapText } from './help/line-wrapper.ts'
import { toPrintable, toPrintableAnswer } from './printable.ts'
import { createSourceNames } from './source-names.ts'

/** Columns of a line outside of a terminal, the standard width of terminals. */
const STANDARD_COLUMNS = 80

/** Maximum columns of a line, because longer lines are hard to read. */
const MAX_COLUMNS = 120

/** Styles of a terminal; none elsewhere. */
type Style = {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly columns: number
}

const PLAIN: Style = {
  strong: text => text,
  faint: text => text,
  columns: STANDARD_COLUMNS,
}
export const COLOURED: Style = {
  strong: text => `\u001b[1m${text}\u001b[22m`,
  faint: text => `\u001b[2m${text}\u001b[22m`,
  columns: STANDARD_COLUMNS,
}

export function createTerminalStyle(columns: number, mayColour: boolean): Style {
  const style = mayColour ? COLOURED : PLAIN
  return { ...style, columns: columns > 0 ? Math.min(MAX_COLUMNS, columns) : STANDARD_COLUMNS }
}

const INDENT = '    '

export function formatAnswer(answer: AgentResult, style: Style = PLAIN): string {
  return `${wrapText(answer.text, style.columns)}\n${formatSources(answer, style)}`
}

/** Throws the failure of the answer. */
export async function streamAnswer(
  events: AsyncIterable<AgentEvent>,
  write: (text: string) => void,
  style: Style = PLAIN,
): Promise<AgentResult> {
  let streamed = ''
  const wrapper = new LineWrapper(style.columns)
  for await (const event of events) {
    if (event.type === 'text-delta') {
      write(wrapper.push(toPrintable(event.text)))
      streamed += event.text
    }
    if (event.type !== 'finish') continue
    write(wrapper.end())
    const isChanged = streamed.trim() !== event.result.text.trim()
    if (isChanged && streamed !== '')
      write(style.faint(`\n\n${answerLabels(event.result).checked}\n`))
    const printable = toPrintableAnswer(event.result)
    write(isChanged ? formatAnswer(printable, style) : `\n${formatSources(printable, style)}`)
    return event.result
  }
  throw new AppError('internal', 'The agent ended without an answer.')
}

export function formatSources(answer: AgentResult, style: Style = PLAIN): string {
  const { abstained, citations, toolCitations = [], unconfirmed = [] } = answer
  const labels = answerLabels(answer)
  const nameOf = createSourceNames(citations.map(({ doc, source }) => ({ name: doc, source })))
  const analyzer = new Analyzer()
  const quotes = new Map<string, string[]>()
  for (const citation of citations) {
    const text = abstained ? findExcerpt(citation.text, answer.question, analyzer) : citation.text
    const name = nameOf({ name: citation.doc, source: citation.source })
    const place = [name, placeLabel(citation, answer)].filter(Boolean).join(', ')
    const head = formatHead(citation.marker, place, style)
    quotes.set(head, [...(quotes.get(head) ?? []), formatQuote(text, style)])
  }
  const sources = [...quotes].map(([head, words]) => [head, ...words].join('\n'))
  sources.push(...toolCitations.map(citation => formatToolCitation(citation, style)))
  const formatSentences = (heading: string, listed: readonly string[]) =>
    listed.length > 0
      ? `\n${style.strong(heading)}\n${listed.map(sentence => wrapText(sentence, style.columns, INDENT)).join('\n')}\n`
      : ''
  const cut = cutLabel(answer)
  return [
    cut ? `\n${wrapText(cut, style.columns)}\n` : '',
    sources.length > 0
      ? `\n${style.strong(abstained ? labels.nearest : labels.sources)}\n${sources.join('\n')}\n`
      : '',
    formatSentences(labels.contradicted, selectContradicted(answer)),
    formatSentences(labels.unconfirmed, unconfirmed),
  ].join('')
}

function formatToolCitation(
  { marker, tool, arguments: args, text }: ToolCitation,
  style: Style,
): string {
  const head = formatHead(marker, toPrintable(`${tool} ${args}`), style)
  return `${head}\n${formatQuote(toPrintable(text), style)}`
}

function formatHead(marker: number, place: string, style: Style): string {
  return placeLines(`[${marker}] ${place}`, style).replace(/^\[\d+\]/, style.strong)
}

function formatQuote(text: string, style: Style): string {
  return style.faint(wrapText(quoteWords(unwrap(text)), style.columns, INDENT))
}

function placeLines(place: string, style: Style): string {
  const lines: string[] = []
  for (const part of place.split(/(?<= › |, )/u)) {
    const line = (lines.at(-1) ?? '') + part
    const isRoom = measureWidth(INDENT + line.trimEnd()) <= style.columns
    if (isRoom && lines.length > 0) lines[lines.length - 1] = line
    else lines.push(part)
  }
  return wrapText(lines.map(line => line.trimEnd()).join('\n'), style.columns, INDENT).trimStart()
}

export function quoteWords(text: string): string {
  return /^(?:“[^“”]*”|「[^「」]*」|"[^"]*")$/u.test(text) ? text : `“${text}”`
}
