import { type PptRecord, type PptRecords, RECORD } from './records.ts'

/** Contains what PowerPoint 2000 added. */
const TAG = '___PPT9'
/** Field bits of list formats ([MS-PPT] 2.9.22 and 2.9.23), and the bytes of each. */
const BULLET_PICTURE = 0x80_0000
const HAS_NUMBERS = 0x100_0000
const NUMBERING = 0x200_0000
const RUN_FIELD = 0x10_0000
const LANGUAGE_FIELDS: readonly (readonly [mask: number, bytes: number])[] = [
  [1, 2],
  [2, 2],
  [4, 2],
  [0x20, 4],
  [0x40, 2],
]
const SMART_TAGS = 0x200

/** Counts texts whose paragraphs PowerPoint numbers by itself. */
export function countNumberedTexts(records: PptRecords, container: PptRecord | undefined): number {
  return records
    .listChildren(container, RECORD.tags)
    .flatMap(tags => records.listChildren(tags, RECORD.tag))
    .flatMap(tag => {
      const [name, content] = records.listChildren(tag)
      return name && content && records.readWide(name) === TAG ? [...records.list(content)] : []
    })
    .flatMap(part => (part.type === RECORD.outlineFormats ? records.listChildren(part) : [part]))
    .flatMap(part => (part.isContainer ? records.listChildren(part) : [part]))
    .filter(part => part.type === RECORD.listFormats && isNumbered(records.getContent(part))).length
}

function isNumbered(formats: Buffer): boolean {
  let at = 0
  const read = (bytes: 2 | 4) => {
    at += bytes
    return at <= formats.length ? formats.readUIntLE(at - bytes, bytes) : 0
  }
  const skip = (mask: number, fields: typeof LANGUAGE_FIELDS) => {
    for (const [bits, bytes] of fields) if (mask & bits) at += bytes
  }
  while (at < formats.length) {
    const paragraph = read(4)
    skip(paragraph, [[BULLET_PICTURE, 2]])
    if (paragraph & HAS_NUMBERS && read(2) === 1) return true
    skip(paragraph, [[NUMBERING, 4]])
    skip(read(4), [[RUN_FIELD, 4]])
    const language = read(4)
    skip(language, LANGUAGE_FIELDS)
    if (language & SMART_TAGS) at += 4 * read(4)
  }
  return false
}
