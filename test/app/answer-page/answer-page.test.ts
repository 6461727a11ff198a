import { expect, test } from 'vitest'
import type { AgentResult } from '../../../src/agent/event.ts'
import { answerPage } from '../../../src/app/answer-page/answer-page.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const VERIFIED = { quoteVerified: true, verified: true, support: 'stated' } as const

const TEXT =
  'Adults may borrow <b>ten</b> books. Children may borrow six books. Fines are 20 cents.'

async function pageOf(more: Partial<AgentResult> = {}): Promise<string> {
  const quoted = 'Children may borrow six books.'
  const charStart = TEXT.indexOf(quoted)
  const place = {
    documentId: 'doc_1',
    source: '/library.md',
    doc: 'library.md',
    headings: [],
    charStart,
    charEnd: charStart + quoted.length,
  }
  const citations = [{ marker: 1, ...place, text: quoted, ...VERIFIED }]
  const answer: AgentResult = {
    question: 'How <many>?',
    text: 'Six [1].',
    abstained: false,
    unsupported: [],
    messages: [],
    finishReason: 'stop',
    mode: 'model',
    citations,
    ...more,
  }
  return answerPage(answer, new MemorySearcher([{ name: 'library.md', text: TEXT }]))
}

test('each citation is highlighted within the text around it, and the marker leads there', async () => {
  const page = await pageOf()
  expect(page).toContain('books. <mark>Children may borrow six books.</mark> Fines are 20 cents.')
  expect(page).toContain('Six <a href="#source-1">[1]</a>.')
  expect(page).toContain('id="source-1">[1] library.md<')
})

test('what documents and questions hold is text, never markup', async () => {
  const page = await pageOf()
  expect(page).toContain('How &#60;many&#62;?')
  expect(page).toContain('&#60;b&#62;ten')
  expect(page).not.toMatch(/<script|<b>|src=|https?:/)
})

test('unsupported sentences are named', async () => {
  expect(await pageOf({ unsupported: ['Nine & more.'] })).toContain('<li>Nine &#38; more.</li>')
})
