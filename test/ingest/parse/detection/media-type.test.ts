import { randomBytes } from 'node:crypto'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { detectMediaType } from '../../../../src/ingest/parse/detection/media-type.ts'
import { docx, paragraph } from '../../../fixtures/docx.ts'
import { ole2 } from '../../../fixtures/ole2.ts'
import { withFile } from '../../../fixtures/parsed.ts'
import { pdf } from '../../../fixtures/pdf.ts'
import { zip } from '../../../fixtures/zip.ts'

const OOXML = 'application/vnd.openxmlformats-officedocument'
const onePage = pdf([[{ text: 'Hello', x: 72, y: 72 }]])
const noise = Buffer.concat([Buffer.from([0x81, 0, 0x1f]), randomBytes(4000)])

function detect(content: string | Uint8Array, name: string, declared?: string): Promise<string> {
  return withFile(content, 'bytes', filePath => detectMediaType(filePath, name, { declared }))
}

async function checkDeclared(
  content: string | Uint8Array,
  name: string,
  declared: string,
  expected: string,
) {
  expect(await detect(content, name, declared)).toBe(expected)
}

async function check(content: string | Uint8Array, name: string, expected: string) {
  expect(await detect(content, name)).toBe(expected)
}

async function checkFails(content: string | Uint8Array, name: string, code: string) {
  await expect(detect(content, name)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(name),
  })
}

/** An OLE2 file with these streams. */
function streams(...names: string[]): Buffer {
  return ole2(Object.fromEntries(names.map(name => [name, Buffer.from('x')])))
}

describe('content decides', () => {
  test('a PDF is one by its header', () => check(onePage, 'a.pdf', 'application/pdf'))
  test('a PDF may follow junk', () =>
    check(Buffer.concat([Buffer.alloc(500, 'x'), onePage]), 'a', 'application/pdf'))
  test('a PDF named .docx is a PDF', () => check(onePage, 'a.docx', 'application/pdf'))
  test('a Word file named .pdf is a Word file', () =>
    check(docx(paragraph('x')), 'a.pdf', `${OOXML}.wordprocessingml.document`))
  test('a workbook is told from its parts', () =>
    check(zip({ 'xl/workbook.xml': 'x' }), 'a.zip', `${OOXML}.spreadsheetml.sheet`))
  test('slides are told from their parts', () =>
    check(zip({ 'ppt/presentation.xml': 'x' }), 'a', `${OOXML}.presentationml.presentation`))
  test('an OpenDocument text is told from its manifest', () =>
    check(zip({ 'META-INF/manifest.xml': 'x' }), 'a', 'application/vnd.oasis.opendocument.text'))
  test('a mail is told from its header', () =>
    check('Received: by x;\n Mon\nSubject: y\n\nz', 'a.txt', 'message/rfc822'))
  test('a note that begins like one is text', () =>
    check('Subject: y\nDate: z\n\nx', 'a.txt', 'text/plain'))
  test('an office package with other names of parts', () => {
    const part = `<Override PartName="/w.xml" ContentType="${OOXML}.spreadsheetml.sheet.main+xml"/>`
    return check(
      zip({ '[Content_Types].xml': `<Types>${part}</Types>`, 'w.xml': 'x' }),
      'a.xlsx',
      `${OOXML}.spreadsheetml.sheet`,
    )
  })
  test('any other zip is a zip', () => check(zip({ 'a.txt': 'x' }), 'a.docx', 'application/zip'))
  test('an old Word file is told from its streams', () =>
    check(streams('WordDocument'), 'a.doc', 'application/msword'))
  test('an old workbook is told from its streams', () =>
    check(streams('Workbook'), 'a.xls', 'application/vnd.ms-excel'))
  test('a document with a workbook in it is a document', () =>
    check(
      ole2({ ObjectPool: { _1: { Workbook: Buffer.from('x') } }, WordDocument: Buffer.from('x') }),
      'a.doc',
      'application/msword',
    ))
  test('a workbook without a container is told by its first record', () =>
    check(Buffer.from('0902060000001000', 'hex'), 'a', 'application/vnd.ms-excel'))
  test('a Publisher document is told from its streams', () =>
    check(streams('Contents', 'Quill'), 'a.pub', 'application/x-mspublisher'))
  test('a WordPerfect document is one by its first bytes', () =>
    check(Buffer.from('ff575043', 'hex'), 'a.doc', 'application/vnd.wordperfect'))
  test('a winmail.dat is one by its first bytes', () =>
    check(Buffer.from('789f3e22', 'hex'), 'winmail.dat', 'application/vnd.ms-tnef'))
  test('a Pages document is no archive', () =>
    check(zip({ 'Index/Document.iwa': 'x' }), 'a.pages', 'application/vnd.apple.iwork'))
  test('RTF is RTF', () => check('{\\rtf1 x}', 'a.doc', 'application/rtf'))
  test('a PNG is an image', () =>
    check(Buffer.from('89504e470d0a1a0a', 'hex'), 'a.txt', 'image/png'))
  test('HTML named .txt is HTML', () =>
    check('<!-- x -->\n<!DOCTYPE html><p>x', 'a.txt', 'text/html'))
  test('a file of nothing but comments is read in no time', () =>
    check('<!-- x -->'.repeat(60), 'a.txt', 'text/plain'))
  test('text that mentions HTML is text', () => check('In <html> we trust', 'a.txt', 'text/plain'))
})

