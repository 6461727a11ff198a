import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IndexOptions } from '../../src/app/indexing/index-documents.ts'
import type { Passim } from '../../src/app/passim.ts'
import type { IndexResult } from '../../src/wire/indexing.ts'
import { Sandbox } from '../fakes/store.ts'
import { WebServer } from '../fakes/web-server.ts'

const ROBOTS = { type: 'text/plain', body: 'User-agent: *\nDisallow: /docs/secret' }
const page = (text: string, ...links: string[]) => ({
  body: `<html><body><h1>${text}</h1><p>About ${text}.</p>${links.map(link => `<a href="${link}">x</a>`).join('')}`,
  headers: { etag: `"${text} ${links.length}"` },
})

let sandbox: Sandbox
let passim: Passim
let site: WebServer
let collection: string
let tests = 0

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ settings: { fetching: { allowPrivate: true, delayMs: 0 } } })
})
beforeEach(async () => {
  await site?.close()
  collection = `pages ${tests++}`
  site = await WebServer.start({
    '/robots.txt': ROBOTS,
    '/docs/': page(
      'start',
      'fox.html',
      'dog.html#part',
      'secret',
      '/other/',
      'https://example.org/',
      'gone.html',
    ),
    '/docs/fox.html': page('reynard', 'owl'),
    '/docs/dog.html': page('dogs', './'),
    '/docs/owl': page('owls'),
    '/other/': page('others'),
  })
})
afterAll(async () => {
  await site.close()
  await sandbox.remove()
})

const index = (paths: readonly string[], options: IndexOptions = {}) =>
  passim.index(
    paths.map(path => site.url(path)),
    { collection, withoutVectors: true, ...options },
  )
const statuses = ({ documents }: IndexResult) =>
  Object.fromEntries(
    documents.map(({ source, status }) => [source.replace(site.url(''), ''), status]),
  )
const found = async (query: string) => {
  const hits = await passim.search({ query, mode: 'keyword', collections: [collection] })
  return hits.map(hit => hit.source.replace(site.url(''), ''))
}
const pagesAsked = () => site.requests.splice(0).filter(request => !request.includes('robots.txt'))

describe('one URL', () => {
  test('is indexed by its content, under its name, and costs one answer without bytes when nothing changed', async () => {
    expect(statuses(await index(['/docs/fox.html']))).toEqual({ '/docs/fox.html': 'indexed' })
    expect(await found('reynard')).toEqual(['/docs/fox.html'])
    const [document] = await passim.list(await passim.scope.findCollection(collection))
    expect(document).toMatchObject({ name: 'fox.html', title: 'reynard', mediaType: 'text/html' })
    pagesAsked()
    expect(statuses(await index(['/docs/fox.html#here']))).toEqual({
      '/docs/fox.html': 'unchanged',
    })
    expect(pagesAsked()).toEqual(['304 /docs/fox.html'])
  })
  test('is found however it is written', async () => {
    await index(['/docs/fox.html'])
    const asked = site.url('/docs/./fox.html#part')
    expect(
      (await passim.scope.findDocument(asked, [await passim.scope.findCollection(collection)]))
        .name,
    ).toBe('fox.html')
  })
  test('that changed replaces what was there', async () => {
    await index(['/docs/fox.html'])
    site.pages['/docs/fox.html'] = page('badgers')
    expect(statuses(await index(['/docs/fox.html']))).toEqual({ '/docs/fox.html': 'replaced' })
    expect([await found('reynard'), await found('badgers')]).toEqual([[], ['/docs/fox.html']])
  })
  test('that fails or is gone is named, and what was read of it stays until it is pruned', async () => {
    await index(['/docs/fox.html'])
    site.pages['/docs/fox.html'] = { status: 503 }
    const broken = await index(['/docs/fox.html'], { prune: true })
    expect(broken.documents[0]?.error?.message).toContain(
      '/docs/fox.html: the server answered with status 503',
    )
    delete site.pages['/docs/fox.html']
    const gone = await index(['/docs/fox.html'])
    expect(gone.documents).toMatchObject([{ status: 'failed', error: { code: 'fetch_failed' } }])
    expect(gone.documents[0]?.error?.advice).toContain('--prune')
    expect(await found('reynard')).toEqual(['/docs/fox.html'])
    expect(statuses(await index(['/docs/fox.html'], { prune: true }))).toEqual({
      '/docs/fox.html': 'removed',
    })
  })
  test('is what its bytes are; the server decides between kinds of text', async () => {
    site.pages['/notes'] = {
      type: 'text/markdown; charset=utf-8',
      body: '# Notes\n\nAbout herons.',
    }
    site.pages['/data.html'] = { type: 'application/octet-stream', body: '%PDF-1.4 broken' }
    expect(statuses(await index(['/notes', '/data.html']))).toEqual({
      '/notes': 'indexed',
      '/data.html': 'failed',
    })
    const types = (await passim.list(await passim.scope.findCollection(collection))).map(
      ({ mediaType }) => mediaType,
    )
    expect(types).toContain('text/markdown')
  })
})

