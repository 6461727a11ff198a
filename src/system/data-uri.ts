import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'

export type DataFile = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }

const DATA = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[^;,]*)*?)(;base64)?,/i

/** File endings by media type, for bytes that do not tell their format. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
  'application/x-ndjson': 'jsonl',
  'message/rfc822': 'eml',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

const MAX_NAME_CHARS = 200

export function toDataUri({ name, mediaType, bytes }: DataFile): string {
  return `data:${mediaType};name=${encodeURIComponent(name)};base64,${bytes.toString('base64')}`
}

export function isDataUri(reference: string): boolean {
  return /^data:/i.test(reference)
}

export function getDataUriName(uri: string): string {
  const [, mediaType = 'text/plain', parameters = ''] = DATA.exec(uri.slice(0, 2_000)) ?? []
  const encodedName = /;(?:file)?name=([^;,]*)/i.exec(parameters)?.[1] ?? ''
  return (
    cleanName(decodePercent(encodedName).replace(/^["']|["']$/g, '')) ||
    `file.${ENDINGS[mediaType.toLowerCase()] ?? 'bin'}`
  )
}

/** Removes folders and control characters, and cuts to the maximum length. */
export function cleanName(name: string): string {
  const [last = ''] = name.split(/[/\\]/).slice(-1)
  return last
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_NAME_CHARS)
}

/** Throws `invalid_input` if the URI is invalid, `too_large` if it exceeds `maxBytes`. */
export function parseDataUri(uri: string, maxBytes: number): DataFile {
  const name = getDataUriName(uri)
  const [head, mediaType = 'text/plain', , base64] = DATA.exec(uri.slice(0, 2_000)) ?? []
  if (head === undefined)
    throw new AppError('invalid_input', 'A data URI is data:TYPE;base64,BYTES; this is none.')
  const body = uri.slice(head.length)
  if (body.length > maxBytes * 3) throw createTooLarge(name, maxBytes)
  const bytes = base64 ? fromBase64(body, name) : Buffer.from(decodePercent(body))
  if (bytes.length > maxBytes) throw createTooLarge(name, maxBytes)
  return { name, mediaType: mediaType.toLowerCase(), bytes }
}

function fromBase64(body: string, name: string): Buffer {
  const text = decodePercent(body).replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return Buffer.from(text, 'base64')
  throw new AppError(
    'invalid_input',
    localizable`${name} cannot be read: what its data URI holds is not base64.`,
  )
}

/** Keeps a text that is not percent-encoded. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a lone % is a character
  }
}

function createTooLarge(name: string, maxBytes: number): AppError {
  return new AppError(
    'too_large',
    localizable`${name} has more than ${maxBytes} bytes (fetching.maxBytes).`,
  )
}
