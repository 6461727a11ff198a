import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { GitServer } from '../fakes/git-server.ts'
import { HttpProxy } from '../fakes/http-proxy.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { WebServer } from '../fakes/web-server.ts'
import { type SourceServer, testSource } from './source.contract.ts'

async function startBucket(): Promise<SourceServer> {
  const bucket = new TestBucket(s3Place!) // skipped without
  await bucket.make()
  const proxy = await HttpProxy.start(new URL(bucket.place.url))
  const objects = `GET /${bucket.place.bucket}/${bucket.prefix}`
  return {
    settings: { type: 's3', ...bucket.settings, url: proxy.origin },
    secrets: [bucket.place.secretAccessKey],
    write: async (path, text) => {
      await bucket.blobs.remove([path]) // blobs are written once
      await bucket.blobs.put(path, Buffer.from(text))
    },
    remove: path => bucket.blobs.remove([path]),
    breakItem: path => {
      proxy.answerInstead = line => (line === objects + path ? 403 : undefined)
    },
    breakList: () => {
      proxy.answerInstead = line => (line.includes('list-type=2') ? 403 : undefined)
    },
    repair: () => {
      proxy.answerInstead = () => undefined
    },
    countReads: () => proxy.requests.filter(line => line.startsWith(objects)).length,
    close: async () => {
      await bucket.remove()
      await proxy.close()
    },
  }
}

async function startRepository(): Promise<SourceServer> {
  const server = await GitServer.start({ user: 'reader', password: 'hunter2-git' })
  await server.write('first.exe', 'MZ\u0000\u0001')
  return {
    settings: {
      type: 'git',
      url: server.url,
      user: 'reader',
      password: 'hunter2-git',
      exclude: ['first.exe'],
    },
    secrets: ['hunter2-git', Buffer.from('reader:hunter2-git').toString('base64')],
    write: (path, text) => server.write(path, text),
    remove: path => server.remove(path),
    breakList: () => {
      server.password = 'another'
    },
    repair: () => {
      server.password = 'hunter2-git'
    },
    close: () => server.close(),
  }
}

async function startFolder(): Promise<SourceServer> {
  const parent = await mkdtemp(path.join(tmpdir(), 'passim-source-'))
  const folder = path.join(parent, 'docs')
  await mkdir(folder)
  return {
    settings: { type: 'folder', path: folder },
    secrets: [],
    root: `${folder}/`,
    isLocal: true,
    reportsChanges: true,
    write: async (name, text) => {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
      await writeFile(path.join(folder, name), text)
    },
    remove: name => rm(path.join(folder, name)),
    breakList: () => rename(folder, `${folder}-away`),
    repair: () => rename(`${folder}-away`, folder),
    close: () => rm(parent, { recursive: true }),
  }
}

/** A page that links the others. */
async function startSite(): Promise<SourceServer> {
  const site = await WebServer.start({ '/robots.txt': { status: 404 } })
  const texts = new Map<string, string>()
  const update = () => {
    const links = [...texts.keys()].map(name => `<a href="/${encodeURI(name)}">${name}</a>`)
    site.pages['/'] = { body: `<p>All pages</p>${links.join(' ')}` }
  }
  update()
  return {
    settings: { type: 'site', url: site.url('/'), crawl: 1 },
    secrets: [],
    root: site.url('/'),
    ownPage: site.url('/'),
    isCrawled: true,
    otherSettings: { fetching: { delayMs: 0 } },
    write: async (name, text) => {
      texts.set(name, text)
      const headers = { etag: JSON.stringify(text) }
      site.pages[`/${encodeURI(name)}`] = { type: 'text/plain', body: text, headers }
      update()
    },
    remove: async name => {
      texts.delete(name)
      delete site.pages[`/${name}`]
      update()
    },
    breakItem: name => {
      site.pages[`/${name}`] = { status: 500 }
    },
    breakList: () => {
      site.pages['/robots.txt'] = { status: 500 }
    },
    repair: () => {
      site.pages['/robots.txt'] = { status: 404 }
      for (const [name, body] of texts)
        site.pages[`/${encodeURI(name)}`] = { type: 'text/plain', body }
    },
    countReads: () => site.requests.filter(line => /^200 .*\.txt$/.test(line)).length,
    close: () => site.close(),
  }
}

testSource('a folder', startFolder)
testSource('a web site', startSite)
testSource('a git repository', startRepository)
testSource('an S3 bucket', startBucket, s3Place ? undefined : NEEDS_S3)
