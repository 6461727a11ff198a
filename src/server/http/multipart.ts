import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { localizable } from '../../errors/localizable.ts'
import { AppError, getReason } from '../../errors.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import type { RequestContext } from './context.ts'
import { createInvalid } from './errors.ts'

/** Bytes of a form besides its file; protects memory. */
const FORM_BYTES = 64 * 1024
const MAX_FIELDS = 16
const MAX_FIELD_CHARS = 1024
/** Includes fields sent as JSON files. */
const FORM_LIMITS = {
  files: 1 + MAX_FIELDS,
  fields: MAX_FIELDS,
  fieldSize: MAX_FIELD_CHARS,
  headerPairs: 32,
}

/** Length of a media type (RFC 6838). */
const MAX_TYPE_CHARS = 255

type FilePart = {
  readonly part: string
  readonly name: string | undefined
  readonly mediaType: string
  readonly bytes: Readable
}

type Form = {
  readonly file: Promise<FilePart>
  readonly fields: Promise<ReadonlyMap<string, string>>
  readonly abandon: (reason: unknown) => void
}

type PartOptions = {
  /** Field name of the file. */
  readonly part: string
  readonly maxBytes: number
}

/** `fields` resolve after `bytes`. */
type ArrivingForm = Pick<FilePart, 'name' | 'mediaType' | 'bytes'> & {
  readonly fields: Promise<ReadonlyMap<string, string>>
}

/** Streams the file to `use`, until a failure. */
export async function receivePart<Result>(
  c: RequestContext,
  { part: expected, maxBytes }: PartOptions,
  use: (form: ArrivingForm) => Promise<Result>,
): Promise<Result> {
  if (Number(c.req.header('content-length')) > maxBytes + FORM_BYTES) throw createTooLarge(maxBytes)
  const form = readForm(c.req.raw, expected)
  const receive = async () => {
    const { part, name, mediaType, bytes } = await form.file
    if (part !== expected) {
      throw createInvalid(
        localizable`Unknown parameter: ${part}. Send the bytes in a part named ${expected}.`,
        part,
      )
    }
    const isCompared = c.req.header('idempotency-key') !== undefined
    const hash = isCompared ? startHash({ part, name, mediaType }) : undefined
    const arriving = Readable.from(limitBytes(bytes, maxBytes, hash))
    const result = await use({ name, mediaType, bytes: arriving, fields: form.fields })
    if (hash) c.set('formDigest', finishDigest(hash, await form.fields))
    return result
  }
  const receiving = receive()
  try {
    return await raceAbort(receiving, c.var.signal)
  } catch (error) {
    form.abandon(error)
    await Promise.allSettled([receiving]) // waits until the file is discarded
    await form.fields // throws if the form broke off
    throw error
  }
}

/** Returns the digest of `receivePart` without storing. Throws `too_large`. */
export async function hashForm(c: RequestContext, maxBytes: number): Promise<string> {
  const form = readForm(c.req.raw, 'file')
  const getDigest = async () => {
    const { part, name, mediaType, bytes } = await form.file
    const hash = startHash({ part, name, mediaType })
    for await (const _ of limitBytes(bytes, maxBytes, hash));
    return finishDigest(hash, await form.fields)
  }
  try {
    return await raceAbort(getDigest(), c.var.signal)
  } catch (error) {
    form.abandon(error)
    throw error
  }
}

/** Ignores boundaries, which differ between attempts. */
function startHash({ part, name, mediaType }: Omit<FilePart, 'bytes'>): Hash {
  return createHash('sha256').update(JSON.stringify([part, name, mediaType]))
}

function finishDigest(hash: Hash, fields: ReadonlyMap<string, string>): string {
  return hash.update(JSON.stringify([...fields])).digest('hex')
}

/** Catches every promise from the start, because a leaving client rejects them. */
function readForm(request: Request, expected: string): Form {
  const parser = openParser(request)
  const stop = new AbortController()
  const fields = new Map<string, string>()
  parser.on('field', (name, value) => fields.set(name, value))
  const rejectSecond = () => stop.abort(createInvalid('Upload one file at a time.', expected))
  parser.on('filesLimit', rejectSecond)
  const jsonFields: Promise<unknown>[] = []
  const fileStart = new Promise<FilePart>(resolve => {
    let hasFile = false
    parser.on('file', (part, bytes, { filename, mimeType }) => {
      bytes.on('error', () => {}) // reported by readers and `fields`
      ended.catch(error => bytes.destroy(error)) // busboy starts files after giving up and never ends them
      if (part !== expected && JSON_TYPE.test(mimeType)) {
        jsonFields.push(
          readField(bytes).then(text => fields.set(part, text), stop.abort.bind(stop)),
        )
        return
      }
      if (hasFile) rejectSecond()
      hasFile = true
      resolve({ part, name: filename, mediaType: mimeType.slice(0, MAX_TYPE_CHARS), bytes })
    })
  })
  const ended = pipeline(Readable.fromWeb(request.body!), parser, { signal: stop.signal }).then(
    async () => {
      await Promise.all(jsonFields)
      stop.signal.throwIfAborted()
      return fields
    },
    error => {
      throw stop.signal.aborted
        ? stop.signal.reason
        : createInvalid(localizable`The form is incomplete or malformed: ${error.message}.`)
    },
  )
  const missing = ended.then(() => {
    throw createInvalid(
      localizable`The form has no file: send its bytes in a part named ${expected}, with a filename.`,
      expected,
    )
  })
  const file = Promise.race([fileStart, missing])
  for (const promise of [ended, file]) promise.catch(() => {})
  return { file, fields: ended, abandon: reason => stop.abort(reason) }
}

/** JSON types; some clients send object fields as JSON files. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/i

async function readField(bytes: Readable): Promise<string> {
  let text = ''
  const chunks: AsyncIterable<string> = bytes.setEncoding('utf8')
  for await (const chunk of chunks) {
    text += chunk
    if (text.length > MAX_FIELD_CHARS)
      throw createInvalid(localizable`A form field may have at most ${MAX_FIELD_CHARS} characters.`)
  }
  return text
}

function openParser(request: Request): busboy.Busboy {
  try {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    if (!request.body) throw new Error('there is no body')
    return busboy({ headers, limits: FORM_LIMITS, defParamCharset: 'utf8' })
  } catch (error) {
    throw createInvalid(
      localizable`The upload is not valid multipart/form-data: ${getReason(error)}.`,
    )
  }
}

/** Throws `too_large`. */
export function receiveBody(c: RequestContext, maxBytes: number): Readable {
  if (Number(c.req.header('content-length')) > maxBytes) throw createTooLarge(maxBytes)
  const { body } = c.req.raw
  if (!body) throw createInvalid('The request has no body: send the bytes of the file.')
  return Readable.from(limitBytes(Readable.fromWeb(body), maxBytes, undefined))
}

/** Throws, where busboy's own limit would cut and continue. */
async function* limitBytes(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
  hash: Hash | undefined,
): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxBytes) throw createTooLarge(maxBytes)
    hash?.update(chunk)
    yield chunk
  }
}

function createTooLarge(maxBytes: number): AppError {
  return new AppError(
    'too_large',
    localizable`The upload is larger than ${maxBytes} bytes, and nothing was stored. Split it, or raise server.maxUploadBytes.`,
  )
}
