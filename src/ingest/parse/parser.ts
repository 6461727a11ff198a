import { AppError } from '../../errors.ts'
import type { Block } from '../block.ts'

/** A file that is not as its format has it. What a library says of it stays in the cause: it tells a reader of documents nothing. */
export function createDamagedError(name: string, what: string, cause?: unknown): AppError {
  return new AppError('corrupt', `Cannot read ${name}: ${what}. Add a whole copy of it.`, { cause })
}

/** Something the reader of a document should know, though its text is there. */
export type Warning = { readonly code: string; readonly message: string; readonly page?: number }

/** Engine that read a picture of text, and its mean confidence, 0 to 1. */
export type OcrReport = { readonly engine: 'tesseract' | 'pp-ocr'; readonly confidence: number }

/** Extraction report of one page, which a user can check. */
export type PageReport = {
  readonly page: number
  readonly characters: number
  readonly images: number
  /** Share of characters that are no text (U+FFFD, private use, controls), 0 to 1. */
  readonly garbled: number
  /** Label of the page in the document (`iv`, `A-3`), if it differs from the number. */
  readonly label?: string
  /** Report of OCR, for a page that was read by it. */
  readonly ocr?: OcrReport
}

/** Facts about a document as the format states them; dates are ISO 8601, the language a BCP 47 tag. */
export type Metadata = {
  readonly title?: string
  readonly author?: string
  readonly created?: string
  readonly modified?: string
  readonly language?: string
  readonly charset?: string
  /** Number of pages, in formats that have them. */
  readonly pages?: number
}

/** Something that a document holds and that is a document of its own, written into the folder offered for that. */
export type Attachment = {
  /** Name, unique within the document. If the document has none, it is made up, with an ending that fits. */
  readonly name: string
  /** Base name of its file. */
  readonly file: string
}

/** Event of a parser, in the order of the document. Metadata may come in parts; later parts win. */
export type ParserEvent =
  | { readonly type: 'block'; readonly block: Block }
  | { readonly type: 'page'; readonly report: PageReport }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'metadata'; readonly metadata: Metadata }
  | { readonly type: 'attachment'; readonly attachment: Attachment }
  /**
   * OCR of a page begins or is done, or is not done though there is a picture to read. It is slow: it has its own limit
   * of time, and what comes before it is not held back.
   */
  | { readonly type: 'ocr'; readonly page: number; readonly state: 'started' | 'done' | 'skipped' }

/** Selection of pages for OCR: `auto` those with a picture and almost no text, `always` all that show a picture. */
export const OCR_MODES = ['auto', 'off', 'always'] as const
export type OcrMode = (typeof OCR_MODES)[number]

export type OcrOptions = {
  readonly mode: OcrMode
  /** `auto` reads by tesseract.js, and by PP-OCR what that is not sure of. */
  readonly engine: 'auto' | 'tesseract' | 'pp-ocr'
  /** Languages by the names of tesseract.js's data packages: `eng`, `chi_sim`. */
  readonly languages: readonly string[]
}

/** The bytes to parse and what is known about them. */
export type ParserInput = {
  readonly path: string
  /** Base name of the source, for messages; the content decides the format. */
  readonly name: string
  readonly mediaType: string
  readonly password?: string
  /** Folder for attachments, made by the parser if there are any. Without one they are only named in the text. */
  readonly attachmentsFolder?: string
  /** Absent, no picture is read. */
  readonly ocr?: OcrOptions
  /**
   * Reports bytes that the parser inflates, in addition to those of the file. They raise the limit for the text of a document, so
   * parsers of compressed formats call this.
   */
  readonly countBytes?: (bytes: number) => void
  /** A page to be drawn rather than read, so many pixels wide; without a width only its size is found out. */
  readonly drawing?: { readonly page: number; readonly width?: number }
}

/** A file as it first appears: its base name and the first 8 KiB of it. */
export type FileHead = { readonly name: string; readonly bytes: Uint8Array }

/**
 * Reads one format. Streams: it never holds more of a document than the format forces it to.
 * Throws AppError `corrupt`, `encrypted`, `empty`, `no_text` or `too_large`, naming the document.
 */
export interface Parser {
  /** Name and version, as `pdf@1`; changes when the output would. */
  readonly id: string
  /** IANA media types, lower case, that this parser reads. */
  readonly mediaTypes: readonly string[]
  /**
   * Only for a format that Passim does not tell by itself: its media type when a file is of it. Asked before anything
   * else looks at the file, in the program's own process; it should only look at what it is given.
   */
  recognizes?(file: FileHead): string | undefined
  /** Whether its output depends on how OCR is set. */
  readonly usesOcr?: boolean
  /** The id instead for documents in which there was nothing to read by OCR. */
  readonly settledId?: string
  parse(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent>
}

/** The ids under which what a parser makes of a document may be kept. */
export function listParserIds({ id, settledId }: Parser): readonly string[] {
  return settledId ? [settledId, id] : [id]
}

/** Formats in which Passim hands documents to itself. */
const OWN_TYPES = 'application/vnd.passim.'

/** The first parser that reads the media type; `unsupported_format` when there is none. */
export function chooseParser(
  parsers: readonly Parser[],
  input: { name: string; mediaType: string },
): Parser {
  const parser = parsers.find(candidate => candidate.mediaTypes.includes(input.mediaType))
  if (parser) return parser
  const formats = parsers.filter(
    candidate => !candidate.mediaTypes.every(type => type.startsWith(OWN_TYPES)),
  )
  const supported = formats.map(candidate => candidate.id.split('@')[0]).join(', ')
  const advice =
    findConversionAdvice(input.mediaType) ?? `Supported: ${supported}. Convert it to one of these.`
  throw new AppError(
    'unsupported_format',
    `Cannot read ${input.name}: no parser for ${input.mediaType}. ${advice}`,
  )
}

/** Formats that nobody should have to guess about: what to save a file as so that it can be read. */
const ADVICE: Readonly<Record<string, string>> = {
  'application/msword': saveAs('a Word 97–2003 document', 'docx'),
  'application/vnd.ms-excel': saveAs('an Excel 97–2003 workbook', 'xlsx'),
  'application/vnd.ms-powerpoint': saveAs('a PowerPoint 97–2003 presentation', 'pptx'),
  'application/x-ole-storage':
    'It is a file of an older Office program: save it in a newer format, as .docx, .xlsx or .pptx, and add it again.',
  'application/vnd.ms-outlook':
    'It is a message in the format of Outlook: save it as .eml and add it again.',
  'application/gzip': 'It is an archive: unpack it and add what is in it.',
  'application/x-7z-compressed': 'It is an archive: unpack it and add what is in it.',
  'application/vnd.rar': 'It is an archive: unpack it and add what is in it.',
}

/** Returns advice on a file of a type that no parser reads, if there is better advice than to convert it. */
function findConversionAdvice(mediaType: string): string | undefined {
  return ADVICE[mediaType]
}

function saveAs(kind: string, extension: string): string {
  const command = `soffice --headless --convert-to ${extension} FILE`
  return `It is ${kind}: save it as .${extension}, in Office or with LibreOffice (${command}), and add it again.`
}
