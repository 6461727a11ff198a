import { rename, rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IndexOptions } from '../../src/app/indexing/index-documents.ts'
import type { Passim } from '../../src/app/passim.ts'
import type { IndexResult } from '../../src/wire/indexing.ts'
import { Sandbox } from '../fakes/store.ts'
import { zip } from '../fixtures/zip.ts'

let sandbox: Sandbox
let passim: Passim
let collection: string
let mail: string
let tests = 0

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
})
beforeEach(async () => {
  collection = `mails ${tests++}`
  await sandbox.write({
    [`${tests}/mail.eml`]: message('Lunch', attached('menu.md', '# Menu\n\nA heron pie.')),
  })
  mail = sandbox.path(`${tests}/mail.eml`)
})
afterAll(() => sandbox.remove())

function message(subject: string, ...parts: readonly string[]): string {
  const head = `Subject: ${subject}\nFrom: Ann <ann@example.com>\nMIME-Version: 1.0\n`
  const all = ['Content-Type: text/plain\n\nSee what is attached.', ...parts]
  const boundary = `b${subject.length}${parts.join('').length}`
  return `${head}Content-Type: multipart/mixed; boundary=${boundary}\n\n${all.map(part => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`
}

function attached(name: string, text: string, type = 'application/octet-stream'): string {
  const encoded = Buffer.from(text, 'latin1').toString('base64')
  const head = `Content-Type: ${type}\nContent-Disposition: attachment; filename="${name}"`
  return `${head}\nContent-Transfer-Encoding: base64\n\n${encoded}`
}

const index = (options: IndexOptions = {}, path = mail) =>
  passim.index([path], { collection, withoutVectors: true, ...options })
const statuses = ({ documents }: IndexResult) =>
  Object.fromEntries(
    documents.map(({ source, status }) => [source.slice(source.lastIndexOf('/') + 1), status]),
  )
const found = async (query: string) => {
  const hits = await passim.search({ query, mode: 'keyword', collections: [collection] })
  return hits.map(hit => hit.source.slice(hit.source.lastIndexOf('/') + 1))
}
const documents = async () => await passim.list(await passim.scope.findCollection(collection))

