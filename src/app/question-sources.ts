import type { AgentEvent } from '../agent/event.ts'
import { announceReading } from '../agent/groundings/reading-notice.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import { DEFAULT_MAX_INPUT_TOKENS } from '../agent/models/recent-turns.ts'
import type { Settings } from '../config.ts'
import { localizable, withMessage } from '../errors/localizable.ts'
import { AppError, restoreError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Collection } from '../ingest/store/catalog/collections.ts'
import type { Language } from '../text/language.ts'
import type { AskOptions } from './ask-options.ts'
import type { ChatModels } from './chat-models.ts'
import type { Scope } from './documents/scope.ts'
import type { ScratchFiles } from './documents/scratch-files.ts'
import { toEmptyMessage } from './indexing/index-documents.ts'

type QuestionSourcesDeps = {
  readonly settings: Settings
  readonly scope: Scope
  readonly scratch: ScratchFiles
  readonly models: Pick<ChatModels, 'countTokens'>
}

export type OpenedSources = {
  readonly collections: readonly Collection[]
  /** Collection of a pasted text, among the others. */
  readonly pasted?: Collection
  readonly question: string
  readonly plain: boolean
  readonly warnings: readonly Warning[]
}

/** Maximum characters of a question; longer paragraphs are the text that it is about. */
const EXCERPT_CHARS = 1_000

export class QuestionSources {
  readonly #deps: QuestionSourcesDeps

  constructor(deps: QuestionSourcesDeps) {
    this.#deps = deps
  }

  /** `opened` takes the place of named collections. */
  async *open(
    options: AskOptions,
    {
      isExtractive,
      opened,
    }: { readonly isExtractive: boolean; readonly opened?: readonly Collection[] | undefined },
  ): AsyncGenerator<AgentEvent, OpenedSources> {
    const { question, plain = false, signal } = options
    const maxTokens = isExtractive ? undefined : await this.#findExceededLimit(options)
    const found = plain
      ? []
      : (opened ?? (yield* this.#findCollections(options, isExtractive, maxTokens !== undefined)))
    if (maxTokens === undefined) return { collections: found, question, plain, warnings: [] }
    const words = PASTED[detectReplyLanguage(question)]
    yield toNotice(words.notice)
    const bytes = Buffer.from(question)
    const file = { name: words.name, mediaType: 'text/plain', bytes }
    const pasted = await this.#deps.scratch.openBytes(file, signal)
    return {
      collections: [...found, pasted],
      pasted,
      question: selectQuestion(question, words.name),
      plain: false,
      warnings: [toPastedWarning(maxTokens)],
    }
  }

  async #findExceededLimit({
    question,
    config = {},
    model,
    signal,
  }: AskOptions): Promise<number | undefined> {
    const { settings, models } = this.#deps
    const {
      maxInputTokens: maxTokens = settings.model?.maxInputTokens ?? DEFAULT_MAX_INPUT_TOKENS,
    } = config
    const room = Math.max(0, maxTokens - settings.answering.contextTokens)
    if (maxTokens <= 0 || question.length <= 2 * EXCERPT_CHARS) return undefined
    if (room < EXCERPT_CHARS) return undefined // sources would leave no room for a question either
    if (Buffer.byteLength(question) <= room) return undefined // a token has a byte or more
    const name = typeof model === 'string' ? model : undefined
    const tokens = await models.countTokens(question, { model: name, signal })
    return tokens > room ? maxTokens : undefined
  }

  /**
   * Leaves out vectors for files of a single question: sentences found by keyword are compared
   * anyway.
   */
  async *#findCollections(
    { collections, files, fileIds, question, signal, onIndex }: AskOptions,
    withoutVectors: boolean,
    hasPasted: boolean,
  ): AsyncGenerator<AgentEvent, readonly Collection[]> {
    const { scope, scratch } = this.#deps
    if (fileIds?.length) {
      const uploaded = await scratch.addUploaded(fileIds, { withoutVectors })
      const names = uploaded.pending.map(({ name }) => name).join(', ')
      const words = READING[detectReplyLanguage(question)]
      if (names !== '') yield toNotice(words.begin(names))
      await scratch.indexUploaded(uploaded, signal)
      if (names !== '') yield toNotice(words.end(names))
      const named = collections?.length ? await scope.findCollections(collections) : []
      return [...named, uploaded.collection]
    }
    if (!files?.length) {
      const found = scope.findCollections(collections)
      return await (hasPasted && !collections?.length ? found.catch(ignoreNone) : found)
    }
    const read = scratch.open(files, { signal, onEvent: onIndex, withoutVectors })
    const language = detectReplyLanguage(question)
    const { collection, documents } = yield* announceReading(files, read, language)
    if (documents.length === 0) throw new AppError('empty', toEmptyMessage(files.join(', ')))
    const failed = documents.find(document => document.error && !document.parentId)
    if (failed?.error) throw restoreError(failed.error)
    return [collection]
  }
}

function ignoreNone(error: unknown): readonly Collection[] {
  if (error instanceof AppError && error.code === 'not_found') return []
  throw error
}

const READING = {
  en: {
    begin: (names: string) => `Reading ${names}.`,
    end: (names: string) => `Searching ${names}.`,
  },
  zh: {
    begin: (names: string) => `正在读取 ${names}。`,
    end: (names: string) => `正在检索 ${names}。`,
  },
} as const satisfies Readonly<Record<Language, object>>

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

function toNotice(text: string): AgentEvent {
  return { type: 'notice', name: 'files', text }
}

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
