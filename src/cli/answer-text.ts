import { type AgentEvent, type Answer, type Citation, throwFailures } from '../agent/answer.ts'
import { AppError } from '../errors.ts'
import { printable, printableAnswer } from './printable.ts'
import { sourceNames } from './source-names.ts'

const WIDTH = 80

/** How parts of an answer are told apart: by colour on a terminal, else not at all. */
export type Style = { readonly strong: (text: string) => string; readonly faint: (text: string) => string }

export const PLAIN: Style = { strong: text => text, faint: text => text }
export const COLOURED: Style = {
  strong: text => `\u001b[1m${text}\u001b[22m`,
  faint: text => `\u001b[2m${text}\u001b[22m`,
}

/** An answer with its sources, for people. */
export function answerText(answer: Answer, style: Style = PLAIN): string {
  return `${wrapLines(answer.answer)}\n${sourcesText(answer, style)}`
}

/** Write an answer on a terminal while it is made, then its sources. Throws the failure when there is none. */
export async function streamAnswer(
  events: AsyncIterable<AgentEvent>,
  write: (text: string) => void,
  style: Style = PLAIN,
): Promise<Answer> {
  let streamed = ''
  for await (const event of throwFailures(events)) {
    if (event.type === 'text-delta') {
      write(printable(event.text))
      streamed += event.text
    }
    if (event.type !== 'answer') continue
    const isChanged = streamed.trim() !== event.answer.answer.trim()
    if (isChanged && streamed !== '') write(style.faint('\n\nChecked against the sources:\n'))
    const shown = printableAnswer(event.answer)
    write(isChanged ? answerText(shown, style) : `\n${sourcesText(shown, style)}`)
    return event.answer
  }
  throw new AppError('internal', 'The agent ended without an answer.')
}

function sourcesText({ abstained, citations, unsupported = [] }: Answer, style: Style): string {
  const title = abstained ? 'Nearest passages' : 'Sources'
  const nameOf = sourceNames(citations.map(({ doc, source }) => ({ name: doc, source })))
  const sources = citations.map(one => citation(one, nameOf({ name: one.doc, source: one.source }), style))
  const open = unsupported.map(sentence => wrap(sentence, '    '))
  return [
    sources.length > 0 ? `\n${style.strong(title)}\n${sources.join('\n')}\n` : '',
    open.length > 0 ? `\n${style.strong('Not found in the documents')}\n${open.join('\n')}\n` : '',
  ].join('')
}

function citation({ marker, page, text, verified }: Citation, name: string, style: Style): string {
  const place = page === undefined ? '' : `, p. ${page}`
  const doubt = verified ? '' : ' (not found in the document)'
  const words = wrap(`“${text.replace(/\s+/g, ' ')}”`, '    ')
  return `${style.strong(`[${marker}]`)} ${name}${place}${doubt}\n${style.faint(words)}`
}

function wrapLines(text: string): string {
  return text
    .split('\n')
    .map(line => wrap(line, ''))
    .join('\n')
}

/** Lines of at most 80 columns; Han characters take two. */
function wrap(text: string, indent: string): string {
  const lines: string[] = []
  let line = ''
  let width = indent.length
  for (const piece of text.match(/[^\s\p{Script=Han}]+|\p{Script=Han}[，。；：、！？”」）]*|\s+/gu) ?? []) {
    const pieceWidth = [...piece].reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0)
    if (width + pieceWidth > WIDTH && line.trim() !== '') {
      lines.push(indent + line.trim())
      line = ''
      width = indent.length
    }
    line += piece
    width += pieceWidth
  }
  return [...lines, indent + line.trim()].join('\n')
}

function isWide(character: string): boolean {
  return /[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u.test(character)
}
