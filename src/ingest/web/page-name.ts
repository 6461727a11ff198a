import { posix } from 'node:path'

const MAX_NAME_CHARS = 200

/** Declared types of text that look like other text, and the ending that says the same. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/json': '.json',
  'application/geo+json': '.json',
  'application/x-ndjson': '.jsonl',
  'application/jsonl': '.jsonl',
  'message/rfc822': '.eml',
}

/** What a page is called in lists and citations: the download's own name, else the end of its path, else its host. */
export function pageName(url: URL, fileName: string | undefined): string {
  const given = fileName ?? decoded(posix.basename(url.pathname))
  const name = posix
    .basename(given.replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim()
  return (name || url.hostname).slice(0, MAX_NAME_CHARS)
}

/** The name by which the kind of text is found out: what a server declares counts for more than the end of a path. */
export function nameForDetection(name: string, mediaType: string): string {
  return name + (ENDINGS[mediaType] ?? '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
