import { stripVTControlCharacters } from 'node:util'
import type { AgentResult } from '../agent/event.ts'

/** C0 and C1 without tab and line feed. */
const CONTROLS = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f'
/** Marks, embeddings, overrides and isolates of bidirectional text: with U+202E a name reads as another one. */
const BIDI = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const STEERING = new RegExp(`[${CONTROLS}${BIDI}]`, 'g')

/** The text without what would steer a terminal or turn the order of letters: documents, file names and models may hold it. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(STEERING, '')
}

/** One JSON value in a line. What would steer a terminal is escaped in it, so that it reads back the same. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(STEERING, character => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** For who puts colours of our own around the parts of an answer. */
export function printableAnswer(answer: AgentResult): AgentResult {
  return {
    ...answer,
    text: printable(answer.text),
    citations: answer.citations.map(one => ({
      ...one,
      doc: printable(one.doc),
      source: printable(one.source),
      text: printable(one.text),
      headings: one.headings.map(printable),
    })),
    unsupported: answer.unsupported.map(printable),
    ...(answer.unconfirmed && { unconfirmed: answer.unconfirmed.map(printable) }),
  }
}
