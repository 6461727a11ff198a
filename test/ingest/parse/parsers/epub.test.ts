import { describe, expect, test } from 'vitest'
import { epubParser } from '../../../../src/ingest/parse/parsers/epub.ts'
import { epub } from '../../../fixtures/epub.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'
import { zip } from '../../../fixtures/zip.ts'

const body = '<h1>One</h1><p>a</p>'

async function check(file: Buffer, expected: readonly string[]) {
  expect(outline((await parseBytes(epubParser, file)).blocks)).toEqual(expected)
}

describe('a book', () => {
  test('is read in the order of its spine', () =>
    check(epub(['<h1>One</h1>', '<h1>Two</h1>', '<h1>Ten</h1>']), [
      'heading1: One',
      'heading1: Two',
      'heading1: Ten',
    ]))
  test('may close in itself what HTML would leave open', () =>
    check(epub(['<script src="x"/><p><a id="p1"/>a<br/>b</p>']), ['paragraph: a / b']))
  test('warns of a chapter whose charset is not the stated one', async () => {
    const chapter = Buffer.from(
      '<?xml version="1.0" encoding="us-ascii"?><html><body><p>caf\u00e9 ouvert</p></body></html>',
    )
    const book = epub([body], '', { 'book/chapter 1.xhtml': chapter })
    const { warnings } = await parseBytes(epubParser, book)
    expect(warnings).toEqual([
      { code: 'charset', message: expect.stringContaining('us-ascii is declared') },
    ])
  })
  test('leaves out its contents list', () =>
    check(epub([`<nav><ol><li>One</li></ol></nav>${body}`]), ['heading1: One', 'paragraph: a']))
  test('tells title, authors, language and dates', async () => {
    const facts =
      '<dc:title>A</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator><dc:language>en</dc:language><dc:date>2011-09-01</dc:date><meta property="dcterms:modified">2012-01-18T12:47:00Z</meta>'
    const { metadata } = await parseBytes(epubParser, epub([body], facts))
    expect(metadata).toEqual({
      title: 'A',
      author: 'Ann, Bo',
      language: 'en',
      created: '2011-09-01',
      modified: '2012-01-18T12:47:00Z',
    })
  })
  test('with a chapter missing is read as far as it is there', async () => {
    const package_ =
      '<package><manifest><item id="a" href="a.html"/><item id="b" href="b.html"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    const { blocks, warnings } = await parseBytes(
      epubParser,
      epub([], '', { 'book/package.opf': package_, 'book/a.html': body }),
    )
    expect(outline(blocks)).toEqual(['heading1: One', 'paragraph: a'])
    expect(warnings).toEqual([
      { code: 'missing_parts', message: expect.stringContaining('b.html') },
    ])
  })
})

describe('encryption', () => {
  const encryption = (algorithm: string) => ({
    'META-INF/encryption.xml': `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`,
  })
  test('of the text is told', async () => {
    const file = epub([body], '', encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc'))
    await expect(parseBytes(epubParser, file)).rejects.toMatchObject({ code: 'encrypted' })
  })
  test('of fonts does not matter', () =>
    check(epub([body], '', encryption('http://www.idpf.org/2008/embedding')), [
      'heading1: One',
      'paragraph: a',
    ]))
})

describe('a file that is no sound book', () => {
  const checkFails = (file: Buffer, code: string) =>
    expect(parseBytes(epubParser, file)).rejects.toMatchObject({ code })

  test('is corrupt when cut off', () => checkFails(epub([body]).subarray(0, 500), 'corrupt'))
  test('is corrupt without its package', () =>
    checkFails(zip({ mimetype: 'application/epub+zip' }), 'corrupt'))
  test('is without text when its chapters are', () => checkFails(epub(['<p/>']), 'no_text'))
  test('is refused unread when it is a bomb', () =>
    checkFails(zip({ 'META-INF/container.xml': 'x', big: Buffer.alloc(40_000_000) }), 'too_large'))
})
