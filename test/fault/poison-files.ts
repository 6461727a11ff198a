import { docx, docxParts, paragraph } from '../fixtures/docx.ts'
import { epub } from '../fixtures/epub.ts'
import { odt } from '../fixtures/odt.ts'
import { pdf } from '../fixtures/pdf.ts'
import { pptx, shape } from '../fixtures/pptx.ts'
import { xlsx } from '../fixtures/xlsx.ts'
import { zip } from '../fixtures/zip.ts'

type Files = Readonly<Record<string, string | Buffer>>

const FORMATS: Readonly<Record<string, (text: string) => string | Buffer>> = {
  pdf: text => pdf([[{ text, x: 72, y: 72, size: 11 }]]),
  docx: text => docx(paragraph(text)),
  pptx: text => pptx([{ shapes: shape(text) }]),
  xlsx: text =>
    xlsx([
      {
        rows: [
          ['said', 'number'],
          [text, 1],
        ],
      },
    ]),
  odt: text => odt(`<text:p>${text}</text:p>`),
  epub: text => epub([`<p>${text}</p>`]),
  rtf: text => `{\\rtf1\\ansi ${text}}`,
  eml: text => `From: a@example.org\r\nTo: b@example.org\r\nSubject: Said\r\n\r\n${text}\r\n`,
  html: text => `<!doctype html><html><body><p>${text}</p></body></html>`,
  md: text => `# Said\n\n${text}\n`,
  csv: text => `said,number\n${text},1\n`,
  tsv: text => `said\tnumber\n${text}\t1\n`,
  json: text => JSON.stringify({ said: text }),
  txt: text => text,
  py: text => `# ${text}\nprint(1)\n`,
}

/** Formats that are archives of parts. */
const ARCHIVES = ['docx', 'pptx', 'xlsx', 'odt', 'epub']

/** Of each format some files that can be read, the word of each in no other. */
export function goodFiles(
  each = 7,
): ReadonlyMap<string, { readonly bytes: string | Buffer; readonly word: string }> {
  const files = Object.entries(FORMATS).flatMap(([format, make]) =>
    Array.from({ length: each }, (_, at) => {
      const word = `heron${format}${'abcdefghijklmnopqrstuvwxyz'[at]}`
      return [
        `good-${at}.${format}`,
        { word, bytes: make(`The ${word} waits for a fish in shallow water.`) },
      ] as const
    }),
  )
  return new Map(files)
}

/** Files that no parser may read, of every format: nothing, damaged, of another kind, packed to burst, nested without end. */
export function badFiles(): Files {
  return Object.assign(
    {},
    ...Object.keys(FORMATS).map(nothing),
    ...ARCHIVES.map(damagedArchive),
    damagedDocuments(),
  ) as Files // each part is of them
}

/** No bytes, and none but blanks or zeros; code with zeros is passed over as none. */
function nothing(format: string): Files {
  const zeros = format === 'py' ? {} : { [`zeros.${format}`]: Buffer.alloc(5_000) }
  return { ...zeros, [`empty.${format}`]: '', [`blank.${format}`]: ' \n'.repeat(100) }
}

function damagedArchive(format: string): Files {
  const whole = FORMATS[format]!('A heron waits.') as Buffer // an archive
  const burst = Buffer.from(whole)
  burst.fill(0xff, 40, whole.length - 200)
  return {
    [`cut-off.${format}`]: whole.subarray(0, whole.length >> 1),
    [`overwritten.${format}`]: burst,
    [`noise.${format}`]: noise(20_000),
  }
}

function damagedDocuments(): Files {
  const nested = '<w:p><w:r>'.repeat(5_000)
  return {
    'header-only.pdf': '%PDF-1.7\n',
    'noise.pdf': Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(50_000)]),
    'noise.rtf': noise(30_000),
    'noise.eml': noise(30_000),
    'noise.txt': noise(30_000),
    'noise.csv': noise(30_000),
    'nested.docx': docx(nested),
    'burst.docx': zip({ ...docxParts(''), 'word/document.xml': Buffer.alloc(60 * 2 ** 20, 0x20) }),
  }
}

/** Bytes that look like nothing, the same every time. */
function noise(length: number): Buffer {
  let state = 0x9e3779b9
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 0xff
  }
  return Buffer.from(Array.from({ length }, next))
}
