import type { Answer } from '../agent/answer.ts'

/** The text without what would steer a terminal: documents and models may hold escape sequences. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

export function printableAnswer(answer: Answer): Answer {
  return {
    ...answer,
    answer: printable(answer.answer),
    citations: answer.citations.map(one => ({
      ...one,
      ...{ doc: printable(one.doc), source: printable(one.source), text: printable(one.text) },
      headings: one.headings.map(printable),
    })),
    ...(answer.unsupported && { unsupported: answer.unsupported.map(printable) }),
  }
}
