import { emlParser } from '../../../../src/ingest/parse/parsers/eml/eml.ts'
import { mboxParser } from '../../../../src/ingest/parse/parsers/mbox.ts'
import { msgParser } from '../../../../src/ingest/parse/parsers/msg/msg.ts'
import { type MsgContents, msg, storeRtf } from '../../../fixtures/msg.ts'
import { type TextPart, testTextParts, WORD } from '../../../fixtures/text-parts.ts'

const ADDRESSES =
  'From Sender Reply-To To Cc Bcc Resent-From Resent-Sender Resent-To Resent-Cc Resent-Bcc'.split(
    ' ',
  )
const multipart = (kind: string, ...parts: readonly string[]) => [
  `Content-Type: multipart/${kind}; boundary=b\n`,
  [...parts.map(part => `--b\n${part}\n`), '--b--\n'].join(''),
]
const attachment = (type: string, head: string, content = WORD) =>
  multipart(
    'mixed',
    'Content-Type: text/plain\n\nx',
    `Content-Type: ${type}\nContent-Disposition: attachment\n${head}\n${content}`,
  )

testTextParts(
  {
    specification: 'mail (RFC 5322, MIME)',
    parser: emlParser,
    build: (head, [body = 'Base']) =>
      `${head.includes('From:') ? '' : 'From: a@example.org\n'}X-Mailer: Program 1.0\nX-Score: ham=0.1, spam=yes\n${head}\n${body}\n`,
  },
  [
    ...ADDRESSES.map(
      (name): TextPart => ['3.6', `name in ${name}`, `${name}: ${WORD} <b@example.org>\n`],
    ),
    ['3.4', 'group of addresses', `To: ${WORD} Team: Ada ${WORD} <b@example.org>;\n`],
    ['3.6.5', 'subject', `Subject: ${WORD}\n`],
    ['3.6.5', 'encoded subject', `Subject: =?utf-8?q?${WORD}?=\n`],
    ['3.6.5', 'comments', `Comments: Please\n see ${WORD}\n`],
    ['3.6.5', 'encoded comments', `Comments: =?utf-8?q?${WORD}?=\n`],
    ['3.6.5', 'keywords', `Keywords: ${WORD}\n`],
    ['3.6.8', 'field of a program', `X-Note: Bring the ${WORD}\n`, 'extension fields'],
    [
      '3.6.8',
      'encoded field of a program',
      `X-Note: =?utf-8?q?Bring_the_${WORD}?=\n`,
      'extension fields',
    ],
    ['RFC 1036 2.2.8', 'organization', `Organization: ${WORD}\n`],
    ['RFC 2046 4.1', 'plain text', ['', WORD]],
    ['RFC 2046 4.1', 'page', ['Content-Type: text/html\n', `<p>${WORD}</p>`]],
    [
      'RFC 2046 5.1.3',
      'second text',
      multipart('mixed', 'Content-Type: text/plain\n\nx', `Content-Type: text/plain\n\n${WORD}`),
    ],
    [
      'RFC 2046 5.1.4',
      'appointment as an alternative',
      multipart(
        'alternative',
        'Content-Type: text/plain\n\nx',
        `Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nSUMMARY:${WORD}\nEND:VCALENDAR`,
      ),
    ],
    [
      'RFC 2046 5.2.1',
      'mail in a mail',
      multipart('mixed', `Content-Type: message/rfc822\n\nSubject: x\n\n${WORD}`),
    ],
    [
      'RFC 3462',
      'report of a delivery',
      multipart(
        'report',
        'Content-Type: text/plain\n\nx',
        `Content-Type: message/delivery-status\n\nDiagnostic-Code: ${WORD}`,
      ),
    ],
    [
      'RFC 2045 8',
      'description of a part',
      attachment('text/csv', `Content-Description: ${WORD}\n`, 'x'),
    ],
    ['RFC 2183', 'name of a file', attachment(`text/csv; name="${WORD}.csv"`, '', 'x')],
    ['RFC 2183', 'text of a file', attachment('text/csv', '')],
    [
      'RFC 2387',
      'picture that is shown',
      multipart(
        'related',
        'Content-Type: text/html\n\n<p>Base<img src="cid:p">',
        'Content-Type: image/png\nContent-ID: <p>\nContent-Transfer-Encoding: base64\n\nAAAA',
      ),
      'pictures',
    ],
  ],
)

