import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { RequestContext } from './context.ts'
import { refusal } from './errors.ts'

/** From the first to the last byte of a part, both included. */
type ByteRange = { readonly start: number; readonly end: number }

/** The bytes of a file, or one range of them, to be saved and not shown: a browser that opened uploaded HTML here would run it as ours. */
export function download(c: RequestContext, file: StoredFile): Response {
  const etag = `"${file.sha256}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    'x-content-type-options': 'nosniff',
  }
  if (matches(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  const part = rangeOf(c, file.bytes, etag)
  if (!part) {
    return c.body(ReadableStream.from(bytesOf(c, file)), 200, {
      ...headers,
      'content-length': String(file.bytes),
    })
  }
  const { start, end } = part
  return c.body(ReadableStream.from(bytesOf(c, file, part)), 206, {
    ...headers,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${file.bytes}`,
  })
}

/** Opened with the first read: the answer to HEAD is made of the same response, and reads nothing. */
async function* bytesOf(
  c: RequestContext,
  { id }: StoredFile,
  part?: ByteRange,
): AsyncGenerator<Uint8Array> {
  const range = part && { start: part.start, end: part.end + 1 }
  yield* await c.var.passim.files.read(id, range, c.var.signal)
}

function matches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/** Undefined for the whole: several ranges, and what is no range, may be answered by it (RFC 9110, 14.2). */
function rangeOf(c: RequestContext, size: number, etag: string): ByteRange | undefined {
  const condition = c.req.header('if-range')
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(c.req.header('range') ?? '') ?? []
  if ((first === '' && last === '') || (condition !== undefined && condition !== etag))
    return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end) return { start, end }
  const message = `The range is outside of the file, which has ${size} bytes.`
  throw refusal({
    status: 416,
    code: 'invalid_input',
    message,
    headers: { 'content-range': `bytes */${size}` },
  })
}
