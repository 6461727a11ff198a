import { readHead } from '../../../system/disk.ts'
import { RecentMap } from '../../../system/recent-map.ts'
import type { Parser } from '../parser.ts'
import { detectMediaType, isContainer } from './media-type.ts'

/** Bounded, so that a large file is recognized without reading it. */
const HEAD_BYTES = 8_192

/** Cached types. Protects memory. */
const MAX_KNOWN = 10_000

export type Content = {
  readonly sha256: string
  readonly bytes?: Buffer | undefined
  readonly declared?: string | undefined
}

/**
 * Detects by content; between kinds of text the name decides, then the declared type. Caches
 * named contents. Throws for damaged or empty files.
 */
export type Detect = (path: string, name: string, content?: Content) => Promise<string>

/** Parsers that detect their own format go first. */
export function createDetector(parsers: readonly Parser[]): Detect {
  const knowing = parsers.filter(parser => parser.recognizes)
  const cache = new RecentMap<string, string>(MAX_KNOWN)
  return async (path, name, content) => {
    const key = content && JSON.stringify([content.sha256, name, content.declared])
    const before = key && cache.get(key)
    if (before) return before
    const mediaType =
      (await recognizeMediaType(knowing, path, name)) ??
      (await detectMediaType(path, name, content))
    if (key && (!content.bytes || !isContainer(content.bytes))) cache.set(key, mediaType)
    return mediaType
  }
}

async function recognizeMediaType(
  knowing: readonly Parser[],
  path: string,
  name: string,
): Promise<string | undefined> {
  if (knowing.length === 0) return undefined
  const bytes = await readHead(path, HEAD_BYTES)
  for (const parser of knowing) {
    const mediaType = parser.recognizes?.({ name, bytes })
    if (mediaType !== undefined) return mediaType
  }
  return undefined
}
