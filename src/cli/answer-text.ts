import type { AgentEvent, Answer, Citation } from '../agent/answer.ts'
import { AppError } from '../errors.ts'

const WIDTH = 80

/** An answer with its sources, for people. */
export function answerText(answer: Answer): string {
  return `${answer.answer}\n${sourcesText(answer)}`
}

/** Write an answer while it is made, then its sources. Throws the failure when there is none. */
export async function streamAnswer(events: AsyncIterable<AgentEvent>, write: (text: string) => void): Promise<void> {
  let isStreamed = false
  for await (const event of events) {
    if (event.type === 'error') throw new AppError(event.failure.code, event.failure.message)
    if (event.type === 'text-delta') write(event.text)
    isStreamed ||= event.type === 'text-delta'
    if (event.type === 'answer') write(isStreamed ? `\n${sourcesText(event.answer)}` : answerText(event.answer))
  }
}

function sourcesText({ abstained, citations }: Answer): string {
  if (citations.length === 0) return ''
  const title = abstained ? 'Nearest passages' : 'Sources'
  return `\n${title}\n${citations.map(citation).join('\n')}\n`
}

function citation({ marker, doc, page, text, verified }: Citation): string {
  const place = page === undefined ? '' : `, p. ${page}`
  const doubt = verified ? '' : ' (not found in the document)'
  return `[${marker}] ${doc}${place}${doubt}\n${wrap(`“${text.replace(/\s+/g, ' ')}”`, '    ')}`
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
