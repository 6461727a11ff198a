import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { textParser } from '../../src/ingest/parse/parsers/text/text.ts'
import { SingleFile } from '../../src/ingest/store/contents/single-file.ts'
import { hashParts } from '../../src/system/digest.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXTS = {
  'heron.txt': `A heron stands in the water.\n\n${'It waits for a fish. '.repeat(60)}`,
  'zh.txt': '苍鹭站在水里等鱼。',
}

let sandbox: Sandbox
let folder: string
let parsed: string[]
beforeEach(async () => {
  sandbox = await Sandbox.make()
  folder = await sandbox.write(TEXTS)
  parsed = []
})
afterEach(() => sandbox.remove())

/** A store whose parser, which works in this process, notes what it parses. */
async function open(): Promise<Passim> {
  const parser: typeof textParser = {
    ...textParser,
    parse: (input, signal) => {
      parsed.push(input.name)
      return textParser.parse(input, signal)
    },
  }
  return await sandbox.open({ parsers: [parser] })
}

async function derived(): Promise<readonly string[]> {
  const names = await readdir(path.join(sandbox.home, 'content'), { recursive: true })
  return names
    .map(name => path.join(sandbox.home, 'content', name))
    .filter(name => /parsed-|chunks-/.test(name))
}

const NEWER_TABLES = [
  'deletions',
  'deleted_rows',
  'conversations',
  'conversation_items',
  'runs',
  'run_events',
  'run_requests',
  'store_identity',
  'shared_places',
  'file_uses',
  'shared_contents',
  'shared_trash',
  'receipt_keys',
  'events',
  'webhooks',
  'source_runs',
  'source_skips',
  'batches',
  'batch_results',
]

/** Without the tables and columns that later formats brought. */
function bringCatalogBack(catalog: Database.Database, format: 7 | 8): void {
  for (const table of NEWER_TABLES) catalog.exec(`DROP TABLE ${table}`)
  for (const table of ['files', 'uploads'])
    catalog.exec(`ALTER TABLE ${table} DROP COLUMN declared_type`)
  catalog.exec('DROP INDEX jobs_running; ALTER TABLE jobs DROP COLUMN worker')
  catalog.exec('ALTER TABLE collections DROP COLUMN synonyms')
  for (const column of ['chunk_edits', 'earlier_facts'])
    catalog.exec(`ALTER TABLE documents DROP COLUMN ${column}`)
  catalog.exec(`PRAGMA user_version = ${format}`)
}

/** Put the store into the form that programs before format 8 gave it: a folder for the text, a file for the chunks. */
async function bringBack(): Promise<void> {
  const jsonLines = (records: readonly unknown[]) =>
    records.map(record => `${JSON.stringify(record)}\n`).join('')
  const catalog = new Database(path.join(sandbox.home, 'catalog.db'))
  const { chunkerId } = catalog.prepare('SELECT chunker_id AS chunkerId FROM versions').get() as {
    chunkerId: string
  }
  bringCatalogBack(catalog, 7)
  catalog.close()
  for (const file of await derived()) {
    const { text, blocks, report, chunks } = new SingleFile(file).read()
    const older = path.join(path.dirname(file), `parsed-${hashParts(report.parserId)}`)
    await mkdir(older)
    await writeFile(path.join(older, 'text.u16'), Buffer.from(text, 'utf16le'))
    await writeFile(path.join(older, 'blocks.jsonl'), jsonLines(blocks))
    await writeFile(path.join(older, 'report.json'), JSON.stringify(report))
    const name = `chunks-${hashParts(report.parserId, chunkerId)}.jsonl`
    await writeFile(path.join(path.dirname(file), name), jsonLines(chunks))
    await rm(file)
  }
}

async function use(passim: Passim) {
  const [hit] = await passim.search({ query: 'heron water', mode: 'keyword' })
  const texts: string[] = []
  for await (const { text } of passim.library.readChunks(hit!.documentId)) texts.push(text)
  const span = await passim.library.read(hit!.documentId, 2, 7)
  const end = await passim.library.read(
    hit!.documentId,
    TEXTS['heron.txt'].trim().length - 5,
    1_000_000,
  )
  const blocks = []
  for await (const block of passim.library.readBlocks(hit!.documentId)) blocks.push(block)
  const { title, characters } = await passim.library.report(hit!.documentId)
  return {
    text: hit!.text,
    texts,
    span,
    end,
    blocks,
    title,
    characters,
    verification: await passim.verify.run(),
  }
}

