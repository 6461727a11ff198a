import { rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import type { Settings } from '../../../src/config.ts'
import type { IndexResult } from '../../../src/wire/indexing.ts'
import { storeIn } from '../../fakes/catalog-environment.ts'
import { GitServer } from '../../fakes/git-server.ts'
import { Sandbox } from '../../fakes/store.ts'
import { WebServer } from '../../fakes/web-server.ts'

let sandbox: Sandbox
let passim: Passim

beforeEach(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({ 'fox.txt': 'The quick brown fox.', 'dog.txt': 'The lazy dog.' })
})
afterEach(() => sandbox.remove())

type SourceInput =
  | { type: 'folder'; path: string; everyMinutes?: number }
  | { type: 'site'; url: string }

async function openWith(sources: Readonly<Record<string, SourceInput>>, settings: object = {}) {
  const tenanted = Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, { ...source, collection: 'kept' }]),
  ) as Settings['sources'] // what the schema completes
  passim = await sandbox.open({ settings: { sources: tenanted, ...settings } })
  return passim
}

const folder = (): SourceInput => ({ type: 'folder', path: sandbox.path('').replace(/\/$/, '') })

const nonzero = ({ totals }: IndexResult) =>
  Object.fromEntries(Object.entries(totals).filter(([name, n]) => n > 0 && name !== 'chunks'))

async function waitForState(name: string, state: string): Promise<void> {
  for (;;) {
    const source = (await passim.sources.list()).find(one => one.name === name)
    if (source?.state === state) return
    await sleep(20)
  }
}

test('a folder and a site of the settings are kept in step', async () => {
  const site = await WebServer.start({
    '/robots.txt': { status: 404 },
    '/a.html': { body: '<p>A heron stands.</p>' },
  })
  await openWith(
    { papers: folder(), pages: { type: 'site', url: site.url('/a.html') } },
    { fetching: { allowPrivate: true } },
  )
  expect(nonzero(await passim.sources.run('papers'))).toEqual({ indexed: 2 })
  expect(nonzero(await passim.sources.run('pages'))).toEqual({ indexed: 1 })
  await writeFile(sandbox.path('fox.txt'), 'The quick red fox.')
  await rm(sandbox.path('dog.txt'))
  expect(nonzero(await passim.sources.run('papers'))).toEqual({ replaced: 1, removed: 1 })
  await site.close()
})

test('a list shows the last run, its counts and the next run', async () => {
  await openWith({ papers: folder() })
  const [before] = await passim.sources.list()
  expect(before).toMatchObject({ name: 'papers', type: 'folder', collection: 'kept', state: 'new' })
  await passim.sources.run('papers')
  const [after] = await passim.sources.list()
  expect(after).toMatchObject({ state: 'completed', done: 2, totals: { indexed: 2 }, failures: [] })
  expect(after?.nextAt).toBe((after?.finishedAt ?? 0) + 3_600_000)
})

test('a source that is missing removes nothing, and its job fails and says why', async () => {
  await openWith({ papers: folder() })
  await passim.sources.run('papers')
  await rm(sandbox.path(''), { recursive: true })
  expect(nonzero(await passim.sources.run('papers'))).toEqual({ failed: 1 })
  const [source] = await passim.sources.list()
  expect(source?.state).toBe('failed')
  expect(source?.error?.message).toContain('Its 2 documents remain in the collection.')
  const job = (await passim.jobs.list(undefined, 10)).find(({ id }) => id === 'sync_papers')
  expect(job).toMatchObject({ state: 'failed', source: 'source papers' })
  expect(await passim.list('kept')).toHaveLength(2)
})

test('a service runs a source when it is due, on request, and after its process died', async () => {
  await openWith({ papers: { ...folder(), everyMinutes: 0 } as SourceInput, daily: folder() })
  await passim.resume()
  await waitForState('daily', 'completed')
  expect((await passim.sources.list())[0]?.state).toBe('new')
  await passim.sources.request('papers')
  await waitForState('papers', 'completed')
  const { id } = await passim.scope.findCollection('kept')
  await sandbox.close()
  await openWith({ papers: { ...folder(), everyMinutes: 0 } as SourceInput })
  await begin(id)
  expect((await passim.sources.list())[0]?.state).toBe('queued') // nobody holds its lease
  await passim.resume()
  await waitForState('papers', 'completed')
})

