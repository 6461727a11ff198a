import { localizable } from '../../errors/localizable.ts'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { RequestContext } from './context.ts'
import { createRefusal } from './errors.ts'

type ByteRange = { readonly start: number; readonly end: number }

/** Sends an attachment: opened HTML would run on our origin. */
export function download(c: RequestContext, file: StoredFile): Response {
  const etag = `"${file.sha256}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    'x-content-type-options': 'nosniff',
  }
  if (hasMatchingTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  const part = parseRange(c, file.bytes, etag)
  if (!part) {
    return c.body(ReadableStream.from(readBytes(c, file)), 200, {
      ...headers,
      'content-length': String(file.bytes),
    })
  }
  const { start, end } = part
  return c.body(ReadableStream.from(readBytes(c, file, part)), 206, {
    ...headers,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${file.bytes}`,
  })
}

/** Opens with the first read, because HEAD reads nothing. */
async function* readBytes(
  c: RequestContext,
  { id }: StoredFile,
  part?: ByteRange,
): AsyncGenerator<Uint8Array> {
  const range = part && { start: part.start, end: part.end + 1 }
  yield* await c.var.passim.files.read(id, range, c.var.signal)
}

function hasMatchingTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/**
 * Returns undefined for the complete file; ignores multiple and invalid ranges (RFC 9110,
 * 14.2).
 */
function parseRange(c: RequestContext, size: number, etag: string): ByteRange | undefined {
  const condition = c.req.header('if-range')
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(c.req.header('range') ?? '') ?? []
  if ((first === '' && last === '') || (condition !== undefined && condition !== etag))
    return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end) return { start, end }
  const message = localizable`The range is outside of the file, which has ${size} bytes.`
  throw createRefusal({
    status: 416,
    code: 'invalid_input',
    message,
    headers: { 'content-range': `bytes */${size}` },
  })
}
