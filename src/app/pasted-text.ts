import type { AgentEvent } from '../agent/event.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import { fitSources } from '../agent/models/recent-turns.ts'
import { localizable, withMessage } from '../errors/localizable.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { DataFile } from '../system/data-uri.ts'
import type { Language } from '../text/language.ts'

/** A text that does not fit the model beside its sources, as a file to search. */
export type PastedText = {
  readonly file: DataFile
  /** First and last words, which contain the question. */
  readonly excerpt: string
  readonly notice: AgentEvent
  readonly warning: Warning
}

export type PasteLimits = {
  /** Maximum of a request; 0 for no limit. */
  readonly maxTokens: number
  /** Maximum of the sources in a request. */
  readonly contextTokens: number
  readonly countTokens: (text: string, signal?: AbortSignal) => Promise<number>
}

/** Characters of a paragraph, so that a longer one is the text that the question is about. */
const EXCERPT_CHARS = 1_000

/** Returns undefined if the model reads all of the text. */
export async function findPastedText(
  text: string,
  { maxTokens, contextTokens, countTokens }: PasteLimits,
  signal?: AbortSignal,
): Promise<PastedText | undefined> {
  const room = Math.max(0, maxTokens - fitSources(contextTokens, maxTokens))
  if (maxTokens <= 0 || text.length <= 2 * EXCERPT_CHARS) return undefined
  if (Buffer.byteLength(text) <= room) return undefined // a token has a byte or more
  if ((await countTokens(text, signal)) <= room) return undefined
  const words = PASTED[detectReplyLanguage(text)]
  return {
    file: { name: words.name, mediaType: 'text/plain', bytes: Buffer.from(text) },
    excerpt: selectQuestion(text, words.name),
    notice: { type: 'notice', name: 'files', text: words.notice },
    warning: toPastedWarning(maxTokens),
  }
}

const PASTED = {
  en: {
    name: 'Pasted text.txt',
    notice: 'The message is longer than the model reads. It is indexed and searched like a file.',
  },
  zh: {
    name: '粘贴的文本.txt',
    notice: '消息超出模型可读的长度，已像文件一样编入索引并检索。',
  },
} as const satisfies Readonly<Record<Language, object>>

function toPastedWarning(maxTokens: number): Warning {
  return withMessage(
    { code: 'question_indexed' },
    localizable`The question does not fit the ${maxTokens} tokens of model.maxInputTokens beside its sources. It was indexed and searched like a file; the model read its first and last words and the passages found.`,
  )
}

function selectQuestion(text: string, name: string): string {
  const paragraphs = text.trim().split(/\n\s*\n/u)
  const ends = [paragraphs.at(0) ?? '', paragraphs.at(-1) ?? '']
  const [head = '', tail = ''] = ends.map(end => (end.length <= EXCERPT_CHARS ? end : ''))
  const isQuestion = head !== '' || tail !== ''
  const [first, last] = isQuestion
    ? [head, tail]
    : [text.slice(0, EXCERPT_CHARS), text.slice(-EXCERPT_CHARS)]
  const excerpt = [first, `[… ${name} …]`, last].filter(Boolean).join('\n\n')
  return Buffer.from(excerpt).toString() // a slice would keep the text in memory; cut surrogates become U+FFFD
}