/** As a process that dies afterwards. */
async function begin(collectionId: string): Promise<void> {
  const store = await storeIn(sandbox.home)
  await store.sourceRuns.start('papers')
  await store.sourceRuns.setCollection('papers', collectionId)
  await store.catalog.close()
}

test('a cancelled run ends, and the next one continues', async () => {
  await openWith({ papers: folder() })
  let isCancelled = false
  const run = passim.sources.run('papers', {
    onEvent: async ({ type }) => {
      if (type !== 'found' || isCancelled) return
      isCancelled = true
      await passim.jobs.cancel('sync_papers')
    },
  })
  await expect(run).rejects.toMatchObject({ code: 'cancelled' })
  expect((await passim.sources.list())[0]?.state).toBe('cancelled')
  expect((await passim.jobs.retry('sync_papers')).state).toBe('queued')
  await passim.sources.run('papers')
  expect((await passim.list('kept')).map(({ status }) => status)).toEqual([
    'completed',
    'completed',
  ])
})

test('a second run waits for the first, or fails without waiting', async () => {
  await openWith({ papers: folder() })
  const first = passim.sources.run('papers')
  await waitForState('papers', 'running')
  await expect(passim.sources.run('papers', { noWait: true })).rejects.toMatchObject({
    code: 'conflict',
  })
  const second = passim.sources.run('papers')
  expect(nonzero(await first)).toEqual({ indexed: 2 })
  expect(nonzero(await second)).toEqual({ unchanged: 2 })
})

test('a run that cannot begin is not tried again at each look', async () => {
  const failures: string[] = []
  const sources = {
    broken: { ...folder(), collection: ' ' },
    papers: { ...folder(), collection: 'kept', everyMinutes: 0 },
  } as unknown as Settings['sources'] // what the schema completes
  passim = await sandbox.open({
    settings: { sources },
    onBackgroundError: message => failures.push(message),
  })
  await passim.resume()
  for (let looks = 0; looks < 3; looks++) {
    await passim.sources.request('papers')
    await waitForState('papers', 'completed')
  }
  expect(failures).toHaveLength(1)
  const broken = (await passim.sources.list()).find(({ name }) => name === 'broken')
  expect(broken).toMatchObject({ state: 'failed', error: { code: 'invalid_input' } })
  const jobs = await passim.jobs.list(undefined, 10)
  expect(jobs.find(({ id }) => id === 'sync_broken')).toMatchObject({ state: 'failed' })
})

test('a source of another collection takes its documents out of the one that it had', async () => {
  const server = await GitServer.start({ user: 'reader', password: 'hunter2' })
  await server.write('lease.md', 'The notice period is three months.')
  const code = { type: 'git', url: server.url, user: 'reader', password: 'hunter2' }
  const openInto = async (collection: string) => {
    const sources = {
      code: { ...code, allowPrivate: true, collection },
      papers: { ...folder(), collection },
    }
    passim = await sandbox.open({
      settings: { sources: sources as unknown as Settings['sources'] },
    }) // what the schema completes
  }
  await openInto('before')
  await passim.index(
    [await sandbox.write({ '../own/note.txt': 'A note.' }).then(() => sandbox.path('../own'))],
    { collection: 'before' },
  )
  for (const name of ['code', 'papers']) await passim.sources.run(name)
  expect(await passim.list('before')).toHaveLength(4)
  await sandbox.close()
  await openInto('after')
  server.password = 'another'
  await passim.sources.run('code')
  expect(await passim.list('before')).toHaveLength(4) // a run that fails loses nothing
  server.password = 'hunter2'
  for (const name of ['code', 'papers']) await passim.sources.run(name)
  expect((await passim.list('before')).map(({ name }) => name)).toEqual(['note.txt'])
  expect(await passim.list('after')).toHaveLength(3)
  await server.close()
})

