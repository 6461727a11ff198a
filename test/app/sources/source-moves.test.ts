import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import type { Settings } from '../../../src/config.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

const MAIL = 'Subject: Lunch\nContent-Type: multipart/mixed; boundary=b'
const MENU = 'Content-Disposition: attachment; filename="menu.txt"\n\nA heron pie.'

async function openWith(collection: string): Promise<void> {
  const path = sandbox.path('').replace(/\/$/, '')
  const sources = { papers: { type: 'folder', path, collection } }
  passim = await sandbox.open({
    settings: { sources: sources as unknown as Settings['sources'] },
  }) // what the schema completes
}

test('an attachment has its attributes and notes in the other collection', async () => {
  await sandbox.write({ 'a.eml': `${MAIL}\n\n--b\n\nSee below.\n--b\n${MENU}\n--b--\n` })
  const openInto = async (collection: string) => {
    await openWith(collection)
    await passim.sources.run('papers')
    return (await passim.list(collection)).find(({ name }) => name === 'menu.txt')
  }
  const menu = await openInto('before')
  const [chunk] = (await passim.chunks.list(menu!)).chunks
  await passim.setAttributes(menu!.id, { readers: 'group:hr' })
  await passim.chunks.update(menu!, chunk!.id, { note: 'Dusk' })
  await sandbox.close()
  expect(await openInto('after')).toMatchObject({ attributes: { readers: 'group:hr' } })
  const hits = await passim.search({ query: 'dusk', collections: ['after'], mode: 'keyword' })
  expect(hits.map(({ text }) => text)).toEqual(['A heron pie.'])
})

test('documents have their attributes as soon as they are in the other collection', async () => {
  await sandbox.write({ 'a.eml': `${MAIL}\n\n--b\n\nSee below.\n--b\n${MENU}\n--b--\n` })
  await openWith('before')
  await passim.sources.run('papers')
  const [mail, menu] = await passim.list('before')
  await passim.setAttributes(mail!.id, { readers: 'group:staff' })
  await passim.setAttributes(menu!.id, { readers: 'group:hr' })
  await sandbox.close()
  await sandbox.write({ 'a.eml': `${MAIL}\n\n--b\n\nSee it.\n--b\n${MENU} Soup.\n--b--\n` })
  await openWith('after')
  const interrupted = new AbortController()
  const onEvent = ({ type }: { readonly type: string }) => {
    if (type === 'found') interrupted.abort()
  }
  await expect(
    passim.sources.run('papers', { onEvent, signal: interrupted.signal }),
  ).rejects.toThrow()
  const listReaders = async () =>
    (await passim.list('after')).map(({ name, attributes }) => [name, attributes.readers])
  const readers = [
    ['a.eml', 'group:staff'],
    ['menu.txt', 'group:hr'],
  ]
  expect(await listReaders()).toEqual(readers)
  await passim.index([sandbox.path('a.eml')], { collection: 'after' })
  expect(await listReaders()).toEqual(readers)
  const hits = await passim.search({ query: 'soup', collections: ['after'], mode: 'keyword' })
  expect(hits.map(({ text }) => text)).toEqual(['A heron pie. Soup.'])
})

test('attributes that are changed while a source moves are kept', async () => {
  await sandbox.write({ 'a.md': 'A heron.' })
  await openWith('before')
  await passim.sources.run('papers')
  const [old] = await passim.list('before')
  await passim.setAttributes(old!.id, { readers: 'group:all', topic: 'birds', year: 2025 })
  await sandbox.close()
  await openWith('after')
  const changed: Promise<void>[] = []
  const onEvent = ({ type }: { readonly type: string }) => {
    if (type === 'found')
      changed.push(passim.setAttributes(old!.id, { readers: 'group:hr', topic: 'birds' }))
  }
  await passim.sources.run('papers', { onEvent })
  await Promise.all(changed)
  const [moved] = await passim.list('after')
  expect(moved?.attributes).toEqual({ readers: 'group:hr', topic: 'birds' })
})

test('what documents have of their own in the other collection is kept beside what they had', async () => {
  const plain = `${MAIL}\n\n--b\n\nSee above.\n--b--\n`
  const annotate = async (collection: string, note: string) => {
    const mail = (await passim.list(collection)).find(({ name }) => name === 'a.eml')!
    const { chunks } = await passim.chunks.list(mail)
    await passim.chunks.update(mail, chunks[0]!.id, { note })
    return mail
  }
  await sandbox.write({ 'a.eml': plain })
  await openWith('before')
  await passim.index([sandbox.path('a.eml')], { collection: 'after' })
  const other = await annotate('after', 'Dawn')
  await passim.setAttributes(other.id, { readers: 'group:staff' })
  await sandbox.write({
    'a.eml': `${MAIL}\n\n--b\n\nSee below.\n--b\n${MENU}\n--b--\n`,
  })
  await passim.sources.run('papers')
  const mail = await annotate('before', 'Dusk')
  await passim.setAttributes(mail.id, { readers: 'group:all', topic: 'lunch' })
  const menu = (await passim.list('before')).find(({ name }) => name === 'menu.txt')!
  await passim.setAttributes(menu.id, { readers: 'group:hr' })
  await sandbox.close()
  await openWith('after')
  await passim.sources.run('papers')
  const moved = await passim.list('after')
  expect(moved.find(({ name }) => name === 'a.eml')?.attributes).toEqual({
    readers: 'group:staff',
    topic: 'lunch',
  })
  expect(moved.find(({ name }) => name === 'menu.txt')?.attributes).toEqual({
    readers: 'group:hr',
  })
  const hits = await passim.search({ query: 'dusk', collections: ['after'], mode: 'keyword' })
  expect(hits.map(({ text }) => text)).toEqual([expect.stringContaining('See below.')])
  expect(await passim.list('before')).toEqual([])
})
