import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { Metadata } from '../../parser.ts'

/** What a PDF states of itself. */
export async function readMetadata(document: PDFDocumentProxy): Promise<Metadata> {
  const metadata: unknown = await document.getMetadata().catch(() => undefined)
  const info = (metadata as { info?: Record<string, unknown> } | undefined)?.info ?? {} // pdf.js types it as Object
  const text = (key: string) => (typeof info[key] === 'string' && info[key].trim() ? info[key].trim() : undefined)
  return {
    title: plausibleTitle(text('Title')),
    author: plausibleName(text('Author')),
    created: pdfDate(text('CreationDate')),
    modified: pdfDate(text('ModDate')),
    language: text('Language'),
    pages: document.numPages,
  }
}

/** Programs leave file names and their own defaults as titles. */
function plausibleTitle(title: string | undefined): string | undefined {
  return plausibleName(title) && !/^(untitled|microsoft word|无标题|文档\d|document\d*$)|\.\w{2,4}$/i.test(title!)
    ? title
    : undefined
}

function plausibleName(name: string | undefined): string | undefined {
  return name && !/^\(?(anonymous|unspecified|unknown)\)?$/i.test(name) ? name : undefined
}

/** `D:20240131120000+08'00'` as ISO 8601. */
function pdfDate(written: string | undefined): string | undefined {
  const parts = /^D?:?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z|[+-]\d\d'?\d\d)?/.exec(written ?? '')
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '00', zone = ''] = parts
  const date = `${year}-${month}-${day}`
  return hour ? `${date}T${hour}:${minute}:${second}${zone.replace(/^([+-]\d\d)'?(\d\d)$/, '$1:$2')}` : date
}
