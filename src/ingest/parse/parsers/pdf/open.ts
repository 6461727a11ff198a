import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { createDamagedError, createLockedError, type ParserInput } from '../../parser.ts'
import { namesAnnotations } from './annotation-bytes.ts'
import { FONTLESS_DOCUMENT, loadEngine } from './engine.ts'
import { isCutOff, recoverPdf, type Salvaged } from './salvage/salvage.ts'

/** Protects memory: the engine loads the complete file. */
const MAX_BYTES = 1024 * 1024 * 1024

/**
 * Estimate, since the engine does not report it, so that a bomb is refused. Long tables reach
 * thirty.
 */
const INFLATED_PER_BYTE = 30
/** Bounded, so that the search stays linear. */
const MAX_DICTIONARY_BYTES = 4_096
const DEFLATED = /\/(?:FlateDecode|LZWDecode|Fl|LZW)\b/

export type OpenPdf = {
  readonly document: PDFDocumentProxy
  readonly namesAnnotations: boolean
  readonly salvaged: Salvaged | undefined
  close(): Promise<void>
}

/**
 * Runs no code and decodes no pictures. Opens the remaining pages of a damaged file. Throws
 * `empty`, `too_large`, `encrypted` and `corrupt`.
 */
export async function openPdf(input: ParserInput, signal?: AbortSignal): Promise<OpenPdf> {
  const bytes = await readBytes(input, signal)
  input.countBytes?.(countDeflatedBytes(Buffer.from(bytes.buffer)) * INFLATED_PER_BYTE)
  const found = isCutOff(bytes) ? recoverPdf(bytes) : undefined
  if (found && !hasAllPages(found)) return await openSalvaged(found, input)
  try {
    return await openBytes(bytes, input)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'corrupt') throw error
    const saved = found ?? recoverPdf(await readBytes(input, signal))
    if (!saved)
      throw createDamagedError(
        input.name,
        'it is damaged or cut off, and no page of it could be found',
        error.cause,
      )
    return await openSalvaged(saved, input)
  }
}

function hasAllPages({ complete, total }: Salvaged): boolean {
  return complete.length === total
}

async function openSalvaged(salvaged: Salvaged, input: ParserInput): Promise<OpenPdf> {
  return { ...(await openBytes(salvaged.bytes.slice(), input)), salvaged }
}

async function openBytes(bytes: Uint8Array<ArrayBuffer>, input: ParserInput): Promise<OpenPdf> {
  const isAnnotated = namesAnnotations(Buffer.from(bytes.buffer))
  const { getDocument, VerbosityLevel } = await loadEngine()
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const folder = (name: string) => join(root, name, '/')
  const task = getDocument({
    data: bytes,
    password: input.password,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: false,
    disableFontFace: false, // otherwise the outline of every letter is computed
    ownerDocument: FONTLESS_DOCUMENT,
    useWasm: false,
    maxImageSize: 0,
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    docBaseUrl: pathToFileURL(input.path).href,
  })
  try {
    return {
      document: await task.promise,
      namesAnnotations: isAnnotated,
      salvaged: undefined,
      close: () => task.destroy(),
    }
  } catch (error) {
    await task.destroy()
    throw toNamedError(error, input)
  }
}

function countDeflatedBytes(bytes: Buffer): number {
  let sum = 0
  for (let start = bytes.indexOf('stream'); start >= 0; ) {
    const end = bytes.indexOf('endstream', start)
    if (end < 0) return sum + bytes.length - start
    const before = Math.max(0, start - MAX_DICTIONARY_BYTES, bytes.lastIndexOf('obj', start))
    const dictionary = bytes.toString('latin1', before, start)
    if (DEFLATED.test(dictionary)) sum += end - start
    start = bytes.indexOf('stream', end + 'endstream'.length)
  }
  return sum
}

async function readBytes(
  input: ParserInput,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await stat(input.path)
  if (size === 0) throw new AppError('empty', localizable`${input.name} is empty: it has no bytes.`)
  if (size > MAX_BYTES)
    throw new AppError(
      'too_large',
      localizable`${input.name} has ${size} bytes; a PDF may have ${MAX_BYTES}.`,
    )
  return new Uint8Array(await readFile(input.path, { signal }))
}

function toNamedError(error: unknown, input: ParserInput): AppError {
  if (error instanceof Error && error.name === 'PasswordException')
    return createLockedError(input, error)
  return createDamagedError(input.name, 'it is damaged or cut off', error)
}
