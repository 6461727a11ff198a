import { stripVTControlCharacters } from 'node:util'
import type { AgentResult } from '../agent/event.ts'

/** C0 and C1 except tab and line feed. */
const CONTROLS = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f'
/** Bidirectional controls: with U+202E a name reads as another. */
const BIDI = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const STEERING = new RegExp(`[${CONTROLS}${BIDI}]`, 'g')

/** Removes characters that steer a terminal or reorder text. */
export function toPrintable(text: string): string {
  return stripVTControlCharacters(text).replace(STEERING, '')
}

/** Escapes such characters in one line of JSON, which reads back the same. */
export function toPrintableJson(value: unknown): string {
  return JSON.stringify(value).replace(STEERING, character => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export function toPrintableAnswer(answer: AgentResult): AgentResult {
  return {
    ...answer,
    text: toPrintable(answer.text),
    citations: answer.citations.map(citation => ({
      ...citation,
      doc: toPrintable(citation.doc),
      source: toPrintable(citation.source),
      text: toPrintable(citation.text),
      headings: citation.headings.map(toPrintable),
    })),
    unsupported: answer.unsupported.map(toPrintable),
    ...(answer.unconfirmed && { unconfirmed: answer.unconfirmed.map(toPrintable) }),
  }
}
