import type { IncomingMessage } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { formatBytes } from '../../../system/byte-sizes.ts'

/** Stacked codings, so that an answer cannot multiply its size again and again. */
const MAX_CODINGS = 2

/** Throws `too_large` as soon as the bytes exceed the limit, compressed or not. */
export async function* inflateBody(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  try {
    if (Number(response.headers['content-length']) > maxBytes)
      throw createTooLargeError(url, maxBytes)
    let bytes = 0
    for await (const chunk of decodeStream(response)) {
      bytes += chunk.length
      if (bytes > maxBytes) throw createTooLargeError(url, maxBytes)
      yield chunk
    }
  } finally {
    response.destroy()
  }
}

function decodeStream(response: IncomingMessage): AsyncIterable<Buffer> {
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map(coding => coding.trim())
  const decoders = codings
    .filter(coding => coding !== '' && coding !== 'identity')
    .map(createDecoder)
    .toReversed()
  if (decoders.length > MAX_CODINGS)
    throw new Error(`it is compressed ${decoders.length} times over`)
  const last = decoders.at(-1)
  if (!last) return response
  pipeline([response, ...decoders], () => {}) // the reader of the last stream gets the error
  return last
}

function createDecoder(coding: string): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new Error(`it is compressed by ${coding}, which nobody asked for`)
  }
}

function createTooLargeError(url: URL, maxBytes: number): AppError {
  return new AppError(
    'too_large',
    localizable`${url.href} has more than ${formatBytes(maxBytes)}. Raise the setting fetching.maxBytes to read it.`,
  )
}
