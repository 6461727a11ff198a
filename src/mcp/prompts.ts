import { completable, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { fenceFor } from '../agent/fence.ts'
import { replyLanguage } from '../agent/language.ts'
import type { Passim } from '../app.ts'
import type { Hit } from '../search/searcher.ts'
import { type Language, languageOf } from '../text/language.ts'
import { readableAfter, take } from './document-pages.ts'
import { readDocument } from './fetch.ts'
import { type AddToServer, type McpScope, passageUri, protocolFailure } from './offer.ts'
import { askText, compareText, restText, summariseText } from './prompt-texts.ts'

/** Passages that `ask` hands over, and the characters of all of them together. */
const PASSAGES = 12
const PASSAGE_CHARS = 24_000

/** Names that a completion has at most, by the protocol, and the documents whose names are looked through for them. */
const COMPLETIONS = 100
const LOOKED_THROUGH = 5_000

/** Characters of the documents of one prompt together. */
const DOCUMENT_CHARS = 100_000

/** The prompts `ask`, `summarise` and `compare`: the client's own model answers from what they hand over. */
export const addPrompts: AddToServer = (server, passim, scope) => {
  addAskPrompt(server, passim, scope)
  const document = (description: string) =>
    completable(z.string().min(1).describe(description), value => namesLike(value, passim, scope))
  const told = (text: () => Promise<string>) => message(scope, text)
  server.registerPrompt(
    'summarise',
    {
      title: 'Summarise a document',
      description: 'The text of a document, and what a good summary of it is.',
      argsSchema: z.object({
        document: document('Its name or id.'),
        about: z.string().optional().describe('What to summarise it for; all of it when left out.'),
      }),
    },
    ({ document, about = '' }) =>
      told(async () => {
        const read = await quoted(passim, scope, { id: document, maxChars: DOCUMENT_CHARS, about })
        return `${summariseText(read.language, about)}\n\n${read.text}`
      }),
  )
  server.registerPrompt(
    'compare',
    {
      title: 'Compare two documents',
      description: 'The texts of two documents, and how to compare them.',
      argsSchema: z.object({
        first: document('The name or id of one.'),
        second: document('The name or id of the other.'),
        about: z.string().optional().describe('In what respect; in all when left out.'),
      }),
    },
    ({ first, second, about = '' }) =>
      told(async () => {
        const part = { maxChars: DOCUMENT_CHARS / 2, about }
        const read = [
          await quoted(passim, scope, { ...part, id: first }),
          await quoted(passim, scope, { ...part, id: second }),
        ]
        const language = read.every(one => one.language === 'zh') ? 'zh' : 'en'
        return [compareText(about ? replyLanguage(about) : language, about), ...read.map(({ text }) => text)].join(
          '\n\n',
        )
      }),
  )
}

function addAskPrompt(server: McpServer, passim: Passim, scope: McpScope): void {
  const { collections } = scope
  const about = {
    title: 'Ask the documents',
    description: 'A question with the passages that bear on it, to be answered with citations.',
    argsSchema: z.object({ question: z.string().min(1).describe('In any language.') }),
  }
  server.registerPrompt('ask', about, ({ question }, { mcpReq: { signal } }) =>
    message(scope, async () => {
      const hits = await passim.search({ query: question, collections, limit: PASSAGES, perSection: 0, signal })
      return [askText(replyLanguage(question), question), ...withinChars(hits).map(passageText)].join('\n\n')
    }),
  )
}

/** One message of the user: text alone, which every client can hand on. */
async function message(scope: McpScope, work: () => Promise<string>) {
  try {
    const text = await work()
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
  } catch (error) {
    throw protocolFailure(error, scope)
  }
}

/** The best hits that fit; the first one in any case. */
function withinChars(hits: readonly Hit[]): readonly Hit[] {
  let chars = 0
  return hits.filter(({ text }, at) => {
    chars += text.length
    return at === 0 || chars <= PASSAGE_CHARS
  })
}

function passageText({ documentId, name, pages, text, ...span }: Hit, at: number): string {
  const place = pages ? `${name}, p. ${pages[0]}` : name
  return `[${at + 1}] ${passageUri(documentId, span)}\n${fenced(`${place}\n\n${text}`)}`
}

type Wanted = { readonly id: string; readonly maxChars: number; readonly about: string }

/** The beginning of a document in a fence that it cannot close, and the language to speak of it in. */
async function quoted(
  passim: Passim,
  scope: McpScope,
  { id, maxChars, about }: Wanted,
): Promise<{ readonly text: string; readonly language: Language }> {
  const read = await readDocument(passim, scope, { id, start: 0, maxChars })
  const { name, characters, next } = read.metadata
  const language = about ? replyLanguage(about) : languageOf(read.text)
  const rest = next === undefined ? [] : [restText(language, { id: read.id, next, characters })]
  return { text: [read.url, fenced(`${name}\n\n${read.text}`), ...rest].join('\n'), language }
}

function fenced(text: string): string {
  const fence = fenceFor(text)
  return `${fence}\n${text}\n${fence}`
}

/** Names that a client can complete what was typed to, of the first documents that there are. */
async function namesLike(value: string, passim: Passim, scope: McpScope): Promise<string[]> {
  const typed = value.toLowerCase()
  const names = new Set<string>()
  for (const { name } of (await take(readableAfter(passim, scope), LOOKED_THROUGH)).taken) {
    if (name.toLowerCase().includes(typed)) names.add(name)
    if (names.size === COMPLETIONS) break
  }
  return [...names]
}
