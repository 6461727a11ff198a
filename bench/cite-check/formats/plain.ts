import type { SourceDocument } from '../document.ts'
import { htmlPage, plainText } from './markup.ts'

/** Comma-separated values of the first table, with a byte order mark as spreadsheets write it. */
export function csv({ blocks }: SourceDocument): string {
  const table = blocks.find(block => block.kind === 'table')
  const rows = table?.kind === 'table' ? [table.header, ...table.rows] : []
  return `\ufeff${rows.map(row => row.map(quoted).join(',')).join('\r\n')}\r\n`
}

const quoted = (cell: string): string =>
  /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** A mail with the text in UTF-8, in base64, and as HTML beside it, so that its table is one. */
export function eml(document: SourceDocument): string {
  const { title, head } = document
  const part = (type: string, text: string) =>
    `--part\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(text)}\r\n`
  return [
    `From: ${address(head.from ?? '')}`,
    `To: ${address(head.to ?? '')}`,
    `Subject: ${encoded(title)}`,
    `Date: ${head.date}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=part',
    '',
    `${part('text/plain', plainText(document))}${part('text/html', htmlPage(document))}--part--\r\n`,
  ].join('\r\n')
}

const folded = (text: string): string =>
  Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')

const address = (text: string): string =>
  text.replace(/^([^<]*?) </, (_, name: string) => `${encoded(name)} <`)

const encoded = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII has to be encoded in a mail's head
  /^[\x00-\x7f]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
