import { AppError } from '../errors.ts'

/** A file that is written out in its reference. */
export type DataFile = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }

const DATA = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[^;,]*)*?)(;base64)?,/i

/** Endings that say what the bytes are, where the bytes alone do not. */
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

export function isDataUri(reference: string): boolean {
  return /^data:/i.test(reference)
}

/** What the file is called: its `name` or `filename` parameter, else after its type. Never the bytes themselves. */
export function dataUriName(uri: string): string {
  const [, mediaType = 'text/plain', parameters = ''] = DATA.exec(uri.slice(0, 2_000)) ?? []
  const given = /;(?:file)?name=([^;,]*)/i.exec(parameters)?.[1] ?? ''
  return (
    baseName(decoded(given).replace(/^["']|["']$/g, '')) ||
    `file.${ENDINGS[mediaType.toLowerCase()] ?? 'bin'}`
  )
}

/** What somebody calls a file, as it may be kept: without folders and control characters, and not longer than a name is. */
export function baseName(given: string): string {
  const [last = ''] = given.split(/[/\\]/).slice(-1)
  return last
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_NAME_CHARS)
}

/** The file itself. Throws `invalid_input` for what is none, `too_large` for more than so many bytes. */
export function parseDataUri(uri: string, maxBytes: number): DataFile {
  const name = dataUriName(uri)
  const [head, mediaType = 'text/plain', , base64] = DATA.exec(uri.slice(0, 2_000)) ?? []
  if (head === undefined)
    throw new AppError('invalid_input', 'A data URI is data:TYPE;base64,BYTES; this is none.')
  const body = uri.slice(head.length)
  if (body.length > maxBytes * 3) throw tooLarge(name, maxBytes)
  const bytes = base64 ? fromBase64(body, name) : Buffer.from(decoded(body))
  if (bytes.length > maxBytes) throw tooLarge(name, maxBytes)
  return { name, mediaType: mediaType.toLowerCase(), bytes }
}

function fromBase64(body: string, name: string): Buffer {
  const text = decoded(body).replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return Buffer.from(text, 'base64')
  throw new AppError(
    'invalid_input',
    `${name} cannot be read: what its data URI holds is not base64.`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a lone % is a character
  }
}

function tooLarge(name: string, maxBytes: number): AppError {
  return new AppError('too_large', `${name} has more than ${maxBytes} bytes (fetching.maxBytes).`)
}
