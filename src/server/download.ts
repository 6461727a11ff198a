import type { Passim } from '../app.ts'
import type { StoredFile } from '../ingest/catalog/files.ts'
import type { RequestContext } from './context.ts'

/** The bytes of a file, to be saved and not shown: a browser that opened uploaded HTML here would run it as ours. */
export function download(c: RequestContext, file: StoredFile): Response {
  return c.body(ReadableStream.from(bytesOf(c.var.passim, file)), 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(file.bytes),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    'x-content-type-options': 'nosniff',
  })
}

/** Opened with the first read: the answer to HEAD is made of the same response, and reads nothing. */
async function* bytesOf({ files }: Passim, { id }: StoredFile): AsyncGenerator<Uint8Array> {
  yield* files.open(id)
}
