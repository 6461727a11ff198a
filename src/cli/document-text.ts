import type { Document } from '../ingest/catalog/document.ts'
import { counted, oneLine } from './output.ts'

/** What is known of a document, for people: one fact a line. */
export function documentText(document: Document, collection: string): string {
  const { metadata, attributes, warnings, error } = document
  const { title: _, pages: __, ...told } = metadata // told of the document itself
  const facts = Object.entries({ ...told, ...attributes }).map(([name, value]) => fact(name, `${value ?? ''}`))
  const lines = [
    fact('id', document.id),
    fact('source', document.source),
    fact('collection', collection),
    fact('status', error ? `${document.status}: ${error.message} (${error.code})` : document.status),
    fact('title', document.title),
    fact('type', document.mediaType),
    fact('size', sizeOf(document)),
    fact('indexed', document.indexedAt === undefined ? '' : timeOf(document.indexedAt)),
    ...facts,
    ...warnings.map(({ message, page }) => fact('warning', page ? `p. ${page}: ${message}` : message)),
  ]
  return lines.filter(line => line !== '').join('\n')
}

const NAME_WIDTH = 12

function fact(name: string, value: string): string {
  return value === '' ? '' : `${name.padEnd(NAME_WIDTH)}${oneLine(value)}`
}

function sizeOf({ bytes, pages, chunks, tokens }: Document): string {
  const parts = [counted(bytes, 'byte'), pages ? counted(pages, 'page') : '']
  if (chunks > 0) parts.push(counted(chunks, 'chunk'), counted(tokens, 'token'))
  return parts.filter(Boolean).join(', ')
}

/** As `2026-11-21 20:05:48Z`. */
function timeOf(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z')
}
