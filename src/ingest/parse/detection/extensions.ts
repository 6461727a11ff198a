import { SOURCE_CODE_TYPES } from './source-code.ts'

/** Texts that look alike: the name decides. */
export const TEXT_EXTENSIONS: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.mdx': 'text/markdown',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.xhtml': 'text/html',
  '.eml': 'message/rfc822',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.tab': 'text/tab-separated-values',
  '.json': 'application/json',
  '.jsonc': 'application/json',
  '.geojson': 'application/json',
  '.ipynb': 'application/x-ipynb+json',
  '.mbox': 'application/mbox',
  '.org': 'text/org',
  '.adoc': 'text/asciidoc',
  '.asciidoc': 'text/asciidoc',
  '.tex': 'text/x-tex',
  '.ltx': 'text/x-tex',
  '.rst': 'text/x-rst',
  '.ics': 'text/calendar',
  '.vcf': 'text/vcard',
  '.xml': 'application/xml',
  '.jsonl': 'application/jsonl',
  '.ndjson': 'application/jsonl',
  ...SOURCE_CODE_TYPES,
}

/** Other bytes that are no text are damaged under these names. */
export const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  'pdf doc docx docm xls xlsx xlsm ppt pptx epub odt ods odp rtf png jpg jpeg gif tif tiff bmp webp zip msg'
    .split(' ')
    .map(name => `.${name}`),
)

/** Names of files end so. */
export const EXTENSIONS: ReadonlySet<string> = new Set([
  '.txt',
  ...Object.keys(TEXT_EXTENSIONS),
  ...BINARY_EXTENSIONS,
])