describe('what is refused', () => {
  const failure = async (url: string, options: IndexOptions = {}) => {
    const { documents } = await passim.index([url], { collection, ...options })
    return documents[0]
  }
  test('a private address, unless it is allowed', async () => {
    const url = site.url('/docs/')
    const refused = await failure(url, { allowPrivate: false })
    expect(refused).toMatchObject({
      source: url,
      status: 'failed',
      error: { code: 'forbidden_source' },
    })
    expect(site.requests).toEqual([])
  })
  test('other protocols', async () =>
    expect(await failure('file:///etc/passwd')).toMatchObject({
      error: { code: 'forbidden_source' },
    }))
  test('credentials, which are not repeated', async () => {
    const refused = await failure('http://user:secret@example.org/')
    expect(refused?.error?.code).toBe('forbidden_source')
    expect(JSON.stringify(refused)).not.toContain('secret')
  })
})

describe('a site', () => {
  test('is followed so many links deep, in its folder, as robots.txt allows', async () => {
    expect(statuses(await index(['/docs/'], { crawl: 1 }))).toEqual({
      '/docs/': 'indexed',
      '/docs/fox.html': 'indexed',
      '/docs/dog.html': 'indexed',
      '/docs/secret': 'skipped',
      '/docs/gone.html': 'skipped',
    })
    expect(statuses(await index(['/docs/'], { crawl: 2 }))).toMatchObject({
      '/docs/owl': 'indexed',
    })
    expect(site.requests.filter(request => request.includes('secret'))).toEqual([])
  })
  test('that has not changed sends no page again', async () => {
    await index(['/docs/'], { crawl: 2 })
    pagesAsked()
    expect((await index(['/docs/'], { crawl: 2 })).totals).toMatchObject({
      unchanged: 4,
      failed: 0,
    })
    expect(pagesAsked().filter(request => request.startsWith('200'))).toEqual([])
  })
  test('loses what its server says is gone, and keeps what only nobody links to any more', async () => {
    await index(['/docs/'], { crawl: 1 })
    site.pages['/docs/'] = page('start')
    delete site.pages['/docs/fox.html']
    expect(statuses(await index(['/docs/'], { crawl: 1 }))).toEqual({
      '/docs/': 'replaced',
      '/docs/fox.html': 'removed',
      '/docs/dog.html': 'unchanged',
    })
  })
  test('that cannot be reached loses nothing', async () => {
    await index(['/docs/'], { crawl: 1 })
    for (const path of Object.keys(site.pages)) site.pages[path] = { status: 500 }
    expect((await index(['/docs/'], { crawl: 1, prune: true })).totals).toMatchObject({
      removed: 0,
      failed: 1,
    })
    expect(await found('reynard')).toEqual(['/docs/fox.html'])
  })
  test('is read by its sitemap when asked for', async () => {
    const urls = ['/docs/owl', '/docs/dog.html', '/other/'].map(
      path => `<url><loc>${site.url(path)}</loc></url>`,
    )
    site.pages['/sitemap.xml'] = { type: 'text/xml', body: `<urlset>${urls.join('')}</urlset>` }
    expect(statuses(await index(['/docs/'], { crawl: 'sitemap' }))).toEqual({
      '/docs/': 'indexed',
      '/docs/owl': 'indexed',
      '/docs/dog.html': 'indexed',
    })
  })
  test('without a sitemap says so', async () => {
    const { documents } = await index(['/docs/'], { crawl: 'sitemap' })
    expect(documents.find(({ status }) => status === 'failed')?.error?.message).toContain(
      'There is no sitemap',
    )
  })
  test('has no more pages than are asked for, and says that some were left out', async () => {
    const result = await index(['/docs/'], { crawl: 2, maxPages: 2 })
    expect(result.totals).toMatchObject({ indexed: 2, skipped: 1 })
    expect(result.documents.at(-1)?.error?.advice).toContain('--max-pages')
  })
  test('takes a page that moved for one page', async () => {
    await index(['/docs/'], { crawl: 1 })
    site.pages['/docs/fox.html'] = { status: 301, headers: { location: '/docs/vulpes.html' } }
    site.pages['/docs/vulpes.html'] = page('reynard')
    await index(['/docs/'], { crawl: 1 })
    expect(await found('reynard')).toEqual(['/docs/vulpes.html'])
  })
})

test('doctor names the hosts of webhooks and traces', async () => {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  const passim = await sandbox.open({
    settings: {
      webhooks: [{ url: 'https://hooks.example.org/passim', secret }],
      server: { traces: { url: 'http://traces.example.org:4318/v1/traces' } },
    },
  })
  expect((await passim.doctor()).hosts).toEqual(
    expect.arrayContaining(['hooks.example.org', 'traces.example.org:4318']),
  )
})

test('doctor names the hosts of documents from the web', async () => {
  await index(['/docs/fox.html'])
  expect((await passim.doctor()).hosts).toContain(`127.0.0.1:${site.port}`)
})