const mail = (source: string, body = 'Base') =>
  `From ada Mon Jan  1 00:00:00 2024\n${source || 'Subject: Base\n'}\n${body}\n\n`
testTextParts(
  {
    specification: 'mailbox (RFC 4155)',
    parser: mboxParser,
    build: (source, [body]) => mail('') + mail(source, body),
  },
  [
    ['2', 'subject', `Subject: ${WORD}\n`],
    ['2', 'other field', `Comments: ${WORD}\n`],
    ['2', 'body', ['', WORD]],
    ['2', 'quoted line', ['', `>From ${WORD}`]],
  ],
)

const TEXTS: readonly (readonly [string, MsgContents, string?])[] = [
  ['subject', { values: { 55: WORD } }],
  ['text', { values: { 4096: WORD } }],
  ['page', { values: { 4115: Buffer.from(`<p>${WORD}`) } }],
  ['RTF', { values: { 4105: storeRtf(`{\\rtf1 ${WORD}\\par}`) } }],
  ['sender', { values: { 3098: WORD } }],
  ['name for which it was sent', { values: { 3098: 'Ada', 66: WORD } }],
  ['addresses for answers', { values: { 80: WORD } }],
  ['recipient', { values: {}, recipients: [{ 3093: 3, 12289: WORD }] }],
  ['recipients that are shown', { values: { 3586: WORD } }],
  ['comments in the head', { values: { 125: `Comments: ${WORD}\r\n` } }],
  ['organization in the head', { values: { 125: `Organization: ${WORD}\r\n` } }],
  [
    'field of a program in the head',
    { values: { 125: `X-Note: Bring the ${WORD}\r\n` } },
    'extension fields',
  ],
  ['categories', { values: {}, names: ['Keywords'], lists: { 32768: [`${WORD}`] } }],
  ['companies', { values: {}, names: [0x8539], lists: { 32768: ['x', `${WORD}`] } }],
  ['contacts', { values: {}, names: [0x853a], lists: { 32768: ['x', `${WORD}`] } }],
  [
    'name of a file',
    { values: {}, attachments: [{ 14087: `${WORD}.csv`, 14081: Buffer.from('x') }] },
  ],
  ['text of a file', { values: {}, attachments: [{ 14087: 'x.csv', 14081: Buffer.from(WORD) }] }],
  [
    'message in a message',
    { values: {}, attachments: [{ 14085: 5, message: { values: { 55: WORD } } }] },
  ],
  [
    'comments of a message in a message',
    {
      values: {},
      attachments: [{ 14085: 5, message: { values: { 125: `Comments: ${WORD}\r\n` } } }],
    },
  ],
  ['object', { values: {}, attachments: [{ 14085: 6, 14087: 'x' }] }, 'embedded objects'],
  ['link to a file', { values: {}, attachments: [{ 14085: 4, 14087: 'x' }] }, 'linked files'],
  [
    'picture that is shown',
    {
      values: { 4115: Buffer.from('<p>Base<img src="cid:p">') },
      attachments: [{ 14087: 'p.png', 14098: 'p', 14081: Buffer.from('x') }],
    },
    'pictures',
  ],
]
testTextParts(
  {
    specification: 'Outlook message ([MS-OXMSG], [MS-OXPROPS])',
    parser: msgParser,
    build: name => msg(withBase(TEXTS.find(([own]) => own === name)?.[1])),
  },
  TEXTS.map(([name, , skipped]): TextPart => ['2', name, name, skipped]),
)

function withBase(contents: MsgContents = { values: {} }): MsgContents {
  return { ...contents, values: { 55: 'Base', 4096: 'Base', ...contents.values } }
}
