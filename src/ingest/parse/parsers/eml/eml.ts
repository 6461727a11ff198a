import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Address, Attachment, Email } from 'postal-mime'
import { localizable, withMessage } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { parseIsoDate } from '../../../../text/iso-date.ts'
import { decode } from '../../detection/charset.ts'
import {
  createDamagedError,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { AttachedFiles } from '../attached-files.ts'
import { toBlockEvents } from '../block-events.ts'
import { DeclaredCharsets } from '../declared-charsets.ts'
import { convertTextsToUtf8 } from './charsets.ts'
import { readFurtherFields } from './further-fields.ts'
import { formatMailHead, readMailBlocks } from './mail-blocks.ts'
import { findSubject } from './subject.ts'

/** Protects memory, which holds a mail several times. */
const MAX_BYTES = 100 * 1024 * 1024
const MAX_HEAD_BYTES = 64 * 1024
/** Protects memory. */
const MAX_HEADS_BYTES = 2 * 1024 * 1024
/** Parts in parts; no real mail is deeper. Protects the stack. */
const MAX_NESTING = 256
const CUT_OFF =
  'The mail is cut off: it ends in the middle of a part. What came after that is missing, and an attachment may be.'
/** Protects against generated mails; nobody attaches more. */
const MAX_ATTACHMENTS = 1_000
const MAX_NAME_CHARS = 200
/** RFC 2047; the library takes the square of their number. Protects time. */
const MAX_JOINED_WORDS = 500
/** Longer words (RFC 2047) are too few to take long. */
const MAX_WORD_BYTES = 4_096
const JOINED_WORDS = new RegExp(
  `((?:=\\?[^?\\s]+\\?[bq]\\?[^?\\s]*\\?=\\s+){${MAX_JOINED_WORDS}})(?==\\?)`,
  'gi',
)
/** Has another charset, so that the words around it are decoded separately. */
const EMPTY_WORD = '=?us-ascii?q??= '
/** Signatures contain nothing to read. */
const SIGNATURE = /^application\/(x-)?(pkcs7|pgp)-signature$/

export const emlParser: Parser = {
  id: 'eml@17',
  mediaTypes: ['message/rfc822'],
  parse: parseEml,
}

async function* parseEml(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const charsets = new DeclaredCharsets()
  const { mail, isCutOff } = await readMail(input, charsets, signal)
  signal?.throwIfAborted()
  const [author] = listMailboxes(mail.from ? [mail.from] : [])
  const date = parseIsoDate(mail.date)
  const skipped = new SkippedText()
  const further = await readFurtherFields(mail.headers, skipped)
  const title = mail.subject?.trim() || undefined
  yield {
    type: 'metadata',
    metadata: { title, author, created: date, keywords: further.Keywords },
  }
  const files = new AttachedFiles(input)
  const attached = await listMailAttachments(mail, files)
  skipped.add('pictures', attached.pictures)
  const text = { head: formatHeadLines(mail, further), html: mail.html, text: mail.text }
  const names = attached.attachments.map(nameWithDescription)
  const blocks = readMailBlocks({ ...text, subject: mail.subject, attachments: names }, skipped)
  yield* toBlockEvents(blocks, input.name, signal)
  yield* emitAttachments(attached, files)
  yield* skipped.listWarnings()
  yield* charsets.listWarnings()
  if (isCutOff) yield { type: 'warning', warning: withMessage({ code: 'corrupt' }, CUT_OFF) }
}

async function readMail(
  input: ParserInput,
  charsets: DeclaredCharsets,
  signal?: AbortSignal,
): Promise<{ readonly mail: Email; readonly isCutOff: boolean }> {
  const { size } = await stat(input.path)
  if (size === 0) throw new AppError('empty', localizable`${input.name} is empty: it has no bytes.`)
  if (size > MAX_BYTES) {
    throw new AppError(
      'too_large',
      localizable`${input.name} has ${size} bytes; a mail may have ${MAX_BYTES}. Save its attachments.`,
    )
  }
  const bytes = await readFile(input.path, { signal })
  const { default: PostalMime } = await import('postal-mime')
  try {
    const options = {
      forceRfc822Attachments: true,
      maxNestingDepth: MAX_NESTING,
      maxHeadersSize: MAX_HEADS_BYTES,
    }
    const readable = convertTextsToUtf8(withShortRuns(withReadableHead(bytes)), charsets)
    return { mail: await PostalMime.parse(readable, options), isCutOff: isMissingEnd(bytes) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (/nesting depth/i.test(reason))
      throw createTooLargeError(
        input.name,
        `its parts nest deeper than ${MAX_NESTING} levels`,
        error,
      )
    if (/header size/i.test(reason))
      throw createTooLargeError(
        input.name,
        `the header fields of its parts take more than ${MAX_HEADS_BYTES} bytes`,
        error,
      )
    throw createDamagedError(input.name, 'it is not a valid mail', error)
  }
}

function createTooLargeError(name: string, reason: string, cause: unknown): AppError {
  return new AppError(
    'too_large',
    localizable`Refused ${name}: ${reason}. Save its contents as separate files.`,
    { cause },
  )
}

function withShortRuns(bytes: Buffer): Buffer {
  if (!hasLongRun(bytes)) return bytes
  return Buffer.from(bytes.toString('latin1').replace(JOINED_WORDS, `$1${EMPTY_WORD}`), 'latin1')
}

function hasLongRun(bytes: Buffer): boolean {
  let words = 0
  let last = 0
  for (let offset = bytes.indexOf('=?'); offset >= 0; offset = bytes.indexOf('=?', offset + 2)) {
    words = offset - last <= MAX_WORD_BYTES ? words + 1 : 1
    if (words > MAX_JOINED_WORDS) return true
    last = offset
  }
  return false
}

/** A mail of several parts ends with a delimiter. */
function isMissingEnd(bytes: Buffer): boolean {
  const head = readHead(bytes)
    .toString('latin1')
    .replace(/\r?\n[ \t]+/g, ' ')
  const boundary =
    /^content-type:\s*multipart\/[^\n]*?\bboundary\s*=\s*(?:"([^"\n]+)"|([^\s;]+))/im.exec(head)
  return boundary !== null && !bytes.includes(`--${boundary[1] ?? boundary[2]}--`, 0, 'latin1')
}

function readHead(bytes: Buffer): Buffer {
  const end = bytes.toString('latin1', 0, MAX_HEAD_BYTES).search(/\r?\n\r?\n/)
  return bytes.subarray(0, end < 0 ? Math.min(bytes.length, MAX_HEAD_BYTES) : end)
}

/**
 * Old programs write header fields in the charset of the text; the standard knows only ASCII
 * and UTF-8.
 */
function withReadableHead(bytes: Buffer): Buffer {
  const head = readHead(bytes)
  const declared = /\bcharset\s*=\s*"?([\w.:-]+)/i.exec(head.toString('latin1'))?.[1]
  const { text, charset } = decode(head, isUtf8(head) ? 'utf-8' : declared)
  return charset === 'utf-8'
    ? bytes
    : Buffer.concat([Buffer.from(text), bytes.subarray(head.length)])
}

function formatHeadLines(mail: Email, further: Readonly<Record<string, string>>): string {
  const from = listMailboxes(mail.from ? [mail.from] : []).join(', ')
  const sender = listMailboxes(mail.sender ? [mail.sender] : []).join(', ')
  const replyTo = listMailboxes(mail.replyTo ?? []).join(', ')
  return formatMailHead({
    From: from,
    Sender: sender === from ? '' : sender,
    'Reply-To': replyTo === from ? '' : replyTo,
    To: listMailboxes(mail.to ?? []).join(', '),
    Cc: listMailboxes(mail.cc ?? []).join(', '),
    Bcc: listMailboxes(mail.bcc ?? []).join(', '),
    Date: mail.headers.find(header => header.key === 'date')?.value.trim(),
    ...further,
  })
}

function listMailboxes(addresses: readonly Address[]): readonly string[] {
  return addresses.flatMap(entry => {
    if (entry.group) return listMailboxes(entry.group)
    return entry.name ? `${entry.name} <${entry.address}>` : (entry.address ?? '')
  })
}

type MailAttachment = {
  readonly name: string
  readonly description: string
  readonly bytes: Uint8Array
}

type MailAttachments = {
  readonly attachments: readonly MailAttachment[]
  readonly omitted: number
  /** Number of those that the message shows. */
  readonly pictures: number
}

function nameWithDescription({ name, description }: MailAttachment): string {
  return description && description !== name ? `${name}: ${description}` : name
}

const ENDINGS: Readonly<Record<string, string>> = {
  'message/rfc822': '.eml',
  'text/html': '.html',
  'text/plain': '.txt',
  'text/csv': '.csv',
  'text/calendar': '.ics',
  'application/pdf': '.pdf',
  'application/json': '.json',
}

/** Excludes pictures that the message shows. */
async function listMailAttachments(
  { attachments, html = '' }: Email,
  files: AttachedFiles,
): Promise<MailAttachments> {
  const documents = attachments.filter(attachment => isDocument(attachment, html))
  const named: MailAttachment[] = []
  for (const [index, attachment] of documents.slice(0, MAX_ATTACHMENTS).entries()) {
    const bytes = new Uint8Array(attachment.content as ArrayBuffer) // as asked of postal-mime
    const name = await nameAttachment(attachment, { bytes, number: index + 1 })
    const description = attachment.description?.replace(/\s+/g, ' ').trim() ?? ''
    named.push({ name: files.claimName(name), description, bytes })
  }
  return {
    attachments: named,
    omitted: Math.max(0, documents.length - MAX_ATTACHMENTS),
    pictures: attachments.filter(attachment => isEmbeddedPicture(attachment, html)).length,
  }
}

async function* emitAttachments(
  { attachments, omitted }: MailAttachments,
  files: AttachedFiles,
): AsyncGenerator<ParserEvent> {
  if (omitted > 0) {
    const message = localizable`${omitted} attachments were left out: at most ${MAX_ATTACHMENTS} of a mail are read.`
    yield { type: 'warning', warning: withMessage({ code: 'too_large' }, message) }
  }
  for (const { name, bytes } of attachments) yield* await files.write(name, bytes)
}

function isDocument(attachment: Attachment, html: string): boolean {
  if (SIGNATURE.test(attachment.mimeType) || typeof attachment.content === 'string') return false
  return !isEmbeddedPicture(attachment, html)
}

function isEmbeddedPicture({ related, mimeType, contentId }: Attachment, html: string): boolean {
  const isEmbedded =
    related || (contentId && html.includes(`cid:${contentId.replace(/^<|>$/g, '')}`))
  return Boolean(isEmbedded) && mimeType.startsWith('image/')
}

async function nameAttachment(
  { filename, mimeType }: Attachment,
  { bytes, number }: { readonly bytes: Uint8Array; readonly number: number },
): Promise<string> {
  const base = path.posix
    .basename((filename ?? '').replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim()
  const subject =
    !base && mimeType === 'message/rfc822' ? await findSubject(Buffer.from(bytes)) : undefined
  const name = base || subject?.replace(/[/\\#]/g, ' ') || `attachment ${number}`
  const isNamed = path.extname(name) !== '' && (base !== '' || mimeType !== 'message/rfc822')
  const ending = isNamed ? '' : (ENDINGS[mimeType] ?? '')
  return name.slice(0, MAX_NAME_CHARS) + ending
}
