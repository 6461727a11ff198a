import { readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { ParserProcesses } from '../../../../../src/ingest/parse/isolation/parser-processes.ts'
import { emlParser } from '../../../../../src/ingest/parse/parsers/eml/eml.ts'
import { outline, parseBytes, withFile } from '../../../../fixtures/parsed.ts'

async function check(content: string | Uint8Array, expected: readonly string[]) {
  expect(outline((await parseBytes(emlParser, content)).blocks)).toEqual(expected)
}

const HEAD = 'Subject: Lunch\nFrom: Ann <ann@example.com>\n'
const SHOWN = ['heading1: Lunch', 'paragraph: From: Ann <ann@example.com>']

function multipart(kind: string, ...parts: readonly string[]): string {
  return `${HEAD}MIME-Version: 1.0\nContent-Type: multipart/${kind}; boundary=b\n\n${parts.map(part => `--b\n${part}\n`).join('')}--b--\n`
}

const attached = (type: string, name: string, content: string) =>
  `Content-Type: ${type}\nContent-Disposition: attachment; filename="${name}"\n\n${content}`

describe('a mail', () => {
  test('is its subject, who wrote to whom, and its text', () =>
    check(
      'Subject: =?utf-8?b?6YCa55+l?=\nFrom: Ann <a@b.c>\nTo: d@e.f, g@h.i\nDate: Mon, 14 Oct 2024 09:30:00 +0800\n\nOne\ntwo.\n\nThree.',
      [
        'heading1: 通知',
        'paragraph: From: Ann <a@b.c> / To: d@e.f, g@h.i / Date: Mon, 14 Oct 2024 09:30:00 +0800',
        'paragraph: One / two.',
        'paragraph: Three.',
      ],
    ))
  test('is read once where it says the same as text and as HTML', () =>
    check(
      multipart(
        'alternative',
        'Content-Type: text/plain\n\na b',
        'Content-Type: text/html\n\n<p>a <b>b</b><ul><li>c</ul>',
      ),
      [...SHOWN, 'paragraph: a b', 'list: c'],
    ))
  test('is in the charset of its parts', () =>
    check(
      Buffer.concat([
        Buffer.from(
          `${HEAD}Content-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: 8bit\n\n`,
        ),
        iconv.encode('请核对。', 'gbk'),
      ]),
      [...SHOWN, 'paragraph: 请核对。'],
    ))
  test('warns of a charset that nobody knows, once', async () => {
    const part = 'Content-Type: text/plain; charset=x-none\nContent-Transfer-Encoding: 8bit\n\n'
    const text = iconv.encode(`${part}Schöne Grüße aus Köln.`, 'latin1').toString('latin1')
    const mail = Buffer.from(multipart('mixed', text, text), 'latin1')
    const { warnings } = await parseBytes(emlParser, mail)
    expect(warnings).toEqual([
      { code: 'charset', message: expect.stringContaining('The charset x-none is declared') },
    ])
  })
  describe('has texts that are decoded as any other, whatever it declares', () => {
    const german = 'Schöne Grüße aus Köln, die Straße ist gesperrt.'
    const chinese = '住宿标准为每晚九百元。'
    test.each([
      ['nothing', 'text/plain', iconv.encode(german, 'latin1'), german],
      ['nothing', 'text/plain', iconv.encode(chinese, 'gbk'), chinese],
      ['what it is not', 'text/plain; charset=iso-8859-1', Buffer.from(german), german],
      [
        'what nobody knows',
        'text/plain; charset="x-unknown"',
        iconv.encode(german, 'latin1'),
        german,
      ],
      [
        'an old charset',
        'text/plain; charset=cp850; format=flowed',
        iconv.encode(german, 'cp850'),
        german,
      ],
      [
        'what its page does',
        'text/html',
        iconv.encode(`<meta charset=windows-1250><p>Žluťoučký`, 'windows-1250'),
        'Žluťoučký',
      ],
    ])('%s: %s', async (_, type, text, expected) => {
      const fields = `Content-Type: ${type}\nContent-Transfer-Encoding: `
      const encoded = [
        Buffer.concat([Buffer.from(`${fields}8bit\n\n`), text]),
        Buffer.from(`${fields}base64\n\n${text.toString('base64')}`),
        Buffer.from(`${fields}quoted-printable\n\n${text.toString('hex').replace(/../g, '=$&')}`),
      ]
      for (const part of encoded)
        await check(Buffer.concat([Buffer.from(HEAD), part]), [...SHOWN, `paragraph: ${expected}`])
      const between = ['--c\n', '\n--c\n', '\n--c\n', '\n--c--\n--b--\n'].map(line =>
        Buffer.from(line),
      )
      const nested = Buffer.from(
        'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed;\n boundary="c"\n\n',
      )
      const parts = between.flatMap((line, nth) => [line, ...(encoded[nth] ? [encoded[nth]] : [])])
      const { blocks } = await parseBytes(
        emlParser,
        Buffer.concat([Buffer.from(HEAD), nested, ...parts]),
      )
      expect(
        blocks
          .map(({ text }) => text)
          .join()
          .split(expected),
      ).toHaveLength(4)
    })
  })
  test('with a page in its page is read to its end', () =>
    check(
      `${HEAD}Content-Type: text/html\n\n<!doctype html><p>See below.<blockquote><!DOCTYPE html PUBLIC "x"><html><body><p>Fees rise.</body></html></blockquote>`,
      [...SHOWN, 'paragraph: See below.', 'paragraph: Fees rise.'],
    ))
  test('may have header fields in the charset of its text', () =>
    check(
      iconv.encode(
        'Subject: 关于对账\nContent-Type: text/plain; charset=gbk\nMIME-Version: 1.0\n\n请核对。',
        'gbk',
      ),
      ['heading1: 关于对账', 'paragraph: 请核对。'],
    ))
  test('names what is attached', () =>
    check(
      multipart(
        'mixed',
        'Content-Type: text/plain\n\nSee.',
        attached('text/csv', 'p.csv', 'a,b\n1,2\n'),
        attached('application/pdf', 'q.pdf', 'JVBERi0='),
      ),
      [...SHOWN, 'paragraph: See.', 'list: p.csv', 'list: q.pdf'],
    ))
  test('gives what is attached, each under a name of its own; pictures and signatures are no documents', async () => {
    const mail = multipart(
      'mixed',
      'Content-Type: text/html\n\n<p>See. <img src="cid:logo">',
      attached('text/csv', 'p.csv', 'a,b\n1,2\n'),
      attached('text/csv', '../p.csv', 'c,d\n'),
      'Content-Type: message/rfc822\n\nSubject: Re: 1/2\n\nYes.',
      'Content-Type: application/pgp-signature; name=signature.asc\n\nx',
      'Content-Type: image/png\nContent-ID: <logo>\n\nx',
    )
    const given = await withFile(mail, 'test-file', async path => {
      const attachmentsFolder = `${path}-attachments`
      const input = { path, name: 'test-file', mediaType: 'message/rfc822', attachmentsFolder }
      const all: string[] = []
      for await (const event of emlParser.parse(input)) {
        if (event.type !== 'attachment') continue
        const { name, file } = event.attachment
        all.push(`${name}: ${await readFile(`${attachmentsFolder}/${file}`, 'utf8')}`)
      }
      return all
    })
    expect(given.map(text => text.trim())).toEqual([
      'p.csv: a,b\n1,2',
      'p (2).csv: c,d',
      'Re: 1 2.eml: Subject: Re: 1/2\n\nYes.',
    ])
  })
  test('with more attachments than are read says how many were left out', async () => {
    const parts = Array.from({ length: 1_003 }, (_, at) => attached('text/csv', `${at}.csv`, 'a'))
    const { blocks, warnings } = await parseBytes(emlParser, multipart('mixed', ...parts))
    expect(blocks.filter(({ kind }) => kind === 'list')).toHaveLength(1_000)
    expect(warnings).toEqual([
      { code: 'too_large', message: expect.stringContaining('3 attachments were left out') },
    ])
  })
  test('tells subject, author and date', async () => {
    const { metadata } = await parseBytes(
      emlParser,
      `${HEAD}Date: Mon, 14 Oct 2024 09:30:00 +0800\n\nx`,
    )
    expect(metadata).toEqual({
      title: 'Lunch',
      author: 'Ann <ann@example.com>',
      created: '2024-10-14T01:30:00.000Z',
    })
  })
  test('that ends before its last part does is told to be cut off', async () => {
    const whole = multipart(
      'mixed',
      'Content-Type: text/plain\n\nHello',
      attached('text/plain', 'a.txt', 'more of it'),
    )
    const codes = async (mail: string) =>
      (await parseBytes(emlParser, mail)).warnings.map(warning => warning.code)
    expect(await codes(whole)).toEqual([])
    expect(await codes(whole.slice(0, -12))).toEqual(['corrupt'])
  })
  test('of more parts than its header fields have room for is too large', async () => {
    const parts = Array.from(
      { length: 50_000 },
      () => `--b\nContent-Type: text/plain; name="${'a'.repeat(20)}"\n\nx\n`,
    )
    const content = `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${parts.join('')}--b--`
    await expect(parseBytes(emlParser, content)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('header fields'),
    })
  })
  test('with a subject of any length is read within its time, the beginning as a heading', async () => {
    const processes = new ParserProcesses({ processes: 1, timeMs: 3_000, timePerMebibyteMs: 0 })
    try {
      const content = `Subject: ${Array(45_000).fill('=?utf-8?B?5ZCI5ZCM?=').join('\n ')}\n\nwords`
      const { blocks } = await parseBytes(processes.isolate(emlParser), content)
      expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'paragraph'])
      expect(
        blocks
          .slice(0, 2)
          .map(({ text }) => text)
          .join(''),
      ).toBe('合同'.repeat(45_000))
      expect(blocks[0]!.text).toHaveLength(1_000)
    } finally {
      await processes.close()
    }
  })
  test('that nests without end is too large', async () => {
    const nested = Array.from(
      { length: 400 },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
    ).join('')
    await expect(parseBytes(emlParser, `${HEAD}${nested}`)).rejects.toMatchObject({
      code: 'too_large',
    })
  })
})

