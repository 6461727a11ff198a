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
  return plain.flatMap(form => [
    form,
    ...[0, 1, 2].map(before => {
      const whole = Buffer.concat([Buffer.alloc(before), form])
      return Buffer.from(
        whole.toString('base64').slice(before === 0 ? 0 : 4, Math.floor(whole.length / 3) * 4),
      )
    }),
  ])
}

/** The bytes, and what is compressed in them. */
function unpack(bytes: Buffer): readonly Buffer[] {
  const unpacked = [bytes]
  const loose = { finishFlush: constants.Z_SYNC_FLUSH }
  if (bytes.length > 2 && bytes.readUInt16BE(0) === 0x1f8b) unpacked.push(gunzipSync(bytes, loose))
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const isDeflated = bytes.readUInt16LE(at + 8) === 8
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    if (isDeflated) unpacked.push(inflateRawSync(bytes.subarray(start), loose))
  }
  return unpacked
}
