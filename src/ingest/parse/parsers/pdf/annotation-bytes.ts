import { inflateSync } from 'node:zlib'

const KINDS = [
  '/FreeText',
  '/Subtype/Text',
  '/Subtype /Text',
  '/Highlight',
  '/Underline',
  '/Squiggly',
  '/StrikeOut',
  '/Caret',
  '/Stamp',
  '/Ink',
  '/FileAttachment',
  '/URI',
  '/GoToR',
]
const OBJECT_STREAM = '/ObjStm'
/** Protects memory; writers put at most some hundred objects in one stream. */
const MAX_INFLATED = 16 * 1024 * 1024
/** Bounded, so that the search of a large file takes less than a second. */
const MAX_STREAMS = 2_000

export function namesAnnotations(file: Buffer): boolean {
  if (namesKind(file)) return true
  if (!file.includes(OBJECT_STREAM)) return false
  if (file.includes('/Encrypt')) return true
  let start = file.indexOf(OBJECT_STREAM)
  for (let count = 0; start >= 0; count++) {
    if (count === MAX_STREAMS) return true
    const inflated = inflateStream(file, start)
    if (!inflated || namesKind(inflated)) return true
    start = file.indexOf(OBJECT_STREAM, start + OBJECT_STREAM.length)
  }
  return false
}

function namesKind(bytes: Buffer): boolean {
  return KINDS.some(kind => bytes.includes(kind))
}

/** Returns undefined if the stream after a dictionary is damaged, encrypted or not deflated. */
export function inflateStream(file: Buffer, dictionary: number): Buffer | undefined {
  const keyword = file.indexOf('stream', dictionary)
  const start = file[keyword + 6] === 0x0d ? keyword + 8 : keyword + 7
  const end = file.indexOf('endstream', start)
  if (keyword < 0 || end < 0) return undefined
  try {
    return inflateSync(file.subarray(start, end), { maxOutputLength: MAX_INFLATED })
  } catch {
    return undefined
  }
}
