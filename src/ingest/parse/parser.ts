import { localizable, type Sentence } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Block } from '../block.ts'
import { findRemedy } from './refused-formats.ts'

/** Hides a library's message in the cause: it tells a reader nothing. */
export function createDamagedError(name: string, what: Sentence, cause?: unknown): AppError {
  return new AppError(
    'corrupt',
    localizable`Cannot read ${name}: ${what}. Add a complete copy of it.`,
    {
      cause,
    },
  )
}

export function createPasswordError(name: string): AppError {
  return new AppError(
    'encrypted',
    localizable`${name} is protected by a password. Save it without one and add it again.`,
  )
}

/** States whether a password that opens the file is missing or wrong. */
export function createLockedError({ name, password }: ParserInput, cause?: unknown): AppError {
  const isMissing = password === undefined
  const remedy = isMissing ? 'Provide it' : 'The given one is wrong. Provide the right one'
  return new AppError(
    'encrypted',
    localizable`${name} is protected by a password. ${remedy}, or save the file without one.`,
    { cause, ...(isMissing && { advice: 'The option --password passes it.' }) },
  )
}

/** The text is there, but the reader should know this. */
export type Warning = {
  readonly code: string
  readonly message: string
  readonly page?: number
  /** Command or setting that helps. Shown on the command line only. */
  readonly advice?: string | undefined
}

/** Documents of older versions were read by Tesseract. */
export type OcrReport = { readonly engine: 'tesseract' | 'pp-ocr'; readonly confidence: number }

export type PageReport = {
  readonly page: number
  readonly characters: number
  readonly images: number
  /** Share of junk (U+FFFD, private use, controls), 0 to 1. */
  readonly garbled: number
  /** Label of the page (`iv`, `A-3`), if it differs from the number. */
  readonly label?: string
  /** Present for a page that was read by OCR. */
  readonly ocr?: OcrReport
  /** Only some of its lines were read. */
  readonly isSample?: true
}

/** Stated by the format; dates are ISO 8601, the language a BCP 47 tag. */
export type Metadata = {
  readonly title?: string
  readonly author?: string
  readonly subject?: string
  readonly keywords?: string
  readonly created?: string
  readonly modified?: string
  readonly language?: string
  readonly charset?: string
  /** Absent in formats without pages. */
  readonly pages?: number
}

/** A document within the document, written into the offered folder. */
export type Attachment = {
  /** Unique; made up with a fitting extension if there is none. */
  readonly name: string
  readonly file: string
}

/** Ordered as in the document. Metadata may come in parts; later parts win. */
export type ParserEvent =
  | { readonly type: 'block'; readonly block: Block }
  | { readonly type: 'page'; readonly report: PageReport }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'metadata'; readonly metadata: Metadata }
  | { readonly type: 'attachment'; readonly attachment: Attachment }
  /** OCR of a page has its own time limit, and earlier events are not held back. */
  | { readonly type: 'ocr'; readonly page: number; readonly state: 'started' | 'done' | 'skipped' }

/** `auto`: pages with a picture and almost no text; `always`: all that show a picture. */
export const OCR_MODES = ['auto', 'off', 'always'] as const
export type OcrMode = (typeof OCR_MODES)[number]

export type OcrOptions = {
  readonly mode: OcrMode
  /** Processor time of a page, of which a file has more with its bytes. Default 120,000. */
  readonly pageTimeMs?: number
}

export type ParserInput = {
  readonly path: string
  /** Base name of the source, for messages; the content decides the format. */
  readonly name: string
  readonly mediaType: string
  readonly password?: string
  /** Created by the parser on demand. Default: attachments are only named in the text. */
  readonly attachmentsFolder?: string
  /** Default: no picture is read. */
  readonly ocr?: OcrOptions
  /** Reads only some lines of a picture, spread over it, which takes a third of the time. */
  readonly isSample?: boolean
  /**
   * Reports inflated bytes besides those of the file. They raise the limit for the document's
   * text.
   */
  readonly countBytes?: (bytes: number) => void
  /**
   * Page to draw instead of reading, with its width in pixels; default: only its size is
   * determined.
   */
  readonly drawing?: { readonly page: number; readonly width?: number }
}

/** Base name and first 8 KiB of a file. */
export type FileHead = { readonly name: string; readonly bytes: Uint8Array }

/**
 * Reads one format as a stream. Throws AppError `corrupt`, `encrypted`, `empty`, `no_text` or
 * `too_large`, naming the document.
 */
export interface Parser {
  /** Changes when the output would, as `pdf@1`. */
  readonly id: string
  /** IANA media types, lower case. */
  readonly mediaTypes: readonly string[]
  /**
   * Returns the media type of a format that Passim does not detect. Runs in the program's own
   * process: it must only look at the given bytes.
   */
  recognizes?(file: FileHead): string | undefined
  /** Whether the output depends on the settings of OCR. */
  readonly usesOcr?: boolean
  /** Id for documents that needed no OCR. */
  readonly settledId?: string
  parse(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent>
}

export function listParserIds({ id, settledId }: Parser): readonly string[] {
  return settledId ? [settledId, id] : [id]
}

/** Throws `unsupported_format`. */
export function chooseParser(
  parsers: readonly Parser[],
  input: { name: string; mediaType: string },
): Parser {
  const parser = parsers.find(candidate => candidate.mediaTypes.includes(input.mediaType))
  if (parser) return parser
  const { message, advice } = findRemedy(input.mediaType, parsers)
  throw new AppError(
    'unsupported_format',
    localizable`Cannot read ${input.name}: no parser for ${input.mediaType}. ${message}`,
    { advice },
  )
}
