import { once } from 'node:events'
import { chmod, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { IndexOptions } from '../../../src/app/indexing/index-documents.ts'
import type { Passim } from '../../../src/app/passim.ts'
import type { IndexResult } from '../../../src/wire/indexing.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
let embedder: HashingEmbedder
let docs: string

beforeEach(async () => {
  sandbox = await Sandbox.make()
  embedder = new HashingEmbedder()
  passim = await sandbox.open({ embedder })
  docs = await sandbox.write({
    'fox.txt': 'The quick brown fox.',
    'dog.md': '# Dogs\n\nThe lazy dog sleeps.',
  })
})
afterEach(() => sandbox.remove())

const index = (options: IndexOptions = {}, paths = [docs]) => passim.index(paths, options)
const statuses = ({ documents }: IndexResult) =>
  Object.fromEntries(
    documents.map(document => [document.source.slice(docs.length + 1), document.status]),
  )
const found = async (query: string) =>
  (await passim.search({ query, mode: 'keyword' })).map(hit => hit.name)
const passagesEmbedded = () =>
  embedder.calls.filter(call => call.role === 'passage').flatMap(call => call.texts)

describe('a first run', () => {
  test('indexes what is there, and finds it', async () => {
    const result = await index()
    expect(statuses(result)).toEqual({ 'dog.md': 'indexed', 'fox.txt': 'indexed' })
    expect(result.totals).toMatchObject({ indexed: 2, failed: 0, chunks: 2 })
    expect(await found('foxes')).toEqual(['fox.txt'])
  })
  test('works on small files before large ones, whatever they are called', async () => {
    const sizes = {
      'a.txt': 60_000,
      'b.txt': 9_000,
      'c.txt': 200,
      'd/a.txt': 30_000,
      'e.txt': 2_000,
    }
    const texts = Object.entries(sizes).map(
      ([name, size]) => [name, 'word '.repeat(size / 5)] as const,
    )
    const folder = path.join(await sandbox.write({ 'sizes/x.txt': 'x' }), 'sizes')
    await sandbox.write(Object.fromEntries(texts.map(([name, text]) => [`sizes/${name}`, text])))
    const begun: string[] = []
    const bytes: number[] = []
    await index(
      {
        onEvent: event => {
          if (event.type === 'found') bytes.push(event.bytes ?? 0)
          if (event.type === 'progress' && !begun.includes(event.source)) begun.push(event.source)
        },
      },
      [folder],
    )
    const order = ['x.txt', 'c.txt', 'e.txt', 'b.txt', 'd/a.txt', 'a.txt']
    expect(begun.map(source => path.relative(folder, source))).toEqual(order)
    expect(Math.max(...bytes)).toBe(60_000)
  })
  test('makes no collection where nothing that it names can be read', async () => {
    const missing = sandbox.path('none')
    for (const dryRun of [false, true]) {
      const { collection, documents } = await passim.index([missing], {
        collection: 'ghost',
        dryRun,
      })
      expect([collection, ...documents.map(({ status }) => status)]).toEqual(['ghost', 'failed'])
    }
    expect((await passim.index([missing, docs], { collection: 'seen' })).totals).toMatchObject({
      indexed: 2,
      failed: 1,
    })
    expect((await passim.collections.list()).map(({ name }) => name)).toEqual(['seen'])
  })
  test('leaves the store out, wherever it lies', async () => {
    const { documents } = await index({}, [sandbox.folder])
    expect(documents.map(({ source }) => source)).toEqual(
      [`${docs}/dog.md`, `${docs}/fox.txt`].map(path.normalize),
    )
  })
  test('takes what a user keeps in the home, and nothing that the store keeps there', async () => {
    await sandbox.write({ '../home/mine.txt': 'My own heron.', '../home/config.yaml': 'model: {}' })
    const home = await index({}, [sandbox.home])
    expect(statuses(home)).toEqual({ 'mine.txt': 'indexed' })
    const inside = await index({}, [
      path.join(sandbox.home, 'content'),
      path.join(sandbox.home, 'config.yaml'),
    ])
    expect(inside.documents.map(({ error }) => error?.code)).toEqual([
      'forbidden_source',
      'forbidden_source',
    ])
  })
  test('names a file that cannot be read, and indexes the others', async () => {
    await sandbox.write({ 'empty.txt': '', 'bad.pdf': '\x00\x01\x02\x03'.repeat(50) })
    const result = await index()
    expect(statuses(result)).toMatchObject({
      'empty.txt': 'failed',
      'bad.pdf': 'failed',
      'fox.txt': 'indexed',
    })
    expect(
      result.documents.find(document => document.source.endsWith('empty.txt'))?.error?.code,
    ).toBe('empty')
    expect(
      result.documents.find(document => document.source.endsWith('bad.pdf'))?.error?.message,
    ).toContain('bad.pdf')
  })
  test('passes over formats it cannot read, and says so', async () => {
    await sandbox.write({ 'rows.db': 'SQLite format 3\0' })
    expect(statuses(await index())).toMatchObject({ 'rows.db': 'skipped' })
    expect(statuses(await index({}, [sandbox.path('rows.db')]))).toEqual({ 'rows.db': 'failed' })
  })
  test('keeps to the ignore files', async () => {
    await sandbox.write({
      '.gitignore': '*.log\nbuild/',
      'a.log': 'x',
      'build/b.txt': 'y',
      '.passimignore': 'fox.txt',
    })
    expect(Object.keys(statuses(await index()))).toEqual(['dog.md'])
  })
  test('leaves hidden files and folders alone', async () => {
    await sandbox.write({ '.hidden.txt': 'x', '.folder/a.txt': 'y' })
    expect(Object.keys(statuses(await index()))).toEqual(['dog.md', 'fox.txt'])
  })
  test('tells of links that lead out of the folder or nowhere, and follows neither', async () => {
    await sandbox.write({ '../outside.txt': 'Out of it.' })
    await symlink('../outside.txt', sandbox.path('out.txt'))
    await symlink('nothing', sandbox.path('dangling.txt'))
    await symlink('.', sandbox.path('loop'))
    const result = await index()
    const told = { 'out.txt': 'skipped', 'dangling.txt': 'skipped' }
    expect(statuses(result)).toEqual({ ...told, 'dog.md': 'indexed', 'fox.txt': 'indexed' })
    expect(await index()).toMatchObject({ totals: { unchanged: 2, skipped: 2, failed: 0 } })
  })
  test('tells of a socket, and reads it not', async () => {
    const server = createServer().listen(sandbox.path('pipe.md'))
    await once(server, 'listening')
    const result = statuses(await index())
    await promisify(server.close.bind(server))()
    expect(result).toEqual({ 'pipe.md': 'skipped', 'dog.md': 'indexed', 'fox.txt': 'indexed' })
  })
  test('takes only what is included, less what is excluded', async () => {
    await sandbox.write({ 'a/b.md': 'x', 'a/c.md': 'y' })
    expect(Object.keys(statuses(await index({ include: ['*.md'], exclude: ['c.md'] })))).toEqual([
      'a/b.md',
      'dog.md',
    ])
  })
  test('embeds the same bytes once', async () => {
    await sandbox.write({ 'copy.txt': 'The quick brown fox.' })
    await index()
    expect(passagesEmbedded().filter(text => text.includes('quick'))).toHaveLength(1)
    const [hit, ...others] = await passim.search({ query: 'fox', mode: 'keyword' })
    expect([hit?.name, ...(hit?.copies ?? []).map(copy => copy.name)].toSorted()).toEqual([
      'copy.txt',
      'fox.txt',
    ])
    expect(others).toEqual([])
  })
  test('the same bytes under another name are what that name says', async () => {
    const rows = 'name\tprice, in euros\ncup\t9\nmug\t12\n'
    await sandbox.write({
      'a.csv': rows,
      'b.tsv': rows,
      'c.py': 'print(1)\n',
      'd.js': 'print(1)\n',
    })
    await index({ withoutVectors: true })
    const [collection] = await passim.scope.findCollections()
    const kinds = await Promise.all(
      ['a.csv', 'b.tsv', 'c.py', 'd.js'].map(
        async name => (await passim.scope.findDocument(name, [collection!])).mediaType,
      ),
    )
    expect(new Set(kinds).size).toBe(4)
    expect(kinds.slice(0, 2)).toEqual(['text/csv', 'text/tab-separated-values'])
  })
  test('keeps what the format and the text say of a document', async () => {
    const head = '---\ntitle: Notice\nauthor: Ann\ndate: 2024-05-01\nlang: zh\n---\n'
    await sandbox.write({
      'notice.md': `${head}\n${'The tenant may end the contract at any time. '.repeat(4)}`,
    })
    await index()
    const [collection] = await passim.scope.findCollections()
    const { metadata } = await passim.scope.findDocument('notice.md', [collection!])
    expect(metadata).toMatchObject({
      title: 'Notice',
      author: 'Ann',
      created: '2024-05-01',
      language: 'en',
    })
  })
  test('without vectors embeds nothing', async () => {
    await index({ withoutVectors: true })
    expect(passagesEmbedded()).toEqual([])
    expect(await found('fox')).toEqual(['fox.txt'])
  })
})

describe('a second run', () => {
  beforeEach(() => index())

  test('does nothing where nothing changed', async () => {
    const before = passagesEmbedded().length
    expect(statuses(await index())).toEqual({ 'dog.md': 'unchanged', 'fox.txt': 'unchanged' })
    expect(passagesEmbedded()).toHaveLength(before)
  })
  test('replaces what changed: the old text is not found any more', async () => {
    await writeFile(sandbox.path('fox.txt'), 'A red squirrel.')
    expect(statuses(await index())).toEqual({ 'dog.md': 'unchanged', 'fox.txt': 'replaced' })
    expect(await found('quick')).toEqual([])
    expect(await found('squirrel')).toEqual(['fox.txt'])
  })
  test('removes what is gone', async () => {
    await rm(sandbox.path('fox.txt'))
    expect(statuses(await index())).toEqual({ 'dog.md': 'unchanged', 'fox.txt': 'removed' })
    expect(await found('quick')).toEqual([])
  })
  test('keeps what is gone when told to', async () => {
    await rm(sandbox.path('fox.txt'))
    await index({ keep: true })
    expect(await found('quick')).toEqual(['fox.txt'])
  })
  test('follows a renamed file without embedding it again', async () => {
    const before = passagesEmbedded().length
    await rename(sandbox.path('fox.txt'), sandbox.path('vulpes.txt'))
    expect(statuses(await index())).toEqual({ 'dog.md': 'unchanged', 'vulpes.txt': 'moved' })
    expect(await found('vulpes')).toEqual(['vulpes.txt'])
    expect(passagesEmbedded()).toHaveLength(before)
  })
  test('a renamed file gets what the run asks for as well', async () => {
    await sandbox.write({ 'owl.txt': 'An owl.' })
    await index({ withoutVectors: true })
    await rename(sandbox.path('owl.txt'), sandbox.path('bird.txt'))
    expect(statuses(await index())).toMatchObject({ 'bird.txt': 'moved' })
    expect(passagesEmbedded().some(text => text.includes('owl'))).toBe(true)
  })
  test('leaves documents of other paths alone', async () => {
    await rm(sandbox.path('fox.txt'))
    await index({}, [sandbox.path('dog.md')])
    expect(await found('quick')).toEqual(['fox.txt'])
  })
  test('a filter makes nothing gone', async () => {
    expect(statuses(await index({ include: ['*.md'] }))).toEqual({ 'dog.md': 'unchanged' })
    expect(await found('quick')).toEqual(['fox.txt'])
  })
  test('a filter that nothing passes makes nothing gone, also when what is gone is to be pruned', async () => {
    const result = await index({ include: ['*.pdf'], prune: true })
    expect(result.documents).toEqual([])
    expect(await found('quick')).toEqual(['fox.txt'])
    await rm(sandbox.path('fox.txt'))
    expect(statuses(await index({ include: ['*.pdf'] }))).toEqual({ 'fox.txt': 'removed' })
  })
  test('an empty or missing folder removes nothing unless told to', async () => {
    await rename(docs, `${docs}-away`)
    const result = await index()
    expect(result.documents).toMatchObject([{ status: 'failed', error: { code: 'not_found' } }])
    expect(result.documents[0]?.error?.advice).toContain('--prune')
    expect(await found('quick')).toEqual(['fox.txt'])
    expect((await index({ prune: true })).totals.removed).toBe(2)
  })
  test('a folder that holds nothing but the store is empty, and removes nothing', async () => {
    await index({}, [sandbox.folder])
    await rm(docs, { recursive: true })
    const { documents, totals } = await index({}, [sandbox.folder])
    expect(totals).toMatchObject({ removed: 0, failed: 1 })
    expect(documents[0]?.error?.advice).toContain('--prune')
    expect(await found('quick')).toEqual(['fox.txt'])
  })
  test('a file that broke is not found any more', async () => {
    await writeFile(sandbox.path('fox.txt'), '')
    expect(statuses(await index())).toMatchObject({ 'fox.txt': 'failed' })
    expect(await found('quick')).toEqual([])
    expect(statuses(await index())).toMatchObject({ 'fox.txt': 'failed' })
  })
  test('a document that could not be read before is indexed, not replaced', async () => {
    await sandbox.write({ 'late.txt': '' })
    await index()
    await sandbox.write({ 'late.txt': 'A heron.' })
    expect(statuses(await index())).toMatchObject({ 'late.txt': 'indexed' })
  })
  test('a dry run tells the difference and changes nothing', async () => {
    await sandbox.write({ 'new.txt': 'new' })
    await rm(sandbox.path('fox.txt'))
    expect(statuses(await index({ dryRun: true }))).toEqual({
      'dog.md': 'unchanged',
      'new.txt': 'indexed',
      'fox.txt': 'removed',
    })
    expect(await found('quick')).toEqual(['fox.txt'])
    expect(await found('new')).toEqual([])
  })
  test('adds the vectors that an earlier run left out', async () => {
    await sandbox.write({ 'owl.txt': 'An owl.' })
    await index({ withoutVectors: true })
    expect(passagesEmbedded().some(text => text.includes('owl'))).toBe(false)
    expect(statuses(await index())).toMatchObject({ 'owl.txt': 'replaced', 'fox.txt': 'unchanged' })
    expect(passagesEmbedded().some(text => text.includes('owl'))).toBe(true)
  })
})

test('an ignore file that cannot be read is a failure of its folder, which loses nothing; the others go on', async () => {
  await sandbox.write({ 'closed/secret.txt': 'A secret.' })
  await index()
  await sandbox.write({ 'closed/.gitignore': '', 'new.txt': 'An owl.' })
  await truncate(sandbox.path('closed/.gitignore'), 3 * 2 ** 30) // larger than any file that is read whole, and sparse
  expect(statuses(await index())).toMatchObject({ closed: 'failed', 'new.txt': 'indexed' })
  expect(await found('secret')).toEqual(['secret.txt'])
})

test.skipIf(process.getuid?.() === 0)(
  'a folder that may not be read is a failure, and loses nothing',
  async () => {
    await sandbox.write({ 'closed/secret.txt': 'A secret.' })
    await index()
    await chmod(sandbox.path('closed'), 0)
    expect(statuses(await index())).toMatchObject({ closed: 'failed' })
    expect(await found('secret')).toEqual(['secret.txt'])
    await chmod(sandbox.path('closed'), 0o700)
  },
)

test.skipIf(process.getuid?.() === 0)(
  'a file that may not be read is told so, with what to do',
  async () => {
    await sandbox.write({ 'shut.txt': 'A secret.' })
    await chmod(sandbox.path('shut.txt'), 0)
    const { documents } = await index()
    expect(documents.find(({ source }) => source.endsWith('shut.txt'))?.error).toMatchObject({
      ...{
        code: 'forbidden_source',
        message: expect.stringMatching(/^Cannot read .*shut\.txt.*Check its permissions\.$/),
      },
    })
  },
)

test('deleting a document takes its text out of search and its bytes off the disk', async () => {
  await index()
  const [collection] = await passim.scope.findCollections()
  const document = await passim.scope.findDocument('fox.txt', [collection!])
  await passim.delete(document)
  expect(await found('quick')).toEqual([])
  expect((await passim.verify.run()).problems).toEqual([])
})
