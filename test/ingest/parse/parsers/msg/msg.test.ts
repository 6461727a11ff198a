import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../../src/errors.ts'
import { emlParser } from '../../../../../src/ingest/parse/parsers/eml/eml.ts'
import { decompressRtf } from '../../../../../src/ingest/parse/parsers/msg/compressed-rtf.ts'
import { msgParser } from '../../../../../src/ingest/parse/parsers/msg/msg.ts'
import { type MsgContents, msg, storeRtf } from '../../../../fixtures/msg.ts'
import { outline, parseBytes, withFile } from '../../../../fixtures/parsed.ts'

const HEAD = {
  55: 'Prices',
  3098: 'Ada',
  23809: 'ada@example.org',
  57: new Date('2024-05-01T08:00:00Z'),
}

async function check(contents: MsgContents, expected: readonly string[]) {
  expect(outline((await parseBytes(msgParser, msg(contents))).blocks)).toEqual(expected)
}

const checkBody = (values: MsgContents['values'], expected: readonly string[]) =>
  check({ values: { 55: 'Prices', ...values } }, ['heading1: Prices', ...expected])

describe('a message', () => {
  test('has subject, head, text and names of attachments', () =>
    check(
      {
        values: { ...HEAD, 4096: 'All in euros.\r\n\r\nA cup 茶 costs 9.' },
        recipients: [
          { 3093: 1, 12289: 'Bob', 14846: 'bob@example.org' },
          { 3093: 2, 12289: 'Eve', 12291: '/O=SHOP/CN=EVE' },
          { 3093: 3, 12289: "'zoe@example.org'", 14846: 'zoe@example.org' },
        ],
        attachments: [{ 14087: 'list.csv', 14081: Buffer.from('a,b') }],
      },
      [
        'heading1: Prices',
        'paragraph: From: Ada <ada@example.org> / To: Bob <bob@example.org> / Cc: Eve / Bcc: zoe@example.org / Date: 2024-05-01T08:00:00Z',
        'paragraph: All in euros.',
        'paragraph: A cup 茶 costs 9.',
        'list: list.csv',
      ],
    ))
  test('has its head without a subject', () =>
    check({ values: { 3098: 'Ada', 4096: 'All in euros.' } }, [
      'paragraph: From: Ada',
      'paragraph: All in euros.',
    ]))
  test('has its metadata', async () => {
    const { metadata } = await parseBytes(msgParser, msg({ values: HEAD }))
    expect(metadata).toEqual({
      title: 'Prices',
      author: 'Ada <ada@example.org>',
      created: '2024-05-01T08:00:00Z',
    })
  })
  test('is read from HTML in the charset of the mail', () =>
    checkBody({ 4096: 'ab', 4115: Buffer.from('<p>ab \xe2\xe3', 'latin1'), 16350: 1251 }, [
      'paragraph: ab вг',
    ]))
  test('is read from RTF with its table', () =>
    checkBody(
      {
        4096: 'Name Price',
        4105: storeRtf('{\\rtf1\\trowd\\cellx1\\cellx9\\intbl Name\\cell Price\\cell\\row}'),
      },
      ['table: Name | Price'],
    ))
  test('is read from the HTML that its RTF was made of', () =>
    checkBody(
      {
        4105: storeRtf(
          "{\\rtf1\\ansi\\fromhtml1{\\fonttbl{\\f3\\fcharset204 x;}}{\\*\\htmltag64 <ul>}{\\*\\htmltag64 <li>}\\htmlrtf {\\b \\htmlrtf0 \\f3\\'e2 \\u33590?\\htmlrtf\\par }\\htmlrtf0 {\\*\\htmltag72 </li>}{\\*\\mhtmltag72 no}}",
        ),
      },
      ['list: в 茶'],
    ))
  test('is read from plain text if its RTF was made of that or is damaged', async () => {
    const rtf = '{\\rtf1\\fromtext All\\par in euros.}'
    await checkBody({ 4096: 'All in euros.', 4105: storeRtf(rtf) }, ['paragraph: All in euros.'])
    await checkBody({ 4096: 'All in euros.', 4105: storeRtf('{\\rtf1 All {') }, [
      'paragraph: All in euros.',
    ])
  })
  test('has texts of one byte a character in the code page of its language', () =>
    checkBody({ 4096: { ansi: Buffer.from('\xe2\xe3', 'latin1') }, 16369: 1049 }, [
      'paragraph: вг',
    ]))
})