test('a source that cannot be listed leaves its documents in the collection that it had', async () => {
  const site = await WebServer.start({
    '/robots.txt': { status: 404 },
    '/': { body: '<a href="/a.html">A</a> <a href="/b.html">B</a>' },
    '/a.html': { body: '<p>A heron stands.</p> <a href="/c.html">C</a>' },
    '/b.html': { body: '<p>A crane flies.</p>' },
    '/c.html': { body: '<p>A coot swims.</p>' },
  })
  const pages = { type: 'site' as const, url: site.url('/').replace(/\/$/, ''), crawl: 2 }
  const openInto = async (collection: string) => {
    const sources = { papers: { ...folder(), collection }, pages: { ...pages, collection } }
    const others: object = { fetching: { allowPrivate: true, delayMs: 0 } }
    passim = await sandbox.open({
      settings: { sources: sources as unknown as Settings['sources'], ...others },
    }) // what the schema completes
  }
  await openInto('before')
  for (const name of ['papers', 'pages']) await passim.sources.run(name)
  const before = await passim.list('before')
  expect(before).toHaveLength(6)
  const readers = { readers: 'group:hr' }
  for (const { id, source } of before)
    if (/[ab].html$/.test(source)) await passim.setAttributes(id, readers)
  const annotate = async (page: string, note: string) => {
    const document = before.find(({ source }) => source.endsWith(page))
    const chunk = document && (await passim.chunks.list(document)).chunks[0]
    if (document && chunk) await passim.chunks.update(document, chunk.id, { note })
  }
  await annotate('/a.html', 'Dawn')
  await annotate('/c.html', 'Dusk')
  await sandbox.close()
  await openInto('after')
  await rename(sandbox.path('fox.txt'), sandbox.path('../fox.txt')) // as a drive that is not mounted
  await rename(sandbox.path('dog.txt'), sandbox.path('../dog.txt'))
  const start = site.pages['/']
  site.pages['/'] = { status: 500 }
  for (const name of ['papers', 'pages']) await passim.sources.run(name)
  expect(await passim.list('before')).toHaveLength(6)
  if (start) site.pages['/'] = start
  site.pages['/a.html'] = { status: 500 }
  site.pages['/b.html'] = { body: '<p>A crane sleeps.</p>' }
  const { totals } = await passim.sources.run('pages')
  expect(totals.failed).toBe(1)
  expect(await passim.list('before')).toHaveLength(2)
  const moved = await passim.list('after')
  expect(moved.map(({ source, status }) => `${status} ${new URL(source).pathname}`)).toEqual(
    expect.arrayContaining(['/', '/a.html', '/b.html', '/c.html'].map(at => `completed ${at}`)),
  )
  const restricted = moved.filter(({ attributes }) => attributes.readers === readers.readers)
  expect(restricted.map(({ source }) => new URL(source).pathname).toSorted()).toEqual([
    '/a.html',
    '/b.html',
  ])
  const find = async (query: string) =>
    (await passim.search({ query, collections: ['after'], mode: 'keyword' })).map(
      ({ text }) => text,
    )
  expect(await find('heron')).toEqual([expect.stringContaining('heron')]) // which cannot be read any more
  expect(await find('crane')).toEqual(['A crane sleeps.'])
  expect(await find('dawn')).toEqual([expect.stringContaining('heron')])
  expect(await find('dusk')).toEqual([expect.stringContaining('coot')])
  await rename(sandbox.path('../fox.txt'), sandbox.path('fox.txt'))
  await rename(sandbox.path('../dog.txt'), sandbox.path('dog.txt'))
  await passim.sources.run('papers')
  expect(await passim.list('before')).toHaveLength(0)
  expect(await passim.list('after')).toHaveLength(6)
  await site.close()
})

test('pages in a row that fail do not end the comparison of a site that still answers', async () => {
  const names = Array.from({ length: 25 }, (_, n) => `/broken-${n}.html`)
  const links = [...names, '/open.html'].map(name => `<a href="${name}">page</a>`)
  const site = await WebServer.start({
    '/robots.txt': { status: 404 },
    '/': { body: links.join(' ') },
    '/open.html': { body: '<p>A heron stands.</p>' },
    ...Object.fromEntries(names.map(name => [name, { status: 500 }])),
  })
  const pages = { type: 'site', url: site.url('/'), crawl: 1 } as const
  await openWith({ pages }, { fetching: { allowPrivate: true, delayMs: 0 } })
  expect(nonzero(await passim.sources.run('pages'))).toEqual({ indexed: 2, failed: 25 })
  const { body } = site.pages['/'] as { body: string } // as above
  let answers = 0
  site.pages['/'] = (_request, response) =>
    answers++ === 0
      ? response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      : response.destroy() // it goes away afterwards
  site.pages['/open.html'] = { status: 500 }
  const { documents } = await passim.sources.run('pages')
  expect(JSON.stringify(documents)).toContain('20 documents in a row')
  expect(JSON.stringify(documents)).not.toContain(names[20])
  await site.close()
})