test('a store of an older program is read, verified and indexed again as it is, nothing parsed anew', async () => {
  const first = await open()
  await first.index([folder])
  const before = await use(first)
  expect(before).toMatchObject({ span: 'heron', end: 'fish.', verification: { ok: true } })
  await first.close()
  await bringBack()
  const files = await derived()
  parsed = []
  const passim = await open()
  expect(await use(passim)).toEqual(before)
  expect((await passim.index([folder], { force: true })).totals).toMatchObject({
    replaced: 2,
    failed: 0,
  })
  await passim.close()
  await rm(path.join(sandbox.home, 'index'), { recursive: true })
  const again = await open()
  await again.index([folder])
  expect(await use(again)).toEqual(before)
  expect(parsed).toEqual([])
  expect(await derived()).toEqual(files)
})
test('what chunks have of their section is stored once, in either form of a document', async () => {
  const heading = 'Herons that wait for fish in shallow water at low tide'
  const section = (sentences: number) =>
    `${heading}\n\n${'They wait and do not move. '.repeat(sentences)}`
  await sandbox.write({ 'small.txt': section(2_000), 'large.txt': section(20_000) })
  const parser: typeof textParser = {
    ...textParser,
    async *parse(input, signal) {
      for await (const event of textParser.parse(input, signal)) {
        const isHeading = event.type === 'block' && event.block.text === heading
        yield isHeading
          ? { type: 'block', block: { kind: 'heading', level: 1, text: heading } }
          : event
      }
    },
  }
  const passim = await sandbox.open({ parsers: [parser] })
  await passim.index([folder])
  const files = (await derived()).filter(file => file.endsWith('.whole') || file.endsWith('.jsonl'))
  const counts = await Promise.all(
    files.map(async file => (await readFile(file, 'latin1')).split(heading).length - 1),
  )
  expect(Math.max(...counts)).toBeLessThan(6)
  const hits = await passim.search({ query: 'herons', mode: 'keyword', limit: 50 })
  const sectioned = new Set(
    hits.filter(({ name }) => /small|large/.test(name)).map(({ documentId }) => documentId),
  )
  expect(sectioned.size).toBe(2)
  for (const documentId of sectioned) {
    let chunks = 0
    for await (const chunk of passim.library.readChunks(documentId)) {
      expect(chunk.headings).toEqual([heading])
      chunks++
    }
    expect(chunks).toBeGreaterThan(20)
  }
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})
test('what is torn of an older form is made again in the form of now', async () => {
  const first = await open()
  await first.index([folder])
  const before = await use(first)
  await first.close()
  await bringBack()
  for (const file of await derived()) if (file.endsWith('text.u16')) await truncate(file, 4)
  const passim = await open()
  expect((await passim.verify.run()).problems).toMatchObject([
    { kind: 'derived' },
    { kind: 'derived' },
  ])
  expect((await passim.index([folder], { force: true })).totals).toMatchObject({
    replaced: 2,
    failed: 0,
  })
  await passim.close()
  expect(await use(await open())).toEqual(before)
})
test('the same bytes in a collection that is cut otherwise are not parsed again', async () => {
  const passim = await open()
  await passim.collections.create({ name: 'small', chunking: { tokens: 20, overlap: 0 } })
  await passim.index([folder])
  await passim.index([folder], { collection: 'small' })
  expect(parsed.toSorted()).toEqual(Object.keys(TEXTS))
  expect(await derived()).toHaveLength(4)
  expect(await passim.verify.run()).toMatchObject({ ok: true })
  const [hit] = await passim.search({ query: 'stands', mode: 'keyword', collections: ['small'] })
  expect(hit?.text).toMatch(/^A heron stands in the water\.\s+It waits for a fish\.$/)
})
test('languages that an older program noted with chunks and rows are found anew when it is next indexed', async () => {
  const first = await open()
  await first.index([folder])
  await first.close()
  for (const file of await derived()) {
    const whole = new SingleFile(file)
    const { chunks, ...rest } = whole.read()
    whole.write({ ...rest, chunks: chunks.map(chunk => ({ ...chunk, language: 'en' })) })
  }
  const tables = path.join(sandbox.home, 'index')
  const [table] = await readdir(tables)
  await rename(path.join(tables, table!), path.join(tables, table!.replace('row5', 'row4')))
  const catalog = new Database(path.join(sandbox.home, 'catalog.db'))
  bringCatalogBack(catalog, 8)
  catalog.exec('DELETE FROM language_means')
  const passim = await open()
  const best = async () => (await passim.search({ query: '苍鹭', mode: 'hybrid' }))[0]?.title
  expect(await best()).toBe('zh.txt')
  expect((await passim.index([folder])).totals).toMatchObject({ unchanged: 2 })
  expect(await readdir(tables)).toEqual([table])
  const languages = catalog.prepare('SELECT language FROM language_means ORDER BY language').all()
  catalog.close()
  expect(languages).toEqual([{ language: 'en' }, { language: 'zh' }])
  expect(await best()).toBe('zh.txt')
  expect(parsed).toHaveLength(2)
})
