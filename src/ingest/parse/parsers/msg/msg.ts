import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { localizable, withMessage } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { AttachedFiles } from '../attached-files.ts'
import { toBlockEvents } from '../block-events.ts'
import { formatMailHead, readMailBlocks } from '../eml/mail-blocks.ts'
import { parseCompoundWith } from '../ole2/compound-document.ts'
import { RtfReader } from '../rtf/reader.ts'
import { RtfTokens } from '../rtf/tokens.ts'
import {
  type MessageSource,
  type MsgAttachment,
  type OutlookMessage,
  readMessage,
} from './message.ts'
import { writeMail } from './nested-mail.ts'
import { openMsg } from './storage.ts'
import { openTnef } from './tnef.ts'

/** Maximum number of attachments, as of any mail. */
const MAX_ATTACHMENTS = 1_000
/** Maximum depth of messages in messages, as of all documents in documents. */
const MAX_DEPTH = 5
const MAX_NAME_CHARS = 200
const PICTURE = /\.(?:png|jpe?g|gif|bmp|tiff?|webp|emf|wmf)$/i

/**
 * Attachments become separate documents. Appointments, tasks and contacts have a line for each
 * fact.
 */
export const msgParser: Parser = {
  id: 'msg@5',
  mediaTypes: ['application/vnd.ms-outlook'],
  parse: parseCompoundWith(async function* readMsg(file, input, signal) {
    yield* readEvents(await openMsg(file), input, signal)
  }),
}

/** Outlook's `winmail.dat`. */
export const tnefParser: Parser = {
  id: 'tnef@1',
  mediaTypes: ['application/vnd.ms-tnef'],
  async *parse(input, signal) {
    signal?.throwIfAborted()
    const bytes = await readFile(input.path, { signal })
    yield* readEvents(openTnef(bytes, input.name), input, signal)
  },
}

async function* readEvents(
  source: MessageSource,
  input: ParserInput,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const skipped = new SkippedText()
  const message = await readMessage(source, skipped)
  const title = message.subject.trim() || undefined
  const author = message.from || undefined
  const keywords = message.further.Keywords
  yield { type: 'metadata', metadata: { title, author, created: message.sent, keywords } }
  input.countBytes?.(message.inflatedBytes)
  const files = new AttachedFiles(input)
  const attachments = listDocuments(message, files, skipped)
  yield* toBlockEvents(
    readBlocks(message, attachments, { name: input.name, skipped }),
    input.name,
    signal,
  )
  yield* emitAttachments(attachments, { files, skipped }, signal)
  yield* skipped.listWarnings()
}

type NamedAttachment = MsgAttachment & { readonly name: string }

function listDocuments(
  { attachments, html }: OutlookMessage,
  files: AttachedFiles,
  skipped: SkippedText,
): readonly NamedAttachment[] {
  const documents = attachments.filter(attachment => {
    if (attachment.isObject) skipped.add('embedded objects')
    const isPicture = isEmbeddedPicture(attachment, html ?? '')
    if (isPicture) skipped.add('pictures')
    return !attachment.isObject && !isPicture
  })
  return documents.map((attachment, index) => ({
    ...attachment,
    name: files.claimName(nameAttachment(attachment, index + 1)),
  }))
}

function isEmbeddedPicture(
  { contentId, fileName, mediaType }: MsgAttachment,
  html: string,
): boolean {
  const isPicture = mediaType.startsWith('image/') || PICTURE.test(fileName)
  return isPicture && contentId !== '' && html.includes(`cid:${contentId.replace(/^<|>$/g, '')}`)
}

function nameAttachment(attachment: MsgAttachment, number: number): string {
  const { fileName, mediaType, openMessage } = attachment
  const base = openMessage
    ? fileName.replace(/[/\\#]/g, ' ')
    : path.posix.basename(fileName.replaceAll('\\', '/'))
  const clean = base
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_NAME_CHARS)
  const name = clean || `attachment ${number}`
  // A signed mail is the mail with its signature (RFC 8551), whatever Outlook calls it.
  return openMessage || mediaType === 'multipart/signed'
    ? `${name.replace(/\.(?:msg|eml)$/i, '')}.eml`
    : name
}

type Reading = { readonly name: string; readonly skipped: SkippedText }

async function* readBlocks(
  message: OutlookMessage,
  attachments: readonly NamedAttachment[],
  reading: Reading,
): AsyncGenerator<Block> {
  const { subject, from, to, cc, bcc, date, further, html, text } = message
  const contents = {
    subject,
    head: formatMailHead({ From: from, To: to, Cc: cc, Bcc: bcc, Date: date, ...further }),
    facts: message.facts.join('\n'),
    message: html?.trim() ? [] : readRtf(message, reading),
    html,
    text,
    attachments: attachments.map(({ name }) => name),
  }
  yield* readMailBlocks(contents, reading.skipped)
}

function readRtf({ rtf, text }: OutlookMessage, { name, skipped }: Reading): readonly Block[] {
  if (!rtf || (text?.trim() && rtf.includes('\\fromtext'))) return []
  const reader = new RtfReader(name, skipped)
  const tokens = new RtfTokens()
  try {
    for (const token of tokens.add(rtf.toString('latin1'))) reader.read(token)
    for (const token of tokens.end()) reader.read(token)
    return reader.end()
  } catch (error) {
    const isReplaced = error instanceof AppError && error.code === 'corrupt' && text?.trim()
    if (isReplaced) return []
    throw error
  }
}

type Emission = {
  readonly files: AttachedFiles
  readonly skipped: SkippedText
}

async function* emitAttachments(
  attachments: readonly NamedAttachment[],
  emission: Emission,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const omitted = attachments.length - MAX_ATTACHMENTS
  if (omitted > 0) {
    const message = localizable`${omitted} attachments were left out: at most ${MAX_ATTACHMENTS} of a mail are read.`
    yield { type: 'warning', warning: withMessage({ code: 'too_large' }, message) }
  }
  for (const attachment of attachments.slice(0, MAX_ATTACHMENTS)) {
    signal?.throwIfAborted()
    const bytes = await readAttachment(attachment, emission, 1)
    if (bytes) yield* await emission.files.write(attachment.name, bytes)
  }
}

async function readAttachment(
  { openMessage, read }: MsgAttachment,
  emission: Emission,
  depth: number,
): Promise<Buffer | undefined> {
  const bytes = openMessage ? await readNested(openMessage, emission, depth) : await read()
  if (!bytes) emission.skipped.add(openMessage ? 'embedded objects' : 'linked files')
  return bytes
}

async function readNested(
  openMessage: () => Promise<MessageSource>,
  emission: Emission,
  depth: number,
): Promise<Buffer | undefined> {
  if (depth > MAX_DEPTH) return undefined
  const message = await readMessage(await openMessage(), emission.skipped)
  const attached = []
  for (const [index, attachment] of message.attachments.slice(0, MAX_ATTACHMENTS).entries()) {
    if (attachment.isObject) emission.skipped.add('embedded objects')
    const bytes = attachment.isObject
      ? undefined
      : await readAttachment(attachment, emission, depth + 1)
    const mediaType = attachment.openMessage ? 'message/rfc822' : attachment.mediaType
    if (bytes) attached.push({ name: nameAttachment(attachment, index + 1), mediaType, bytes })
  }
  const isRtfOnly = message.rtf && !message.html?.trim()
  const rtf = isRtfOnly && !message.rtf?.includes('\\fromtext') ? message.rtf : undefined
  if (rtf) attached.push({ name: 'message.rtf', mediaType: 'application/rtf', bytes: rtf })
  return writeMail(message, attached, depth)
}
