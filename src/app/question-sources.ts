import type { AgentEvent } from '../agent/event.ts'
import { announceReading } from '../agent/groundings/reading-notice.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import { DEFAULT_MAX_INPUT_TOKENS } from '../agent/models/recent-turns.ts'
import type { Settings } from '../config.ts'
import { AppError, restoreError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Collection } from '../ingest/store/catalog/collections.ts'
import type { Language } from '../text/language.ts'
import type { AskOptions } from './ask-options.ts'
import type { ChatModels } from './chat-models.ts'
import type { Scope } from './documents/scope.ts'
import type { ScratchFiles } from './documents/scratch-files.ts'
import { toEmptyMessage } from './indexing/index-documents.ts'
import { findPastedText, type PastedText } from './pasted-text.ts'

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
    }: { readonly isExtractive: boolean; readonly opened?: readonly Collection[] },
  ): AsyncGenerator<AgentEvent, OpenedSources> {
    const { question, plain = false, signal } = options
    const text = isExtractive ? undefined : await this.#findPastedText(options)
    const found = plain
      ? []
      : (opened ?? (yield* this.#findCollections(options, isExtractive, text !== undefined)))
    if (!text) return { collections: found, question, plain, warnings: [] }
    yield text.notice
    const pasted = await this.#deps.scratch.openBytes(text.file, signal)
    return {
      collections: [...found, pasted],
      pasted,
      question: text.excerpt,
      plain: false,
      warnings: [text.warning],
    }
  }

  async #findPastedText({
    question,
    config = {},
    model,
    signal,
  }: AskOptions): Promise<PastedText | undefined> {
    const { settings, models } = this.#deps
    const {
      maxInputTokens: maxTokens = settings.model?.maxInputTokens ?? DEFAULT_MAX_INPUT_TOKENS,
    } = config
    const name = typeof model === 'string' ? model : undefined
    const countTokens = async (text: string) =>
      await models.countTokens(text, { model: name, signal })
    const { contextTokens } = settings.answering
    return await findPastedText(question, { maxTokens, contextTokens, countTokens }, signal)
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

function toNotice(text: string): AgentEvent {
  return { type: 'notice', name: 'files', text }
}
