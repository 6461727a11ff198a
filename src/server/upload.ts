import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { StoredFile } from '../ingest/files.ts'
import type { RequestContext } from './context.ts'
import { invalid, unsupported } from './errors.ts'

/** `evals` is a purpose of OpenAI's requests, but none of its file objects, and nothing here would use it. */
const purposeSchema = z.enum(['assistants', 'batch', 'fine-tune', 'vision', 'user_data'])

/** What a form takes besides the bytes of its file: boundaries, headers, the other fields. */
const FORM_BYTES = 64 * 1024
const FORM_LIMITS = { files: 1, fields: 16, fieldSize: 1024, headerPairs: 32 }

type FilePart = { readonly part: string; readonly name: string | undefined; readonly bytes: Readable }

type Form = {
  /** The file, as soon as it begins. */
  readonly file: Promise<FilePart>
  /** The other fields, once the form has ended; they may follow the file. */
  readonly fields: Promise<ReadonlyMap<string, string>>
  /** Read no further; `fields` rejects with the reason. */
  readonly abandon: (reason: unknown) => void
}

/**
 * Take in the file of a multipart form while it arrives. When this throws, nothing is left of it: an aborted upload, one
 * over the limit, one whose purpose turns out to be none.
 */
export async function receiveUpload(c: RequestContext): Promise<StoredFile> {
  const { files, settings } = c.var.passim
  const maxBytes = settings.server.maxUploadBytes
  if (Number(c.req.header('content-length')) > maxBytes + FORM_BYTES) throw tooLarge(maxBytes)
  const form = readForm(c.req.raw)
  const { part, name, bytes } = await form.file
  try {
    if (part !== 'file') throw invalid(`Unknown parameter: ${part}. The part with the bytes is called file.`, part)
    if (!name) throw invalid('The file has no name: give its part a filename.', 'file')
    const describe = async () => ({ name, purpose: purposeOf(await form.fields) })
    return await files.upload(Readable.from(atMost(bytes, maxBytes)), describe)
  } catch (error) {
    form.abandon(error)
    await form.fields
    throw error
  }
}

/** Every promise here has its catch from the start: a client that leaves rejects them before anyone awaits them. */
function readForm(request: Request): Form {
  const parser = openParser(request)
  const stop = new AbortController()
  const fields = new Map<string, string>()
  parser.on('field', (name, value) => fields.set(name, value))
  parser.on('filesLimit', () => stop.abort(invalid('Upload one file at a time.', 'file')))
  const begun = new Promise<FilePart>(resolve => {
    parser.on('file', (part, bytes, { filename }) => {
      bytes.on('error', () => {}) // told by whatever reads the bytes, and by `fields`
      resolve({ part, name: filename, bytes })
    })
  })
  const ended = pipeline(Readable.fromWeb(request.body!), parser, { signal: stop.signal }).then(
    () => fields,
    error => {
      throw stop.signal.aborted ? stop.signal.reason : invalid(`The form breaks off or is malformed: ${error.message}.`)
    },
  )
  const missing = ended.then(() => {
    throw invalid('The form has no file: send its bytes in a part called file.', 'file')
  })
  const file = Promise.race([begun, missing])
  for (const promise of [ended, file]) promise.catch(() => {})
  return { file, fields: ended, abandon: reason => stop.abort(reason) }
}

function openParser(request: Request): busboy.Busboy {
  try {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    if (!request.body) throw new Error('there is no body')
    return busboy({ headers, limits: FORM_LIMITS, defParamCharset: 'utf8' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw invalid(`A file is uploaded as multipart/form-data, with the parts file and purpose: ${reason}.`)
  }
}

/** The bytes, as long as they are not more; busboy's own limit would cut them and go on. */
async function* atMost(bytes: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    // no encoding is set
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'too_large',
    `The upload is larger than ${maxBytes} bytes, and none of it was kept. Split it, or raise server.maxUploadBytes.`,
  )
}

function purposeOf(fields: ReadonlyMap<string, string>): string {
  const unknown = [...fields.keys()].find(name => name !== 'purpose')
  if (unknown?.startsWith('expires_after')) {
    throw unsupported('Files do not expire here yet: leave expires_after out.', 'expires_after')
  }
  if (unknown !== undefined) throw invalid(`Unknown parameter: ${unknown}.`, unknown)
  const purpose = purposeSchema.safeParse(fields.get('purpose'))
  if (purpose.success) return purpose.data
  throw invalid(`purpose: choose one of ${purposeSchema.options.join(', ')}.`, 'purpose')
}
