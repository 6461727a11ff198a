import { extname } from 'node:path'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import type { Warning } from '../parser.ts'

const OOXML = 'application/vnd.openxmlformats-officedocument'

const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.docx': `${OOXML}.wordprocessingml.document`,
  '.pptx': `${OOXML}.presentationml.presentation`,
  '.xlsx': `${OOXML}.spreadsheetml.sheet`,
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.epub': 'application/epub+zip',
  '.rtf': 'application/rtf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
}

const FORMATS: ReadonlySet<string> = new Set(Object.values(TYPES_BY_ENDING))

/** Used for any text, so that they say nothing of its format. */
const TEXT_ENDING = /^\.(txt|text|md|markdown|csv|tsv|json|jsonl|html?|xml|log|eml)$/

/** Often the file is an error page saved as the document. */
export function buildMislabellingWarnings(name: string, mediaType: string): readonly Warning[] {
  const ending = extname(name).toLowerCase()
  const isExpected = TEXT_ENDING.test(ending)
    ? !FORMATS.has(mediaType)
    : (TYPES_BY_ENDING[ending] ?? mediaType) === mediaType
  if (isExpected) return []
  const message = localizable`${name} ends in ${ending}, but its content is ${mediaType} and was read as that. Check that it is the right file.`
  return [withMessage({ code: 'mislabelled' }, message)]
}
