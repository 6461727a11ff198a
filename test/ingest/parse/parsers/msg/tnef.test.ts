import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../../src/errors.ts'
import { tnefParser } from '../../../../../src/ingest/parse/parsers/msg/msg.ts'
import { storeRtf } from '../../../../fixtures/msg.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type TnefAttribute, tnef, tnefProperties, tnefRows } from '../../../../fixtures/tnef.ts'

/** Numbers of attributes ([MS-OXTNEF] 2.1.3.2). */
const FROM = 0x8000
const SUBJECT = 0x8004
const SENT = 0x8005
const BODY = 0x800c
const CONTENT = 0x800f
const TITLE = 0x8010
const ATTACHMENT = 0x9002
const PROPERTIES = 0x9003
const RECIPIENTS = 0x9004
const ATTACHMENT_PROPERTIES = 0x9005
const CODE_PAGE = 0x9007

const RENDERING = Buffer.alloc(14)
const MESSAGE_ID = Buffer.from('0703020000000000c000000000000046', 'hex')

const read = (...attributes: readonly TnefAttribute[]) =>
  parseBytes(tnefParser, tnef(...attributes))

async function check(attributes: readonly TnefAttribute[], expected: readonly string[]) {
  expect(outline((await read(...attributes)).blocks)).toEqual(expected)
}

const attachObject = (bytes: Buffer): TnefAttribute => [
  ATTACHMENT_PROPERTIES,
  tnefProperties([0x3001, 'Offer'], [0x3701, { type: 0x0d, bytes }]),
]

describe('a winmail.dat', () => {
  test('has subject, head, text and names of attachments', () =>
    check(
      [
        [
          PROPERTIES,
          tnefProperties(
            [55, 'Prices'],
            [0x0c1a, 'Ada'],
            [4096, 'All in euros. A cup 茶 costs 9.'],
          ),
        ],
        [
          RECIPIENTS,
          tnefRows([
            [0x0c15, 2],
            [0x3001, 'Eve'],
            [0x39fe, 'eve@example.org'],
          ]),
        ],
        [ATTACHMENT, RENDERING],
        [TITLE, Buffer.from('LIST~1.CSV\0')],
        [CONTENT, Buffer.from('a,b')],
        [ATTACHMENT_PROPERTIES, tnefProperties([0x3707, 'list of prices.csv'])],
      ],
      [
        'heading1: Prices',
        'paragraph: From: Ada / Cc: Eve <eve@example.org>',
        'paragraph: All in euros. A cup 茶 costs 9.',
        'list: list of prices.csv',
      ],
    ))
  test('is read from its RTF', () =>
    check(
      [
        [
          PROPERTIES,
          tnefProperties([4105, { type: 0x102, bytes: storeRtf('{\\rtf1 nine tonnes}') }]),
        ],
      ],
      ['paragraph: nine tonnes'],
    ))
  test('of an older program has its attributes, in their code page', () =>
    check(
      [
        [CODE_PAGE, Buffer.from([0xe3, 4, 0, 0, 0, 0, 0, 0])],
        [FROM, Buffer.from('\x04\0\0\0\x04\0\x14\0Ada\0SMTP:ada@example.org', 'latin1')],
        [SUBJECT, Buffer.from('Prices\0')],
        [SENT, Buffer.from('d40703000c00090005000700fc00', 'hex')],
        [ATTACHMENT, RENDERING],
        [TITLE, Buffer.from('\xf6\xe5\xed\xfb.txt\0', 'latin1')],
        [CONTENT, Buffer.from('nine')],
      ],
      [
        'heading1: Prices',
        'paragraph: From: Ada <ada@example.org> / Date: 2004-03-12T09:05:07Z',
        'list: цены.txt',
      ],
    ))
  test('has the facts of an appointment', () =>
    check(
      [
        [
          PROPERTIES,
          tnefProperties(
            [0x1a, { ansi: 'IPM.Appointment' }],
            [0x8001, 'Quay nine', 0x8208],
            [0x8002, 'x', 'Keys'],
          ),
        ],
      ],
      ['paragraph: Location: Quay nine'],
    ))
  test('hands on the bytes of its attachments', async () => {
    const { attachments } = await read(
      [SUBJECT, Buffer.from('Prices\0')],
      [ATTACHMENT, RENDERING],
      [TITLE, Buffer.from('a.txt\0')],
      [CONTENT, Buffer.from('nine tonnes')],
    )
    expect(attachments.map(({ name, bytes }) => `${name}: ${bytes}`)).toEqual([
      'a.txt: nine tonnes',
    ])
  })
  test('has a message within it as a mail', async () => {
    const inner = tnef([SUBJECT, Buffer.from('Offer\0')], [BODY, Buffer.from('nine tonnes\0')])
    const { attachments } = await read(
      [ATTACHMENT, RENDERING],
      attachObject(Buffer.concat([MESSAGE_ID, inner])),
    )
    expect(attachments.map(({ name }) => name)).toEqual(['Offer.eml'])
    expect(String(attachments[0]?.bytes)).toContain('Subject: Offer')
  })
  test('counts an embedded object', async () => {
    const { warnings } = await read(
      [SUBJECT, Buffer.from('Prices\0')],
      [ATTACHMENT, RENDERING],
      attachObject(Buffer.alloc(40)),
    )
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('embedded objects 1'),
    ])
  })
})

describe('a damaged winmail.dat', () => {
  test('that is cut off is refused', () =>
    expect(
      parseBytes(tnefParser, tnef([BODY, Buffer.from('nine tonnes')]).subarray(0, -8)),
    ).rejects.toMatchObject({ code: 'corrupt' }))
  test('is read up to bytes that another program appended', async () => {
    const bytes = Buffer.concat([tnef([BODY, Buffer.from('nine tonnes')]), Buffer.alloc(30, 'x')])
    expect(outline((await parseBytes(tnefParser, bytes)).blocks)).toEqual([
      'paragraph: nine tonnes',
    ])
  })
  test('without attributes is refused', () =>
    expect(parseBytes(tnefParser, tnef())).rejects.toMatchObject({ code: 'corrupt' }))
  test('of any bytes is read or refused', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom(FROM, SENT, ATTACHMENT, PROPERTIES, RECIPIENTS, ATTACHMENT_PROPERTIES),
            fc.uint8Array({ maxLength: 80 }),
          ),
          { maxLength: 6 },
        ),
        async attributes => {
          try {
            await read(...attributes)
          } catch (error) {
            expect(error).toBeInstanceOf(AppError)
          }
        },
      ),
    ))
})
