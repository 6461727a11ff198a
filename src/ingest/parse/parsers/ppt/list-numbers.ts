import { type MaskedFields, MaskedReader } from './masked-fields.ts'
import { type PptRecord, type PptRecords, RECORD } from './records.ts'

/** Contains what PowerPoint 2000 added. */
const TAG = '___PPT9'
/** Field bits of list formats ([MS-PPT] 2.9.22 and 2.9.23), and the bytes of each. */
const BULLET_PICTURE = 0x80_0000
const HAS_NUMBERS = 0x100_0000
const NUMBERING = 0x200_0000
const RUN_FIELD = 0x10_0000
const LANGUAGE_FIELDS: MaskedFields = [
  [1, 2],
  [2, 2],
  [4, 2],
  [0x20, 4],
  [0x40, 2],
]
const SMART_TAGS = 0x200

export function countNumberedTexts(records: PptRecords, container: PptRecord | undefined): number {
  return records
    .listTagged(container, TAG)
    .flatMap(part => (part.type === RECORD.outlineFormats ? records.listChildren(part) : [part]))
    .flatMap(part => (part.isContainer ? records.listChildren(part) : [part]))
    .filter(part => part.type === RECORD.listFormats && isNumbered(records.getContent(part))).length
}

function isNumbered(formats: Buffer): boolean {
  const reader = new MaskedReader(formats)
  while (!reader.isAtEnd) {
    const paragraph = reader.readNumber(4)
    reader.skipFields(paragraph, [[BULLET_PICTURE, 2]])
    if (paragraph & HAS_NUMBERS && reader.readNumber(2) === 1) return true
    reader.skipFields(paragraph, [[NUMBERING, 4]])
    reader.skipFields(reader.readNumber(4), [[RUN_FIELD, 4]])
    const language = reader.readNumber(4)
    reader.skipFields(language, LANGUAGE_FIELDS)
    if (language & SMART_TAGS) reader.skip(4 * reader.readNumber(4))
  }
  return false
}
