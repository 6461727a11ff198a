import { z } from 'zod'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Hit } from '../../search/searcher.ts'
import { segmentText } from '../../text/segments.ts'
import type { Search } from '../grounding.ts'
import { listMessageFiles, type Message, textContent } from '../message.ts'
import { parseArguments } from '../messages/function-call.ts'
import { collectResponse } from '../messages/model-response.ts'
import type { ChatModel } from '../model.ts'
import { addUsage, type Usage } from '../model.ts'
import { writeSearchWords } from './follow-up.ts'
import { removeOverlaps } from './fresh-chunks.ts'
import {
  type DocumentChunk,
  type FileFailure,
  type KnowledgeBase,
  type Snippet,
  toSnippets,
} from './knowledge-base.ts'
import { type RetrievalLimits, retrieve } from './retrieve.ts'

export type MemoryOptions = RetrievalLimits & {
  readonly knowledge: KnowledgeBase
  readonly own?: KnowledgeBase
  readonly files?: readonly string[]
  readonly hasAll?: boolean
  /** Light model for keywords; optional. */
  readonly model?: ChatModel | undefined
  readonly strategy?: KeywordStrategy
  /** Receives failures, after which the question is searched as it is. */
  readonly onModelError?: ((error: unknown) => void) | undefined
}

type Recall = {
  readonly snippets: readonly Snippet[]
  readonly failures: readonly FileFailure[]
  readonly usage?: Usage
  readonly hasNoHits?: boolean
  readonly search?: Search & { readonly keywords?: readonly string[] }
}

/** Bounds of the vocabulary, so that collecting stays cheap. */
const MAX_CHUNKS = 2_000
const MAX_WORDS = 200
const splitSchema = z.object({ information: z.array(z.string()) })
const keywordSchema = z.object({
  keywords_zh: z.array(z.string()).default([]),
  keywords_en: z.array(z.string()).default([]),
})
const SPLIT = `Take the request apart: what it is about, and what is to be done with it. Answer with JSON only:
{"information": ["what to look for"], "instruction": ["what to do with it"]}
Example: "Please answer in French: what is the notice period?" -> {"information": ["what is the notice period"], "instruction": ["answer in French"]}`
const KEYWORDS = `Name the keywords to search documents with for this question, in Chinese and in English. Answer with JSON only:
{"keywords_zh": ["关键词"], "keywords_en": ["keyword"]}
Example: "这篇文章的作者是谁？" -> {"keywords_zh": ["作者"], "keywords_en": ["author"]}
Example: "How does the pump work?" -> {"keywords_zh": ["水泵", "工作原理"], "keywords_en": ["pump", "work"]}`

