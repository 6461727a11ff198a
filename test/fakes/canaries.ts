import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { constants, gunzipSync, inflateRawSync } from 'node:zlib'
import { doc, p } from '../fixtures/doc.ts'
import { docx, paragraph } from '../fixtures/docx.ts'
import { epub } from '../fixtures/epub.ts'
import { msg } from '../fixtures/msg.ts'
import { odt, odtCell, odtRow, openDocument } from '../fixtures/odt.ts'
import { pdf } from '../fixtures/pdf.ts'
import { ppt } from '../fixtures/ppt.ts'
import { pptx, shape } from '../fixtures/pptx.ts'
import { xls } from '../fixtures/xls.ts'
import { xlsx } from '../fixtures/xlsx.ts'
import { zip } from '../fixtures/zip.ts'

type Format = readonly [extension: string, write: (text: string) => string | Uint8Array]

const FORMATS: readonly Format[] = [
  ['txt', text => `${text}\n`],
  ['md', text => `# Notes\n\n${text}\n`],
  ['html', text => `<h1>Notes</h1><p>${text}</p>`],
  ['docx', text => docx(paragraph(text))],
  ['doc', text => doc({ paragraphs: [p(text)] })],
  ['pptx', text => pptx([{ shapes: shape(text) }])],
  ['ppt', text => ppt({ slides: [{ shapes: [{ text }] }] })],
  ['xlsx', text => xlsx([{ name: 'Notes', rows: [['Note'], [text]] }])],
  ['xls', text => xls([{ name: 'Notes', rows: [['Note'], [text]] }])],
  ['epub', text => epub([`<p>${text}</p>`])],
  ['odt', text => odt(`<text:p>${text}</text:p>`)],
  [
    'ods',
    text =>
      openDocument(
        'spreadsheet',
        `<table:table table:name="N">${odtRow(odtCell(text))}</table:table>`,
      ),
  ],
  [
    'odp',
    text =>
      openDocument(
        'presentation',
        `<draw:page><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`,
      ),
  ],
  ['rtf', text => `{\\rtf1 ${text}\\par}`],
  ['eml', text => `Subject: Notes\nContent-Type: text/plain\n\n${text}\n`],
  ['msg', text => msg({ values: { 55: 'Notes', 4096: text } })],
  ['mbox', text => `From a@example.org Wed May  1 08:00:00 2024\nSubject: Notes\n\n${text}\n`],
  ['zip', text => zip({ 'inner.txt': text })],
  [
    'ics',
    text => `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:${text}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  ],
  ['org', text => `* Notes\n\n${text}\n`],
  ['tex', text => `\\section{Notes}\n${text}\n`],
  ['rst', text => `Notes\n=====\n\n${text}\n`],
  ['adoc', text => `= Notes\n\n${text}\n`],
  ['xml', text => `<?xml version="1.0"?><list><p>${text}</p></list>`],
  [
    'ipynb',
    text =>
      JSON.stringify({
        cells: [{ cell_type: 'markdown', source: [text] }],
        metadata: {},
        nbformat: 4,
      }),
  ],
  ['csv', text => `name,note\nfirst,${text}\n`],
  ['tsv', text => `name\tnote\nfirst\t${text}\n`],
  ['jsonl', text => `{"note":"${text}"}\n`],
  ['json', text => `[{"note":"${text}"}]`],
  ['ts', text => `/** ${text} */\nexport const note = 1\n`],
  ['pdf', text => pdf([[{ text, x: 72, y: 100 }]])],
]

export const FORMAT_COUNT = FORMATS.length

/** Documents in turn of every format, each with a word that is in no other. */
export function writeCanaries(count: number): {
  readonly files: Record<string, string | Uint8Array>
  readonly words: readonly string[]
} {
  const files: Record<string, string | Uint8Array> = {}
  const words: string[] = []
  for (let number = 0; number < count; number++) {
    const [extension, write] = FORMATS[number % FORMATS.length] ?? FORMATS[0]!
    const word = toWord(number)
    words.push(word)
    files[`canary-${number}.${extension}`] = write(
      `The ${word} sings in mine ${number} below the hill`,
    )
  }
  return { files, words }
}

/** Letters only, so that no tokenizer divides it. */
function toWord(number: number): string {
  const letters = [...String(number).padStart(5, '0')].map(digit => 'bdfgkmprtv'[Number(digit)])
  return `Qxzw${letters.join('o')}jyq`
}

/** Returns which of the needles a raw scan of all files below the folder finds, whatever they are encoded or compressed as. */
export async function scanRaw(
  folder: string,
  needles: ReadonlyMap<string, Buffer>,
): Promise<ReadonlyMap<string, string>> {
  const forms = new Map([...needles].map(([name, needle]) => [name, listForms(needle)]))
  const found = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    for (const bytes of unpack(await readFile(file)))
      for (const [name, alternatives] of forms)
        if (!found.has(name) && alternatives.some(form => bytes.includes(form)))
          found.set(name, file)
  }
  return found
}

function listForms(needle: Buffer): readonly Buffer[] {
  const text = needle.toString('utf8')
  const isText = /^\w+$/.test(text)
  const plain = isText
    ? [text, text.toLowerCase()].flatMap(one => [
        Buffer.from(one),
        Buffer.from(one, 'utf16le'),
        Buffer.from(one, 'utf16le').swap16(),
      ])
    : [needle]
  return plain.flatMap(form => [form, ...listBase64(form)])
}

/** The bytes, and what is compressed in them. */
export function unpack(bytes: Buffer): readonly Buffer[] {
  const unpacked = [bytes]
  const loose = { finishFlush: constants.Z_SYNC_FLUSH }
  if (bytes.length > 2 && bytes.readUIntBE(0, 3) === 0x1f8b08)
    unpacked.push(gunzipSync(bytes, loose))
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const isDeflated = bytes.readUInt16LE(at + 8) === 8
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    if (isDeflated) unpacked.push(inflateRawSync(bytes.subarray(start), loose))
  }
  return unpacked
}

const CANARY = /qxzw(?:[bdfgkmprtv]o){4}[bdfgkmprtv]jyq/gi
/** Runs that could hold a word of 16 letters in base64. */
const BASE64 = /[A-Za-z0-9+/]{22,}/g

/** Returns the words of `writeCanaries` in the bytes, as letters of one or two bytes, or in base64. */
export function readCanaryWords(bytes: Buffer): ReadonlySet<string> {
  const text = bytes.toString('latin1')
  const decoded = Array.from(text.matchAll(BASE64), ([run]) =>
    [0, 1, 2, 3].map(skipped => Buffer.from(run.slice(skipped), 'base64').toString('latin1')),
  )
  const forms = [text, ...decoded.flat()]
  const words = forms.flatMap(form =>
    [form, form.includes('\0') ? form.replaceAll('\0', '') : ''].flatMap(one =>
      Array.from(one.matchAll(CANARY), ([word]) => `Q${word.slice(1).toLowerCase()}`),
    ),
  )
  return new Set(words)
}

/** The base64 of the bytes at each of three places in a group, without what depends on their neighbours. */
function listBase64(bytes: Buffer): readonly Buffer[] {
  return [0, 1, 2].map(before => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const encoded = whole.toString('base64')
    return Buffer.from(encoded.slice(before === 0 ? 0 : 4, Math.floor(whole.length / 3) * 4))
  })
}
