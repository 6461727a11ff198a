import { open } from 'node:fs/promises'
import type { Parser } from '../parser.ts'
import { detectMediaType } from './media-type.ts'

/** As much of a file as a parser is shown to say whether it is of its format. */
const HEAD_BYTES = 8_192

/** Says what a file is, by content; the name decides between kinds of text. Throws for what is damaged or empty. */
export type Detect = (path: string, name: string) => Promise<string>

/** Asks the parsers that know their format themselves, in their order, and then looks for the formats known to all. */
export function detection(parsers: readonly Parser[]): Detect {
  const knowing = parsers.filter(parser => parser.recognizes)
  if (knowing.length === 0) return detectMediaType
  return async (path, name) => {
    const bytes = await readHead(path)
    for (const parser of knowing) {
      const mediaType = parser.recognizes?.({ name, bytes })
      if (mediaType !== undefined) return mediaType
    }
    return await detectMediaType(path, name)
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
