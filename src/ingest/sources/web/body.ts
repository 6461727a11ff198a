import type { IncomingMessage } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AppError } from '../../../errors.ts'

/** Codings that are stacked higher than this are made to do harm. */
const MAX_CODINGS = 2

/** The bytes of an answer, inflated. Throws `too_large` as soon as they are more than allowed, inflated or not. */
export async function* inflated(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  try {
    if (Number(response.headers['content-length']) > maxBytes) throw tooLarge(url, maxBytes)
    let bytes = 0
    for await (const chunk of decodedStream(response) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(url, maxBytes)
      yield chunk
    }
  } finally {
    response.destroy()
  }
}

function decodedStream(response: IncomingMessage): AsyncIterable<unknown> {
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map(coding => coding.trim())
  const decoders = codings
    .filter(coding => coding !== '' && coding !== 'identity')
    .map(decoderOf)
    .toReversed()
  if (decoders.length > MAX_CODINGS)
    throw new Error(`it is compressed ${decoders.length} times over`)
  if (decoders.length === 0) return response
  pipeline([response, ...decoders], () => {}) // who reads the last stream is told
  return decoders.at(-1)!
}

function decoderOf(coding: string): Transform {
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

function tooLarge(url: URL, maxBytes: number): AppError {
  const limit = `${Math.round(maxBytes / 2 ** 20)} MiB`
  return new AppError(
    'too_large',
    `${url.href} has more than ${limit}. Raise the setting fetching.maxBytes to read it.`,
  )
}
