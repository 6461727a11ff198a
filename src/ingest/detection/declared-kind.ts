/** Other spellings of kinds of text, as browsers, operating systems and libraries declare them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'application/xhtml+xml': 'text/html',
  'text/x-markdown': 'text/markdown',
  'text/x-web-markdown': 'text/markdown',
  'application/csv': 'text/csv',
  'application/x-csv': 'text/csv',
  'text/x-csv': 'text/csv',
  'text/comma-separated-values': 'text/csv',
  'text/tsv': 'text/tab-separated-values',
  'text/json': 'application/json',
  'application/geo+json': 'application/json',
  'application/ld+json': 'application/json',
  'application/x-ndjson': 'application/jsonl',
  'application/ndjson': 'application/jsonl',
  'application/jsonlines': 'application/jsonl',
  'application/x-jsonlines': 'application/jsonl',
  'application/javascript': 'text/javascript',
  'application/x-javascript': 'text/javascript',
  'application/typescript': 'text/x-typescript',
  'application/x-python': 'text/x-python',
  'application/x-sh': 'text/x-shellscript',
  'application/sql': 'text/x-sql',
}

/** Which of these kinds of text a media type names, in whatever spelling and with whatever parameters. */
export function declaredKind(mediaType: string, kinds: ReadonlySet<string>): string | undefined {
  const [essence = ''] = mediaType.toLowerCase().split(';')
  const type = essence.trim()
  const kind = Object.hasOwn(SPELLINGS, type) ? SPELLINGS[type]! : type // just looked up
  return kinds.has(kind) ? kind : undefined
}