test('pages in a row that the site refuses do not end its comparison', async () => {
  const names = Array.from({ length: 25 }, (_, n) => `/members-${n}.html`)
  const refused = Object.fromEntries(names.map(name => [name, { status: 403 }]))
  const links = [...names, '/open.html'].map(name => `<a href="${name}">page</a>`)
  const site = await WebServer.start({
    '/robots.txt': { status: 404 },
    '/': { body: links.join(' ') },
    '/open.html': { body: '<p>A heron stands.</p>' },
    ...refused,
  })
  const pages = { type: 'site', url: site.url('/'), crawl: 1 } as const
  await openWith({ pages }, { fetching: { allowPrivate: true, delayMs: 0 } })
  expect(nonzero(await passim.sources.run('pages'))).toEqual({ indexed: 2, failed: 25 })
  await site.close()
})

test('names in a row that cannot be read do not end a comparison', async () => {
  const server = await GitServer.start({ user: 'reader', password: 'hunter2' })
  for (let n = 0; n < 21; n++) await server.write(`bell-${n}\u0007.md`, 'A bell.')
  await server.write('lease.md', 'The notice period is three months.')
  const code = { type: 'git', url: server.url, user: 'reader', password: 'hunter2' }
  const sources = { code: { ...code, allowPrivate: true, collection: 'kept' } }
  const settings = { sources: sources as unknown as Settings['sources'] } // what the schema completes
  passim = await sandbox.open({ settings })
  expect(nonzero(await passim.sources.run('code'))).toEqual({ indexed: 1, failed: 21 })
  await server.close()
})

test('a source of another name is not there', async () => {
  await openWith({ papers: folder() })
  await expect(passim.sources.run('paper')).rejects.toMatchObject({ code: 'not_found' })
})

test('credentials come from the environment, and the documents of a removed source are deleted', async () => {
  const server = await GitServer.start({ user: 'reader', password: 'hunter2' })
  await server.write('docs/lease.md', 'The notice period is three months.')
  await server.write('notes/other.md', 'Something else.')
  const handbook = {
    type: 'git',
    url: server.url,
    user: 'reader',
    folder: 'docs',
    allowPrivate: true,
  }
  const settings = { sources: { handbook } as unknown as Settings['sources'] } // what the schema parses
  const environment = { PASSIM_SOURCE_HANDBOOK_PASSWORD: 'hunter2' }
  passim = await sandbox.open({ settings, environment })
  expect(nonzero(await passim.sources.run('handbook'))).toEqual({ indexed: 1 })
  expect((await passim.doctor()).hosts).toContain(new URL(server.url).host)
  await sandbox.close()
  await server.close()
  passim = await sandbox.open()
  expect(await passim.sources.remove('handbook')).toBe(1)
  expect(await passim.list('default')).toEqual([])
  expect(await passim.restoring.list()).toHaveLength(1)
})

test('addresses with credentials and options of git are refused', async () => {
  const url = 'https://example.org/a.git'
  const login = { user: 'a', password: 'hunter2' }
  const refused = [
    { type: 'git', url: 'https://a:hunter2@example.org/a.git' },
    { type: 'git', url: 'ext::sh' },
    { type: 'git', url: 'ssh://-oProxyCommand=x/a' },
    { type: 'git', url, branch: '--upload-pack=x' },
    { type: 'git', url, folder: '../a' },
    { type: 'imap', url: 'imap://a:hunter2@mail.example.org', ...login },
    { type: 's3', url, bucket: 'b-b' },
    { type: 'folder', path: 'relative' },
  ]
  for (const source of refused) {
    const sources = { x: source } as unknown as Settings['sources'] // refused by the schema
    const failure = await sandbox.open({ settings: { sources } }).catch((error: Error) => error)
    expect(failure).toMatchObject({ code: 'invalid_input' })
    expect(String(failure)).not.toContain('hunter2')
  }
})
