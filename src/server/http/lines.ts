import { localizable } from '../../errors/localizable.ts'
import { readLines } from '../../system/lines.ts'
import type { RequestContext } from './context.ts'
import { createRefusal } from './errors.ts'
import { MAX_BODY_BYTES } from './input.ts'

export const LINES_TYPE = 'application/x-ndjson'

const LINES_TYPES = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\s*(?:;|$)/i

export type BodyLine = {
  readonly line: number
  readonly bytes: Buffer | Error
}

export function hasLines(c: RequestContext): boolean {
  return LINES_TYPES.test(c.req.header('content-type') ?? '')
}

export async function* readBodyLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine> {
  for await (const { line, bytes } of readLines(body, MAX_BODY_BYTES))
    yield { line, bytes: bytes ?? createTooLarge() }
}

function createTooLarge(): Error {
  const message = localizable`The line is larger than ${MAX_BODY_BYTES} bytes. Send such a document as a file.`
  return createRefusal({ status: 413, code: 'too_large', message })
}
