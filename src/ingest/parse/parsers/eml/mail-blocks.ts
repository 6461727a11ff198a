import type { Block } from '../../../block.ts'
import type { SkippedText } from '../../skipped-text.ts'
import { readHtmlBlocks } from '../html/blocks.ts'
import { parseDom } from '../html/dom.ts'
import { splitPortions } from '../text/text.ts'

const ADDRESS = /\bhttps?:\S+/g
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu

type MailContents = {
  readonly subject?: string
  /** Lines of sender, recipients and date, by `formatMailHead`. */
  readonly head: string
  /** Lines of an appointment, a contact or a task. */
  readonly facts?: string
  /** The message, if it is neither HTML nor plain text. */
  readonly message?: readonly Block[]
  readonly html?: string
  readonly text?: string
  readonly attachments: readonly string[]
}

export async function* readMailBlocks(
  mail: MailContents,
  skipped: SkippedText,
): AsyncGenerator<Block> {
  const subject = mail.subject?.replace(/\s+/g, ' ').trim()
  if (subject) yield { kind: 'heading', level: 1, text: subject }
  const { facts, message = [], html, text, attachments } = mail
  const hasBody = [facts, html, text].some(part => part?.trim())
  if (mail.head && (subject || hasBody || message.length + attachments.length > 0))
    yield { kind: 'paragraph', text: mail.head }
  if (facts) yield { kind: 'paragraph', text: facts }
  const words = new Set<string>()
  for (const block of html?.trim() ? readHtmlBlocks(await parseDom(html), skipped) : message) {
    for (const word of listWords(block.text)) words.add(word)
    yield block
  }
  if (text && isMostlyMissing(text, words)) yield* splitParagraphs(separateQuotations(text))
  for (const name of attachments) yield { kind: 'list', text: name }
}

/** Two forms of one message share most words. */
function isMostlyMissing(text: string, words: ReadonlySet<string>): boolean {
  const own = new Set(listWords(text))
  const missing = [...own].filter(word => !words.has(word)).length
  return missing * 2 > own.size || words.size === 0
}

function listWords(text: string): readonly string[] {
  return text.replace(ADDRESS, ' ').toLowerCase().match(WORD) ?? []
}

export function formatMailHead(fields: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
    .join('\n')
}

function separateQuotations(text: string): string {
  return text
    .replace(/^(>.*)\r?\n(?=[^>\s])/gm, '$1\n\n')
    .replace(/^([^>\s].*)\r?\n(?=>)/gm, '$1\n\n')
}

function* splitParagraphs(text: string): Iterable<Block> {
  for (const paragraph of text.replace(/\r\n?/g, '\n').split(/\n[^\S\n]*\n\s*/)) {
    for (const portion of splitPortions(paragraph)) yield { kind: 'paragraph', text: portion }
  }
}
