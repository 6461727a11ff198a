import { extname } from 'node:path'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { readSmallFile } from '../../../system/digest.ts'
import { readHead } from '../../../system/disk.ts'
import { createDamagedError, createPasswordError } from '../parser.ts'
import { decodeAs, detectCharset, detectFileCharset, guessDamagedFileCharset } from './charset.ts'
import { BINARY_EXTENSIONS, TEXT_EXTENSIONS } from './extensions.ts'
import { CompoundFile, OLE2_SIGNATURE } from './ole2.ts'
import { ZipArchive } from './zip.ts'

const HEAD_BYTES = 8192
const SMALL_BYTES = 64 * 1024
/** Bytes that may precede a PDF's header: the limit of Acrobat (ISO 32000-1, annex H.3.4.1). */
const PDF_HEADER_BYTES = 1024

const OOXML = 'application/vnd.openxmlformats-officedocument'

/**
 * First records of workbooks without OLE2, by version: Excel 2, 3 and 4, and some that programs
 * write.
 */
const PLAIN_WORKBOOKS = [
  '\x09\0\x04\0',
  '\x09\x02\x06\0',
  '\x09\x04\x06\0',
  '\x09\x08\x08\0',
  '\x09\x08\x10\0',
]

const SIGNATURES: readonly {
  readonly parts: readonly (readonly [number, string])[]
  readonly type: string
}[] = [
  { parts: [[0, '{\\rtf']], type: 'application/rtf' },
  { parts: [[0, '\x89PNG\r\n']], type: 'image/png' },
  { parts: [[0, '\xff\xd8\xff']], type: 'image/jpeg' },
  { parts: [[0, 'GIF8']], type: 'image/gif' },
  {
    parts: [
      [0, 'BM'],
      [6, '\0\0\0\0'],
    ],
    type: 'image/bmp',
  },
  { parts: [[0, 'II*\0']], type: 'image/tiff' },
  { parts: [[0, 'MM\0*']], type: 'image/tiff' },
  {
    parts: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
    type: 'image/webp',
  },
  { parts: [[4, 'ftypheic']], type: 'image/heic' },
  { parts: [[4, 'ftypmif1']], type: 'image/heic' },
  { parts: [[4, 'ftypavif']], type: 'image/avif' },
  { parts: [[4, 'ftyp']], type: 'video/mp4' },
  { parts: [[0, 'ID3']], type: 'audio/mpeg' },
  {
    parts: [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
    type: 'audio/wav',
  },
  { parts: [[0, '\x1f\x8b']], type: 'application/gzip' },
  { parts: [[0, '7z\xbc\xaf\x27\x1c']], type: 'application/x-7z-compressed' },
  { parts: [[0, 'Rar!\x1a\x07']], type: 'application/vnd.rar' },
  { parts: [[0, 'SQLite format 3\0']], type: 'application/vnd.sqlite3' },
  { parts: [[0, '\xffWPC']], type: 'application/vnd.wordperfect' },
  { parts: [[0, '\x78\x9f\x3e\x22']], type: 'application/vnd.ms-tnef' },
  { parts: [[0, '\x7fELF']], type: 'application/x-executable' },
  ...PLAIN_WORKBOOKS.map(start => ({
    parts: [[0, start]] as const,
    type: 'application/vnd.ms-excel',
  })),
]

const CONTAINERS: readonly (readonly [RegExp, string])[] = [
  [/^word\//, `${OOXML}.wordprocessingml.document`],
  [/^xl\//, `${OOXML}.spreadsheetml.sheet`],
  [/^ppt\//, `${OOXML}.presentationml.presentation`],
  [/^(?:Index\/.*\.iwa|Index\.zip)$/, 'application/vnd.apple.iwork'],
  [/^META-INF\/container\.xml$/, 'application/epub+zip'],
  [/^META-INF\/MANIFEST\.MF$/, 'application/java-archive'],
  [/^META-INF\/manifest\.xml$/, 'application/vnd.oasis.opendocument.text'],
]

const PACKAGES = CONTAINERS.map(([, type]) => type)
const MAIN_PART =
  /(wordprocessingml|spreadsheetml|presentationml)\.(?:document|sheet|presentation|slideshow|template)\.main\+xml/
/** Some 200 bytes for each of 1,000 parts. */
const MAX_TYPES_BYTES = 262_144

const LEGACY_OFFICE: Readonly<Record<string, string>> = {
  WordDocument: 'application/msword',
  Workbook: 'application/vnd.ms-excel',
  Book: 'application/vnd.ms-excel',
  'PowerPoint Document': 'application/vnd.ms-powerpoint',
  PP40: 'application/vnd.ms-powerpoint',
  '__properties_version1.0': 'application/vnd.ms-outlook',
  Quill: 'application/x-mspublisher',
  VisioDocument: 'application/vnd.visio',
}

const TEXT_KINDS: ReadonlySet<string> = new Set(Object.values(TEXT_EXTENSIONS))

/** Others, such as `.ts` and `.log`, are also used for binary files. */
const TEXT_PROMISES = /^\.(txt|text|md|markdown|csv|tsv|jsonl?|ndjson|x?html?|xml|eml)$/

const MAIL_FIELDS = /^(?:[\x21-\x39\x3b-\x7e]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+/
/** Line before the first mail (RFC 4155). */
const MAILBOX_START = /^From \S+ [^\n]*\d{4}[^\n]*\n/
/** Mail programs add these, and people who write notes do not. */
const MAIL_MARK = /^(received|return-path|message-id|mime-version):/im

/** A comment ends at its first `-->`; otherwise matching would be exponential. */
const HTML_START =
  /^\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*)*<(!doctype\s+html|html|head|body|title|meta)[\s>]/i

/**
 * XML under another name, as of Word 2003 under `.doc` and JATS under `.nxml`. SGML may omit the
 * system identifier.
 */
const XML_START =
  /^\s*<(?:\?xml\s|!DOCTYPE\s+[\w:.-]+\s+(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))\s+["'])/
const PLAIN = /^\.(?:txt|text|log)$/

/** Root of a file in one XML file (OpenDocument 1.3, 3.1.2). */
const FLAT_OPEN_DOCUMENT =
  /<office:document\s[^>]*?\boffice:mimetype="(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))(?:-template)?"/

type ContentHints = {
  readonly bytes?: Buffer
  readonly declared?: string
}

/**
 * Detects by content, kinds of text by extension, then declared type. Throws `empty`, `encrypted`,
 * and `corrupt` for bytes that do not fit the name.
 */
export async function detectMediaType(
  path: string,
  name: string,
  hints: ContentHints = {},
): Promise<string> {
  const bytes = hints.bytes ?? (await readSmallFile(path, SMALL_BYTES))
  const head = bytes?.subarray(0, HEAD_BYTES) ?? (await readHead(path, HEAD_BYTES))
  if (head.length === 0)
    throw new AppError('empty', localizable`${name} is empty: it has no bytes.`)
  const signed = matchSignature(head)
  if (signed) return signed
  if (isZip(head)) return detectContainerType(path, name, head)
  if (isOle2(head)) return detectLegacyType(path, name)
  const charset = bytes ? await detectCharset(bytes) : await detectFileCharset(path)
  const kind = detectTextType(name, head, charset ?? (await findDamagedCharset(path, name)))
  return kind === 'text/plain' ? (decideTextKind(name, hints.declared) ?? kind) : kind
}

async function findDamagedCharset(path: string, name: string): Promise<string | undefined> {
  return isTextName(name) ? await guessDamagedFileCharset(path) : undefined
}

function isTextName(name: string): boolean {
  const extension = extname(name).toLowerCase()
  return extension in TEXT_EXTENSIONS || TEXT_PROMISES.test(extension) || extension === '.log'
}

/** Ignores what a browser declares for a `.txt`. */
function decideTextKind(name: string, declared: string | undefined): string | undefined {
  return declared === undefined || isTextName(name)
    ? undefined
    : findDeclaredKind(declared, TEXT_KINDS)
}

export function isContainer(bytes: Buffer): boolean {
  return isZip(bytes) || isOle2(bytes)
}

function isZip(head: Buffer): boolean {
  return head.subarray(0, 2).toString('latin1') === 'PK'
}

function isOle2(head: Buffer): boolean {
  return head.subarray(0, 8).equals(OLE2_SIGNATURE)
}

function matchSignature(head: Buffer): string | undefined {
  const text = head.toString('latin1')
  if (/%PDF-\d/.test(text.slice(0, PDF_HEADER_BYTES))) return 'application/pdf'
  return SIGNATURES.find(({ parts }) =>
    parts.every(([offset, bytes]) => text.startsWith(bytes, offset)),
  )?.type
}

async function detectContainerType(path: string, name: string, head: Buffer): Promise<string> {
  const archive = await ZipArchive.open(path, name)
  try {
    const names = archive.entryNames
    return (
      readStatedType(head) ??
      toMediaType((await archive.read('mimetype'))?.toString('latin1', 0, MAX_TYPE_CHARS)) ??
      CONTAINERS.find(([part]) => names.some(entry => part.test(entry)))?.[1] ??
      (await findPackageType(archive)) ??
      'application/zip'
    )
  } finally {
    archive.close()
  }
}

/** Reads the types of the parts, which may have any names (ECMA-376 part 2). */
async function findPackageType(archive: ZipArchive): Promise<string | undefined> {
  let types = ''
  for await (const part of archive.stream('[Content_Types].xml') ?? []) {
    types += part.toString('latin1')
    if (types.length > MAX_TYPES_BYTES) break
  }
  const kind = MAIN_PART.exec(types)?.[1]
  return PACKAGES.find(type => kind && type.includes(kind))
}

/** OpenDocument and EPUB state their type in a first entry called `mimetype`. */
function readStatedType(head: Buffer): string | undefined {
  const nameStart = 30
  const sizeStart = 18
  if (head.toString('latin1', nameStart, nameStart + 8) !== 'mimetype') return undefined
  const start = nameStart + 8 + head.readUInt16LE(28)
  return toMediaType(head.toString('latin1', start, start + head.readUInt32LE(sizeStart)))
}

const MAX_TYPE_CHARS = 102

function toMediaType(written: string | undefined): string | undefined {
  const type = written?.trim() ?? ''
  return /^[a-z0-9.+/-]{3,100}$/.test(type) ? type : undefined
}

async function detectLegacyType(path: string, name: string): Promise<string> {
  const file = await CompoundFile.open(path, name)
  try {
    if (file.find('EncryptedPackage')) throw createPasswordError(name)
    const isThere = (stream: string) => file.root.entries.has(stream.toUpperCase())
    const isAnywhere = (stream: string) => file.find(stream) !== undefined
    const streams = Object.keys(LEGACY_OFFICE)
    const main = streams.find(isThere) ?? streams.find(isAnywhere)
    return (main && LEGACY_OFFICE[main]) ?? 'application/x-ole-storage'
  } finally {
    await file.close()
  }
}

type TextTraits = { readonly charset: string; readonly extension: string }

function detectMarkup(head: Buffer, { charset, extension }: TextTraits): string {
  const byName = TEXT_EXTENSIONS[extension] ?? 'text/plain'
  if (!head.includes('<')) return byName // the same byte in all charsets that are recognized
  const flat = FLAT_OPEN_DOCUMENT.exec(head.toString('latin1'))
  if (flat) return `${flat[1]}-flat-xml`
  const text = decodeAs(head, charset)
  if (HTML_START.test(text)) return 'text/html'
  const isNamed = extension in TEXT_EXTENSIONS || PLAIN.test(extension)
  return !isNamed && XML_START.test(text) ? 'application/xml' : byName
}

function detectTextType(name: string, head: Buffer, charset: string | undefined): string {
  const start = head.toString('latin1')
  const [separator = ''] = MAILBOX_START.exec(start) ?? []
  if (MAIL_MARK.test(MAIL_FIELDS.exec(start.slice(separator.length))?.[0] ?? ''))
    return separator ? 'application/mbox' : 'message/rfc822'
  const extension = extname(name).toLowerCase()
  if (charset) return detectMarkup(head, { charset, extension })
  if (TEXT_PROMISES.test(extension))
    throw new AppError(
      'corrupt',
      localizable`Cannot read ${name}: its bytes are not text in any known charset.`,
    )
  if (!BINARY_EXTENSIONS.has(extension)) return 'application/octet-stream'
  throw createDamagedError(
    name,
    localizable`its bytes are not a ${extension.slice(1)} file, nor text`,
  )
}

const SPELLINGS: Readonly<Record<string, string>> = {
  'application/xhtml+xml': 'text/html',
  'text/x-markdown': 'text/markdown',
  'text/x-web-markdown': 'text/markdown',
  'application/csv': 'text/csv',
  'application/x-csv': 'text/csv',
  'text/x-csv': 'text/csv',
  'text/comma-separated-values': 'text/csv',
  'text/tsv': 'text/tab-separated-values',
  'text/json': 'application/json',
  'text/xml': 'application/xml',
  'application/x-tex': 'text/x-tex',
  'application/x-latex': 'text/x-tex',
  'text/prs.fallenstein.rst': 'text/x-rst',
  'text/x-vcard': 'text/vcard',
  'text/directory': 'text/vcard',
  'application/geo+json': 'application/json',
  'application/ld+json': 'application/json',
  'application/x-ndjson': 'application/jsonl',
  'application/ndjson': 'application/jsonl',
  'application/jsonlines': 'application/jsonl',
  'application/x-jsonlines': 'application/jsonl',
  'application/javascript': 'text/javascript',
  'application/x-javascript': 'text/javascript',
  'application/typescript': 'text/x-typescript',
  'application/x-python': 'text/x-python',
  'application/x-sh': 'text/x-shellscript',
  'application/sql': 'text/x-sql',
}

function findDeclaredKind(mediaType: string, kinds: ReadonlySet<string>): string | undefined {
  const [essence = ''] = mediaType.toLowerCase().split(';')
  const type = essence.trim()
  const kind = (Object.hasOwn(SPELLINGS, type) && SPELLINGS[type]) || type
  return kinds.has(kind) ? kind : undefined
}