export class Memory {
  readonly #options: MemoryOptions

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /** Returns relevant passages; everything, without a model, if it fits. */
  async recall(messages: readonly Message[], signal?: AbortSignal): Promise<Recall> {
    const { documents, failures } = await this.#resolveDocuments(messages, signal)
    if (documents.length === 0) return { snippets: [], failures }
    const { maxTokens = 20_000 } = this.#options
    if (documents.reduce((sum, document) => sum + document.tokens, 0) <= maxTokens) {
      return { snippets: await this.#readEverything(documents, signal), failures }
    }
    return { ...(await this.#search(messages, documents, signal)), failures }
  }

  async #resolveDocuments(messages: readonly Message[], signal?: AbortSignal) {
    const { knowledge, own = knowledge, files = [], hasAll = false } = this.#options
    const found = [
      hasAll ? await own.resolve(undefined, signal) : { documents: [], failures: [] },
      await own.resolve(files, signal),
      await knowledge.resolve(listMessageFiles(messages), signal),
    ]
    const documents = new Map(
      found.flatMap(resolved => resolved.documents).map(document => [document.id, document]),
    )
    return {
      documents: [...documents.values()],
      failures: found.flatMap(resolved => resolved.failures),
    }
  }

  async #search(
    messages: readonly Message[],
    documents: readonly Document[],
    signal?: AbortSignal,
  ) {
    const { knowledge, model, strategy = 'GenKeyword', onModelError: onError } = this.#options
    const index = messages.findLastIndex(message => message.role === 'user')
    const question = index < 0 ? '' : textContent(messages[index]!)
    if (question.trim() === '') return { snippets: [] }
    const help = { model, onError, signal }
    const alone = await writeSearchWords({ question, history: messages.slice(0, index) }, help)
    const vocabulary = () => collectVocabulary(knowledge, documents, signal)
    const expanded = model
      ? await expandQuestion(alone.text, { ...help, strategy, model, vocabulary })
      : undefined
    const queries = expanded ?? alone
    const keywords = expanded?.keywords
    const { beside } = alone
    const hits = await retrieve(queries.text, { ...this.#options, documents, beside, signal })
    const usage =
      queries.usage && queries !== alone ? addUsage(alone.usage, queries.usage) : alone.usage
    return {
      snippets: await toSnippets(hits, knowledge),
      hasNoHits: hits.length === 0,
      search: { query: queries.text, hits, ...(keywords && { keywords }) },
      ...(usage && { usage }),
    }
  }

  async #readEverything(
    documents: readonly Document[],
    signal?: AbortSignal,
  ): Promise<readonly Snippet[]> {
    const hits: Hit[] = []
    for (const document of documents) {
      const chunks = this.#options.knowledge.readChunks(document, signal)
      for await (const { hasGap: _, ...chunk } of removeOverlaps(chunks))
        hits.push(toHit(document, chunk))
    }
    return await toSnippets(hits, this.#options.knowledge)
  }
}

function toHit(document: Document, chunk: DocumentChunk): Hit {
  const { id: documentId, fileId, collectionId, source, name, title, attributes } = document
  const { pages, ...rest } = chunk
  const origin = { documentId, fileId, collectionId, source, name, title, attributes }
  return { score: 1, weak: false, ...origin, ...rest, ...(pages && { pages }) }
}

/** Returns distinctive words (TF-IDF over chunks; Spärck Jones 1972). */
async function collectVocabulary(
  knowledge: KnowledgeBase,
  documents: readonly Document[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const counts = new Map<string, { uses: number; chunks: number }>()
  let chunks = 0
  for (const document of documents) {
    for await (const { text } of knowledge.readChunks(document, signal)) {
      if (++chunks > MAX_CHUNKS) break
      countWords(splitWords(text), counts)
    }
  }
  const computeWeight = ({ uses, chunks: holders }: { uses: number; chunks: number }) =>
    uses * Math.log(1 + chunks / holders)
  const ranked = [...counts].toSorted(([, a], [, b]) => computeWeight(b) - computeWeight(a))
  return ranked.slice(0, MAX_WORDS).map(([word]) => word)
}

function splitWords(text: string): readonly string[] {
  const segments = segmentText(text.toLowerCase())
  return segments
    .filter(part => part.isWordLike && [...part.segment].length > 1)
    .map(part => part.segment)
}

function countWords(
  words: readonly string[],
  counts: Map<string, { uses: number; chunks: number }>,
): void {
  for (const word of words) {
    const previous = counts.get(word) ?? { uses: 0, chunks: 0 }
    counts.set(word, { ...previous, uses: previous.uses + 1 })
  }
  for (const word of new Set(words)) counts.get(word)!.chunks++
}

const KEYWORD_STRATEGIES = [
  'None',
  'GenKeyword',
  'SplitQueryThenGenKeyword',
  'GenKeywordWithKnowledge',
  'SplitQueryThenGenKeywordWithKnowledge',
] as const
type KeywordStrategy = (typeof KEYWORD_STRATEGIES)[number]

type KeywordOptions = {
  readonly strategy: KeywordStrategy
  readonly model: ChatModel
  readonly vocabulary: () => Promise<readonly string[]>
  readonly onError?: ((error: unknown) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

type Expanded = {
  readonly text: string
  readonly keywords?: readonly string[]
  readonly usage?: Usage
}

/** Unreadable output and failures change nothing. */
async function expandQuestion(question: string, options: KeywordOptions): Promise<Expanded> {
  const { strategy, vocabulary } = options
  if (strategy === 'None') return { text: question }
  let usage: Usage | undefined
  const ask = async (prompt: string, about: string) => {
    const answer = await askJson(prompt, about, options)
    if (answer.usage) usage = addUsage(usage, answer.usage)
    return answer.json
  }
  const core = strategy.startsWith('SplitQuery')
    ? extractInformation(await ask(SPLIT, question), question)
    : question
  const vocabularyWords = strategy.endsWith('WithKnowledge') ? await vocabulary() : []
  const hint =
    vocabularyWords.length > 0
      ? `\nPrefer words that the documents use: ${vocabularyWords.join(', ')}`
      : ''
  const keywords = keywordSchema.safeParse(await ask(KEYWORDS + hint, core))
  const { keywords_zh = [], keywords_en = [] } = keywords.data ?? {}
  const words = [...new Set([...keywords_zh, ...keywords_en])]
  return {
    text: [keywords.success ? core : question, ...words].join(' ').trim() || question,
    ...(words.length > 0 && { keywords: words }),
    ...(usage && { usage }),
  }
}

function extractInformation(json: unknown, question: string): string {
  const parsed = splitSchema.safeParse(json)
  const information = parsed.success ? parsed.data.information.join('\n').trim() : ''
  return information !== '' && information.length <= question.length ? information : question
}

async function askJson(prompt: string, about: string, { model, onError, signal }: KeywordOptions) {
  const messages: Message[] = [
    { role: 'system', content: prompt },
    { role: 'user', content: about },
  ]
  const request = { messages, tools: [], toolChoice: 'none', config: { temperature: 0 } } as const
  try {
    const { messages: answered, usage } = await collectResponse(model, request, signal)
    return { json: parseJson(answered.map(textContent).join('')), ...(usage && { usage }) }
  } catch (error) {
    signal?.throwIfAborted()
    onError?.(error)
    return { json: undefined }
  }
}

function parseJson(text: string): unknown {
  try {
    return parseArguments(text)
  } catch {
    return undefined // the question is searched as it is
  }
}
