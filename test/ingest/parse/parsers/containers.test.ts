import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import iconv from 'iconv-lite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { detectMediaType } from '../../../../src/ingest/parse/detection/media-type.ts'
import type { Parser, ParserEvent } from '../../../../src/ingest/parse/parser.ts'
import { mboxParser } from '../../../../src/ingest/parse/parsers/mbox.ts'
import { zipParser } from '../../../../src/ingest/parse/parsers/zip.ts'
import { zip } from '../../../fixtures/zip.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-container-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Reads a container, and returns its attachments with their bytes. */
async function unpack(parser: Parser, content: string | Uint8Array, name: string) {
  const file = path.join(folder, name)
  await writeFile(file, content)
  const mediaType = await detectMediaType(file, name)
  const events: ParserEvent[] = []
  const attachmentsFolder = path.join(folder, 'attachments')
  for await (const event of parser.parse({ path: file, name, mediaType, attachmentsFolder }))
    events.push(event)
  const files: Record<string, string> = {}
  for (const event of events)
    if (event.type === 'attachment')
      files[event.attachment.name] = await readFile(
        path.join(attachmentsFolder, event.attachment.file),
        'utf8',
      )
  const texts = events.flatMap(event => (event.type === 'block' ? [event.block.text] : []))
  const warnings = events.flatMap(event => (event.type === 'warning' ? [event.warning] : []))
  return { mediaType, files, texts, warnings }
}

const MAILBOX = `From ada@example.org Wed May  1 08:00:00 2024
Subject: Lease
MIME-Version: 1.0
Content-Transfer-Encoding: base64

RGVyIFZlcnRyYWcgZW5kZXQu

From bob@example.org Thu May  2 08:00:00 2024
Subject: Fees

>From June on, 40 euros.
From here it is quoted by nobody.
`

describe('a mailbox', () => {
  test('has its subjects decoded', async () => {
    const encoded = MAILBOX.replace('Lease', '=?windows-1255?B?+ezl7Q==?=\n =?utf-8?Q?_=E8=8C=B6?=')
    const { texts } = await unpack(mboxParser, encoded, 'inbox')
    expect(texts[1]).toBe('1.eml: שלום 茶')
  })
  test('is each of its mails as a document, and a list of subjects', async () => {
    const { mediaType, files, texts } = await unpack(mboxParser, MAILBOX, 'inbox')
    expect(mediaType).toBe('application/mbox')
    expect(texts).toEqual(['inbox', '1.eml: Lease', '2.eml: Fees'])
    expect(files['1.eml']).toContain('RGVyIFZlcnRyYWcgZW5kZXQu')
    expect(files['2.eml']).toContain('\nFrom June on, 40 euros.\nFrom here it is')
  })
  test('without a mail is damaged', async () => {
    await expect(unpack(mboxParser, 'Hello.\n', 'inbox.mbox')).rejects.toThrow(
      'Cannot read inbox.mbox: no mail begins in it',
    )
  })
})

describe('a zip archive', () => {
  test('is each of its files as a document, without those that programs add', async () => {
    const bytes = zip({
      'a/notes.txt': 'One.',
      'b/notes.txt': 'Two.',
      '__MACOSX/a/._notes.txt': 'x',
      'empty/': '',
    })
    const { mediaType, files, texts } = await unpack(zipParser, bytes, 'notes.zip')
    expect(mediaType).toBe('application/zip')
    expect(files).toEqual({ 'a/notes.txt': 'One.', 'b/notes.txt': 'Two.' })
    expect(texts).toEqual(['notes.zip', 'a/notes.txt', 'b/notes.txt'])
  })
  test('of more files than are read says so', async () => {
    const entries = Array.from({ length: 1_002 }, (_, index) => [`${index}.txt`, 'x'] as const)
    const { files, warnings } = await unpack(
      zipParser,
      zip(Object.fromEntries(entries)),
      'many.zip',
    )
    expect(Object.keys(files)).toHaveLength(1_000)
    expect(warnings).toMatchObject([{ code: 'too_large' }])
  })
  test('never writes outside of the folder for attachments', async () => {
    const names = { '../../evil.txt': 'x', '/absolute.txt': 'y', 'C:\\drive.txt': 'z' }
    const { files } = await unpack(zipParser, zip(names), 'evil.zip')
    expect(Object.values(files)).toEqual(['x', 'y', 'z'])
    expect((await readdir(folder)).toSorted()).toEqual(['attachments', 'evil.zip'])
    expect((await readdir(path.join(folder, 'attachments'))).toSorted()).toEqual(['1', '2', '3'])
  })
  test.each([
    ['gb18030', '报告.txt'],
    ['shift_jis', '資料.txt'],
    ['cp866', 'отчёт.txt'],
    ['cp437', 'Müller.txt'],
    ['utf-8', 'Müller.txt'],
  ])('has names in %s, as the system that wrote it', async (charset, name) => {
    const bytes = iconv.encode(name, charset)
    const ascii = 'x'.repeat(bytes.length)
    const written = zip({ [ascii]: 'One.' }).toString('latin1')
    const archive = Buffer.from(written.replaceAll(ascii, bytes.toString('latin1')), 'latin1')
    expect((await unpack(zipParser, archive, 'a.zip')).files).toEqual({ [name]: 'One.' })
  })
  test('that inflates without end is refused', async () => {
    const bomb = zip({ 'a.txt': Buffer.alloc(20 * 1024 * 1024) })
    await expect(unpack(zipParser, bomb, 'bomb.zip')).rejects.toMatchObject({ code: 'too_large' })
  })
})
