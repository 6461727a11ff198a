import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type {
  ConversationJson,
  ConversationPageJson,
  TurnJson,
} from '../../src/wire/conversation.ts'
import type { DocumentJson, DocumentPageJson } from '../../src/wire/document.ts'
import type { VectorStorePageJson } from '../../src/wire/vector-store.ts'

export const MANY = { documents: 10_000, turns: 500 }

const BUILT = fileURLToPath(new URL('../../dist/web', import.meta.url))
const ORIGIN = 'http://many.test'
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}
const TIME = '2026-11-30T12:00:00.000Z'

/** Answers the page with as many documents and turns, without a service. */
export async function openMany(page: Page, hash: string): Promise<void> {
  await page.route(`${ORIGIN}/**`, async route => {
    const url = new URL(route.request().url())
    const [, folder, name = ''] = /^\/(?:(assets)\/)?([^/]*)$/.exec(url.pathname) ?? []
    if (folder || url.pathname === '/') {
      const body = await readFile(`${BUILT}/${name || 'index.html'}`)
      const contentType = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/html'
      return await route.fulfill({ body, contentType })
    }
    const json = answer(url)
    await (json ? route.fulfill({ json }) : route.fulfill({ status: 404, json: {} }))
  })
  await page.goto(`${ORIGIN}/${hash}`)
}

function answer({ pathname, searchParams }: URL): object | undefined {
  const limit = Number(searchParams.get('limit') ?? 20)
  if (pathname === '/v1/vector_stores') return listStores()
  if (pathname === '/api/documents') return listDocuments(searchParams.get('after') ?? '', limit)
  if (pathname === '/api/conversations') return listConversations()
  if (pathname === '/api/conversations/many')
    return listTurns(Number(searchParams.get('before') ?? MANY.turns + 1), limit)
  return undefined
}

function listStores(): VectorStorePageJson {
  const counts = { completed: MANY.documents, in_progress: 0, failed: 0, cancelled: 0 }
  const store: VectorStorePageJson['data'][number] = {
    ...{ id: 'vs_1', created_at: 0, name: 'default', usage_bytes: 0 },
    ...{ object: 'vector_store', status: 'completed', last_active_at: 0, metadata: {} },
    file_counts: { ...counts, total: MANY.documents },
  }
  return { object: 'list', data: [store], first_id: 'vs_1', last_id: 'vs_1', has_more: false }
}

function listDocuments(after: string, limit: number): DocumentPageJson {
  const first = after === '' ? 1 : Number(after) + 1
  const last = Math.min(MANY.documents, first + limit - 1)
  const documents = Array.from({ length: last - first + 1 }, (_, index) =>
    createDocument(first + index),
  )
  const hasMore = last < MANY.documents
  return { collection: 'default', documents, hasMore, last: String(last) }
}

function createDocument(number: number): DocumentJson {
  const name = `Minutes of meeting ${number}.pdf`
  return {
    ...{ id: `doc_${number}`, collectionId: 'vs_1', fileId: `file-${number}`, source: name },
    ...{ hash: '', name, title: name, status: 'completed', searchable: 'all' },
    ...{ mediaType: 'application/pdf', bytes: 1_000 * number, pages: 1 + (number % 90) },
    ...{ chunks: 9, tokens: 900, attributes: {}, metadata: {}, warnings: [], createdAt: TIME },
  }
}

const HEAD = { id: 'many', title: 'Many turns', createdAt: TIME, updatedAt: TIME }

function listConversations(): ConversationPageJson {
  const entry = { ...HEAD, turns: MANY.turns, pinned: false }
  return { conversations: [entry], sharedLinkDays: 0, hasMore: false }
}

function listTurns(before: number, limit: number): ConversationJson {
  const first = Math.max(1, before - limit)
  const turns = Array.from({ length: before - first }, (_, index) => createTurn(first + index))
  return { ...HEAD, turnCount: MANY.turns, turns, hasMore: first > 1 }
}

function createTurn(turn: number): TurnJson {
  const text = `Item ${turn} of the minutes states the budget of the year.`
  const citations = Array.from({ length: 4 }, (_, index) => ({
    ...{ marker: index + 1, doc: `Minutes ${turn}.pdf`, documentId: `doc_${turn}`, source: '' },
    ...{ headings: ['Budget'], page: index + 1, charStart: 0, charEnd: text.length, text },
    ...{ quoteVerified: true, verified: true, support: 'stated' },
  })) as TurnJson['citations']
  const rows = Array.from({ length: 8 }, (_, row) => `| Item ${row} | ${row * turn} |`).join('\n')
  const answer = `${text} [1] [2]\n\n| Item | Euros |\n|---|---|\n${rows}\n\n- ${text} [3]\n- ${text} [4]`
  return {
    ...{ turn, question: `What does item ${turn} state?`, answer, citations },
    ...{ mode: 'model', status: 'completed', createdAt: TIME },
  }
}