describe('among kinds of text the name decides', () => {
  test('Markdown', () => check('# A', 'a.MD', 'text/markdown'))
  test('a fragment of HTML', () => check('<p>x', 'a.html', 'text/html'))
  test('code', () => check('let x = 1', 'a.ts', 'text/x-typescript'))
  test('separated values', () => check('a,b', 'a.csv', 'text/csv'))
  test('JSON', () => check('{}', 'a.json', 'application/json'))
  test('lines of JSON', () => check('{}', 'a.ndjson', 'application/jsonl'))
  test('a text with a few NULs, by its name', () =>
    check(`${'All is well. '.repeat(9)}\0\0`, 'a.log', 'text/plain'))
  test('Chinese in an old charset is text', () =>
    check(iconv.encode('本公司员工应当遵守制度', 'gbk'), 'a', 'text/plain'))
})

describe('what is nothing is refused by name', () => {
  test('no bytes are empty', () => checkFails('', 'a.pdf', 'empty'))
  test('noise named .pdf is corrupt', () => checkFails(noise, 'a.pdf', 'corrupt'))
  test('noise named .docx is corrupt', () => checkFails(noise, 'a.docx', 'corrupt'))
  test('a few bytes with a word among them, named .doc, are corrupt', () =>
    checkFails('binary\0\x01\x02', 'a.doc', 'corrupt'))
  test('noise named .txt is corrupt', () => checkFails(noise, 'a.txt', 'corrupt'))
  test('noise named as films and code are is a stream of bytes', () =>
    check(noise, 'a.ts', 'application/octet-stream'))
  test('so are a few bytes of it', () =>
    check(
      Buffer.from('yCFtPcVS2pJ5CkrBGPVe0QoSXNHo7XoOvB41gCt9ma7kk+b1RmvUMA==', 'base64'),
      'a.ts',
      'application/octet-stream',
    ))
  test('noise without a name for it is a stream of bytes', () =>
    check(noise, 'a', 'application/octet-stream'))
  test('a zip that was cut off is corrupt', () =>
    checkFails(docx(paragraph('x')).subarray(0, 900), 'a.docx', 'corrupt'))
  test('an Office file with a password is encrypted', () =>
    checkFails(streams('EncryptedPackage'), 'a.docx', 'encrypted'))
})

describe('what is declared decides where neither bytes nor name do', () => {
  test('a kind of text', () => checkDeclared('a,b', 'notes', 'text/csv', 'text/csv'))
  test('in another spelling, with parameters', () =>
    checkDeclared('# a', 'notes', 'Text/X-Markdown; charset=utf-8', 'text/markdown'))
  test('under an ending that says nothing', () =>
    checkDeclared('# a', 'notes.v2', 'text/markdown', 'text/markdown'))
  test('not over the ending of the name', () =>
    checkDeclared('a,b', 'a.csv', 'text/markdown', 'text/csv'))
  test('not over .txt', () => checkDeclared('a,b', 'a.txt', 'text/csv', 'text/plain'))
  test('not over the bytes', () =>
    checkDeclared(onePage, 'notes', 'text/markdown', 'application/pdf'))
  test('no text is a PDF for being declared one', () =>
    checkDeclared('a', 'notes', 'application/pdf', 'text/plain'))
  test('no bytes are text for being declared so', () =>
    checkDeclared(noise, 'notes', 'text/markdown', 'application/octet-stream'))
  test('a name of the language declares nothing', () =>
    checkDeclared('a', 'notes', 'constructor', 'text/plain'))
})

test('XML without a declaration is XML by its document type, SGML is not', async () => {
  const article = '<!DOCTYPE article\nPUBLIC "-//NLM//DTD JATS//EN" "jats.dtd">\n<article/>'
  await check(article, 'a.nxml', 'application/xml')
  await check('<!DOCTYPE memo SYSTEM "memo.dtd"><memo/>', 'memo', 'application/xml')
  await check(article, 'a.txt', 'text/plain')
  await check('<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook V3.1//EN">', 'a.sgml', 'text/plain')
  await check('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x.dtd">', 'a', 'text/html')
})
test('XML of Office 2003 is XML, whatever its name; plain text stays plain', async () => {
  const xml = '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'
  for (const [name, expected] of [
    ['a.xls', 'application/xml'],
    ['a.txt', 'text/plain'],
  ] as const)
    expect(await withFile(xml, name, file => detectMediaType(file, name))).toBe(expected)
})
