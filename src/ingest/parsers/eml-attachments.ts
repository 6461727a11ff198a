import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Attachment, Email } from 'postal-mime'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** Something attached to a mail, under a name that no other has there. */
export type MailAttachment = { readonly name: string; readonly bytes: Uint8Array }

export type MailAttachments = { readonly attachments: readonly MailAttachment[]; readonly omitted: number }

/** No mail that somebody wrote has more. */
const MAX_ATTACHMENTS = 1_000
const MAX_NAME_CHARS = 200

/** Proofs of who wrote it, which hold nothing to read. */
const SIGNATURE = /^application\/(x-)?(pkcs7|pgp)-signature$/

/** For parts that have no name: what tells their kind. */
const ENDINGS: Readonly<Record<string, string>> = {
  'message/rfc822': '.eml',
  'text/html': '.html',
  'text/plain': '.txt',
  'text/csv': '.csv',
  'text/calendar': '.ics',
  'application/pdf': '.pdf',
  'application/json': '.json',
}

/** What is attached to a mail, and how many more there are. Pictures shown in the message are part of how it looks. */
export function mailAttachments({ attachments, html = '' }: Email): MailAttachments {
  const named = new Map<string, MailAttachment>()
  const documents = attachments.filter(attachment => isDocument(attachment, html))
  for (const attachment of documents.slice(0, MAX_ATTACHMENTS)) {
    const name = uniqueName(nameOf(attachment, named.size + 1), named)
    named.set(name, { name, bytes: new Uint8Array(attachment.content as ArrayBuffer) }) // as asked of postal-mime
  }
  return { attachments: [...named.values()], omitted: Math.max(0, documents.length - MAX_ATTACHMENTS) }
}

/** Writes what is attached where the parser was told to, and says so. */
export async function* attachmentEvents(
  { attachments, omitted }: MailAttachments,
  { attachmentsFolder }: ParserInput,
): AsyncGenerator<ParserEvent> {
  if (omitted > 0) {
    const message = `${omitted} attachments were left out: at most ${MAX_ATTACHMENTS} of a mail are read.`
    yield { type: 'warning', warning: { code: 'too_large', message } }
  }
  if (attachmentsFolder === undefined || attachments.length === 0) return
  await mkdir(attachmentsFolder)
  for (const [index, { name, bytes }] of attachments.entries()) {
    const file = String(index + 1)
    await writeFile(path.join(attachmentsFolder, file), bytes, { flush: true })
    yield { type: 'attachment', attachment: { name, file } }
  }
}

function isDocument({ related, mimeType, contentId, content }: Attachment, html: string): boolean {
  if (SIGNATURE.test(mimeType) || typeof content === 'string') return false
  const isShown = related || (contentId && html.includes(`cid:${contentId.replace(/^<|>$/g, '')}`))
  return !(isShown && mimeType.startsWith('image/'))
}

function nameOf({ filename, mimeType, content }: Attachment, number: number): string {
  const base = path.posix
    .basename((filename ?? '').replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim()
  const name = base || (mimeType === 'message/rfc822' && subjectOf(content)) || `attachment ${number}`
  const isNamed = path.extname(name) !== '' && (base !== '' || mimeType !== 'message/rfc822')
  const ending = isNamed ? '' : (ENDINGS[mimeType] ?? '')
  return name.slice(0, MAX_NAME_CHARS) + ending
}

/** The subject of an attached mail, where it is written plainly. */
function subjectOf(content: Attachment['content']): string | undefined {
  const head = Buffer.from(content as ArrayBuffer).toString('latin1', 0, 16_384) // as asked of postal-mime
  const subject = /^Subject:[ \t]*([\x20-\x7e]+)/im.exec(head)?.[1]?.trim()
  return subject?.includes('=?') ? undefined : subject?.replace(/[/\\#]/g, ' ')
}

function uniqueName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const { name: stem, ext } = path.parse(name)
  let unique = name
  for (let copy = 2; taken.has(unique); copy++) unique = `${stem} (${copy})${ext}`
  return unique
}