describe('items that are no mails', () => {
  test('a contact has its facts', () =>
    check(
      {
        values: { 26: 'IPM.Contact', 12289: 'Ada', 14856: '12 34', 32768: 'ada@example.org' },
        names: [0x8083],
      },
      ['paragraph: Name: Ada / E-mail: ada@example.org / Business telephone: 12 34'],
    ))
  test('an appointment has time and place', () =>
    check(
      {
        values: {
          26: 'IPM.Appointment',
          55: 'Prices',
          32769: 'Room 9',
          32768: new Date('2024-05-01T08:00:00Z'),
        },
        names: [0x820d, 0x8208],
      },
      ['heading1: Prices', 'paragraph: Start: 2024-05-01T08:00:00Z / Location: Room 9'],
    ))
})

/** Returns the attachments that a message leaves in the offered folder. */
async function listAttached(contents: MsgContents) {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-msg-'))
  try {
    return await withFile(msg(contents), 'a.msg', async file => {
      const found: Record<string, Buffer> = {}
      const input = {
        path: file,
        name: 'a.msg',
        mediaType: 'application/vnd.ms-outlook',
        attachmentsFolder: folder,
      }
      for await (const event of msgParser.parse(input))
        if (event.type === 'attachment')
          found[event.attachment.name] = await readFile(path.join(folder, event.attachment.file))
      return found
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('attachments', () => {
  test('are documents; shown pictures are none', async () => {
    const attached = await listAttached({
      values: { ...HEAD, 4115: '<p>x<img src="cid:p1">' },
      attachments: [
        { 14087: 'list.csv', 14081: Buffer.from('a,b') },
        { 14084: 'p.png', 14098: 'p1', 14081: Buffer.from('x') },
      ],
    })
    expect(attached).toEqual({ 'list.csv': Buffer.from('a,b') })
  })
  test('a message in a message is a mail with what is in it', async () => {
    const inner = { values: { 55: 'Inner 茶', 4096: 'Deep.' } }
    const attached = await listAttached({
      values: HEAD,
      attachments: [
        {
          12289: 'Middle',
          14085: 5,
          message: {
            values: { ...HEAD, 4115: '<p>Half' },
            attachments: [
              { 12289: 'Inner 茶', 14085: 5, message: inner },
              { 14087: "it's.csv", 14081: Buffer.from('a,b') },
            ],
          },
        },
      ],
    })
    expect(Object.keys(attached)).toEqual(['Middle.eml'])
    const mail = await parseBytes(emlParser, attached['Middle.eml'] ?? '')
    expect(outline(mail.blocks)).toEqual([
      'heading1: Prices',
      'paragraph: From: Ada <ada@example.org> / Date: 2024-05-01T08:00:00Z',
      'paragraph: Half',
      'list: Inner 茶.eml',
      "list: it's.csv",
    ])
  })
  test('objects and links to files elsewhere are counted', async () => {
    const { warnings } = await parseBytes(
      msgParser,
      msg({
        values: HEAD,
        attachments: [
          { 12289: 'Chart', 14085: 6 },
          { 14087: 'far.docx', 14085: 2 },
        ],
      }),
    )
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: embedded objects 1, linked files 1. Their text is not searchable.',
    ])
  })
})

test('compressed RTF repeats what stands before it', () => {
  // The example of [MS-OXRTFCP] 3.1.
  const bytes = Buffer.from(
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
    'hex',
  )
  expect(decompressRtf(bytes)?.toString('latin1')).toBe(
    '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
  )
})

test('a message without anything is refused', () =>
  expect(parseBytes(msgParser, msg({ values: {} }))).rejects.toMatchObject({ code: 'no_text' }))

test('whatever bytes change, it ends with text or an error of its own', async () => {
  const sample = msg({
    values: { ...HEAD, 4105: storeRtf('{\\rtf1\\ansi\\fromhtml1{\\*\\htmltag64 <p>}All}') },
    recipients: [{ 3093: 1, 12289: 'Bob' }],
    attachments: [{ 12289: 'Middle', 14085: 5, message: { values: HEAD } }],
  })
  const change = fc.tuple(fc.nat(sample.length - 5), fc.integer({ min: 0, max: 0xffff_ffff }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async changes => {
      const bytes = Buffer.from(sample)
      for (const [offset, value] of changes) bytes.writeUInt32LE(value, offset)
      const outcome = await parseBytes(msgParser, bytes).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
      else expect(JSON.stringify(outcome).length).toBeLessThan(4 * bytes.length + 65_536)
    }),
    { numRuns: 200 },
  )
})
