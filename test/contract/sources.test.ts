import { GitServer } from '../fakes/git-server.ts'
import { HttpProxy } from '../fakes/http-proxy.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
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

testSource('a git repository', startRepository)
testSource('an S3 bucket', startBucket, s3Place ? undefined : NEEDS_S3)