describe('what is attached to a mail', () => {
  test('is a document of its own, found and cited as part of the mail', async () => {
    expect(statuses(await index())).toEqual({
      'mail.eml': 'indexed',
      'mail.eml#menu.md': 'indexed',
    })
    expect(await found('heron')).toEqual(['mail.eml#menu.md'])
    const [parent, menu] = await documents()
    expect(menu).toMatchObject({
      name: 'menu.md',
      title: 'Menu',
      mediaType: 'text/markdown',
      parentId: parent!.id,
    })
    expect(statuses(await index())).toEqual({
      'mail.eml': 'unchanged',
      'mail.eml#menu.md': 'unchanged',
    })
    expect((await passim.verify.run()).problems).toEqual([])
  })
  test('is not taken for a file that is gone from the folder', async () => {
    const folder = mail.slice(0, mail.lastIndexOf('/'))
    await index({}, folder)
    expect(statuses(await index({}, folder))).toEqual({
      'mail.eml': 'unchanged',
      'mail.eml#menu.md': 'unchanged',
    })
  })
  test('changes with the mail: replaced, added and removed', async () => {
    await index()
    const [, before] = await documents()
    await writeFile(
      mail,
      message('Lunch', attached('menu.md', 'A badger pie.'), attached('wine.txt', 'Red or white.')),
    )
    expect(statuses(await index())).toEqual({
      'mail.eml': 'replaced',
      'mail.eml#menu.md': 'replaced',
      'mail.eml#wine.txt': 'indexed',
    })
    expect((await documents())[1]?.id).toBe(before?.id)
    await writeFile(mail, message('Lunch', attached('wine.txt', 'Red or white.')))
    expect(statuses(await index())).toEqual({
      'mail.eml': 'replaced',
      'mail.eml#menu.md': 'removed',
      'mail.eml#wine.txt': 'unchanged',
    })
    expect([await found('heron'), await found('badger'), await found('white')]).toEqual([
      [],
      [],
      ['mail.eml#wine.txt'],
    ])
  })
  test('goes when the mail is gone, deleted, or cannot be read any more', async () => {
    await index()
    await rm(mail)
    await index({ prune: true })
    expect(await documents()).toEqual([])
    await writeFile(mail, message('Lunch', attached('menu.md', 'A heron pie.')))
    await index()
    await passim.delete((await documents())[0]!)
    expect(await documents()).toEqual([])
    await index()
    await writeFile(mail, '')
    expect(statuses(await index())).toEqual({ 'mail.eml': 'failed', 'mail.eml#menu.md': 'removed' })
    expect(await found('heron')).toEqual([])
    expect((await passim.verify.run()).problems).toEqual([])
  })
  test('moves with the mail', async () => {
    await index({}, sandbox.path(String(tests)))
    await rename(mail, sandbox.path(`${tests}/letter.eml`))
    await index({}, sandbox.path(String(tests)))
    expect(await found('heron')).toEqual(['letter.eml#menu.md'])
  })
  test('fails by itself', async () => {
    await writeFile(
      mail,
      message('Lunch', attached('a.pdf', '%PDF-1.4 broken'), attached('menu.md', 'A heron pie.')),
    )
    const result = await index()
    expect(statuses(result)).toEqual({
      'mail.eml': 'indexed',
      'mail.eml#a.pdf': 'failed',
      'mail.eml#menu.md': 'indexed',
    })
    expect(result.documents[1]?.error?.code).toBe('corrupt')
  })
  test('of a format that cannot be read is a warning of the mail', async () => {
    await writeFile(mail, message('Lunch', attached('x.bin', '\x00\x01\x02\x03'.repeat(50))))
    const {
      documents: [first, ...others],
    } = await index()
    expect(others).toEqual([])
    expect(first?.warnings).toMatchObject([
      { code: 'unsupported_format', message: expect.stringContaining('x.bin') },
    ])
  })
  test('may be a mail with attachments, so many deep', async () => {
    let nested = message('Innermost', attached('menu.md', 'A heron pie.'))
    for (const level of ['five', 'four', 'three', 'two'])
      nested = message(level, attached(`${level}.eml`, nested, 'message/rfc822'))
    await writeFile(mail, message('Outer', attached('one.eml', nested, 'message/rfc822')))
    const result = await index()
    const sources = result.documents.map(({ source }) => source.slice(mail.length))
    expect(sources.toSorted().at(-1)).toBe('#one.eml#two.eml#three.eml#four.eml#five.eml')
    expect(await found('heron')).toEqual([])
    const deepest = result.documents.find(({ source }) => source.endsWith('#five.eml'))
    expect(deepest?.warnings).toMatchObject([
      { code: 'too_large', message: expect.stringContaining('menu.md') },
    ])
  })
  test('stays in a mail whose attachment is also a file, and in a copy of the mail', async () => {
    await sandbox.write({ [`${tests}/menu.md`]: '# Menu\n\nA heron pie.' })
    await sandbox.write({
      [`${tests}/copies/mail.eml`]: message('Lunch', attached('menu.md', '# Menu\n\nA heron pie.')),
    })
    const folder = sandbox.path(String(tests))
    await index({}, sandbox.path(`${tests}/menu.md`))
    await index({}, mail)
    await index({}, folder)
    const { documents: again } = await index({ force: true }, folder)
    expect(again.map(({ status }) => status)).not.toContain('failed')
    expect((await documents()).map(({ status }) => status)).toEqual(Array(5).fill('completed'))
  })
  test('stays complete when the document is indexed again, though both together exceed the limit', async () => {
    const files = Array.from({ length: 501 }, (_, number) => [`${number}.txt`, `Heron ${number}`])
    const archive = sandbox.path(`${tests}/birds.zip`)
    await writeFile(archive, zip(Object.fromEntries(files)))
    await index({}, archive)
    expect(await documents()).toHaveLength(502)
    const { documents: again } = await index({ force: true }, archive)
    expect(again.find(({ source }) => source === archive)?.warnings).toEqual([])
    expect(await documents()).toHaveLength(502)
  })
  test('beyond the limit is one warning', async () => {
    const files = Array.from({ length: 600 }, (_, number) => [`${number}.txt`, `Heron ${number}`])
    const inner = Object.fromEntries(files)
    const outer = zip({ ...inner, 'inner.zip': zip(inner) }).toString('latin1')
    await writeFile(mail, message('Birds', attached('outer.zip', outer)))
    const result = await index()
    const warnings = result.documents.flatMap(document => document.warnings)
    expect(warnings).toMatchObject([
      {
        code: 'too_large',
        message: expect.stringMatching(/\d+\.txt and 201 more attachments of inner\.zip/),
      },
    ])
    expect(await documents()).toHaveLength(1_001)
  })
  test('takes over the attributes of the mail', async () => {
    await index()
    await passim.setAttributes((await documents())[0]!.id, { team: 'sales' })
    await writeFile(mail, message('Lunch', attached('wine.txt', 'Red or white.')))
    await index()
    expect((await documents()).map(({ attributes }) => attributes)).toEqual([
      { team: 'sales' },
      { team: 'sales' },
    ])
  })
})