describe('a mail of several parts', () => {
  const parts = (kind: string, ...all: readonly (readonly [type: string, text: string])[]) =>
    `${HEAD}Content-Type: multipart/${kind}; boundary=b\n\n${all.map(([type, text]) => `--b\nContent-Type: text/${type}; charset=utf-8\n\n${text}\n`).join('')}--b--\n`

  test('has its plain text read where the other form has none', () =>
    check(parts('alternative', ['plain', 'gate code 4417'], ['html', '<img src="cid:x">']), [
      ...[...SHOWN, 'paragraph: gate code 4417'],
    ]))
  test('has its plain text read as well where most of its words are in no other form', () =>
    check(
      parts(
        'alternative',
        ['plain', 'gate code 4417 of https://a.example/b'],
        ['html', '<p>The gate'],
      ),
      [...[...SHOWN, 'paragraph: The gate', 'paragraph: gate code 4417 of https://a.example/b']],
    ))
  test('has each page read', () =>
    check(parts('mixed', ['html', '<p>a'], ['plain', 'b'], ['html', '<html><p>c</p></html>']), [
      ...[...SHOWN, 'paragraph: a', 'paragraph: b', 'paragraph: c'],
    ]))
  test('has hidden text counted', async () => {
    const hidden = `<p>a</p><div style="display: none">${'nobody sees it '.repeat(10)}</div>`
    const { warnings } = await parseBytes(emlParser, parts('mixed', ['html', hidden]))
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: hidden elements 1. Their text is not searchable.',
    ])
  })
})

test('what is quoted is a paragraph of its own', () =>
  check(`${HEAD}\nOn Monday you wrote:\n> a\n> b\nYes.\n`, [
    ...[...SHOWN, 'paragraph: On Monday you wrote:', 'paragraph: > a / > b', 'paragraph: Yes.'],
  ]))

test('Japanese that does not name its charset is read', () =>
  check(`${HEAD}\n\x1b$B2q5D\x1b(B\n`, [...SHOWN, 'paragraph: 会議']))
