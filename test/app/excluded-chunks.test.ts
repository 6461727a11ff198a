import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callTool } from '../../src/agent/tool.ts'
import type { Passim } from '../../src/app/passim.ts'
import { PresentDocuments } from '../../src/ingest/store/document-reader.ts'
import { findPlaces } from '../../src/ingest/store/places.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'

const CREW =
  'The captain eats at seven with the first officer, and the crew eats one hour later in two groups below the deck.'
const TICKET =
  'Whoever boards shall show a valid ticket to the captain before the ship leaves the harbour of Kiel at noon.'
const CABIN =
  'Cabins are cleaned each morning by the stewards, who knock twice and wait for an answer before they open the door.'
const lines = (word: string) =>
  Array.from({ length: 8 }, (_, at) => ({
    ...{ text: `${word} ${at + 1} of this page has nine plain words.`, x: 72, size: 12 },
    y: 100 + at * 16,
  }))

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ settings: { chunking: { tokens: 40, overlap: 0.15 } } })
  const folder = await sandbox.write({
    'ship.md': `# Ship\n\n${CREW}\n\n${TICKET}\n\n${CABIN}\n`,
    'stock.csv': 'Item,Count\nPump,4\nHose,120\n',
    'pages.pdf': pdf(['Alpha', 'Beta'].map(lines)).toString('latin1'),
    'novel.html': `<head><title>Novel</title><meta name="author" content="Amalia Fontane"></head><p>${CABIN}</p><p>${CREW}</p>`,
  })
  await passim.index([folder])
  await exclude('ship.md', 'valid ticket')
  await exclude('stock.csv', 'Pump')
  await exclude('pages.pdf', 'Beta 4')
  await exclude('novel.html', 'Cabins')
})
afterAll(() => sandbox.remove())

async function exclude(name: string, words: string) {
  const off = (await passim.chunks.list(name)).chunks.filter(({ text }) => text.includes(words))
  expect(off).not.toEqual([])
  for (const { id } of off) await passim.chunks.update(name, id, { isExcluded: true })
  const isIndexed = async () => expect((await passim.show(name)).status).toBe('completed')
  await vi.waitFor(isIndexed, { timeout: 60_000 })
}

const call = (name: string, args: object) =>
  callTool(passim.tools({ tools: [name] }), toolCall(name, JSON.stringify(args)))

test('a quotation is not found in a chunk that is switched off, though the one before is hit', async () => {
  expect((await passim.find({ text: TICKET })).places).toEqual([])
  expect((await passim.find({ text: CREW })).places).toMatchObject([{ doc: 'ship.md' }, {}])
})

test('the overview of a document quotes nothing of it', async () => {
  const { text } = await passim.ask({ question: 'What is ship.md about?', extractive: true }).result
  expect(text).toContain('The captain eats at seven')
  expect(text).not.toContain('ticket')
})

test('the tools of agents read neither its table nor its lines', async () => {
  expect(await call('query_tables', {})).not.toContain('Pump')
  expect(await call('read_pages', { document: 'pages.pdf', from: 2 })).not.toContain('Beta 4')
  expect(await call('read_pages', { document: 'pages.pdf', from: 1 })).toContain('Alpha 4')
})

test('a document without its first chunk is found by its author and its name with the extension', async () => {
  for (const query of ['Fontane', 'novel.html']) {
    const [first] = await passim.search({ query, mode: 'keyword' })
    expect(first, query).toMatchObject({ name: 'novel.html' })
    expect(first?.text).not.toContain('Cabins')
  }
})

test('what the rest of its paragraph states is cited with its page', async () => {
  const { id } = await passim.show('pages.pdf')
  const { chunks } = await passim.chunks.list('pages.pdf')
  const rest = chunks.find(({ text, isExcluded }) => text.includes('Beta 8') && !isExcluded)
  const reader = new PresentDocuments(passim.library)
  const { charStart = 0, charEnd = 0 } = rest ?? {}
  const [place] = await findPlaces(reader, id, [{ charStart: charEnd - 1, charEnd }])
  expect(place).toMatchObject({ pages: [2, 2], boxes: [{}] })
  const texts: string[] = []
  for await (const { text } of reader.readBlocks(id)) texts.push(text)
  expect(texts.join('\n')).toContain('Alpha 8')
  expect(texts.join('\n')).not.toContain('Beta 4')
  expect((await reader.read(id, charStart, charEnd)).length).toBe(charEnd - charStart)
})
