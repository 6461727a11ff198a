import { decode, decodeAs } from '../../detection/charset.ts'
import type { SkippedText } from '../../skipped-text.ts'
import { parseFields, readFurtherFields } from '../eml/further-fields.ts'
import { findDeclaredCharset } from '../html/html.ts'
import { findCharsetName } from '../rtf/charsets.ts'
import { extractHtml, hasHtmlInRtf } from '../rtf/html-in-rtf.ts'
import { findLocaleCodePage } from './code-pages.ts'
import { decompressRtf } from './compressed-rtf.ts'
import { listFacts } from './facts.ts'
import { type ItemProperties, PROPERTY } from './properties.ts'

/** Bytes of each text in which the charset is looked for, where the message does not state it. */
const SAMPLE_BYTES = 65_536
/** Kinds of recipients ([MS-OXOMSG] 2.2.3.1). */
const RECIPIENTS = [undefined, 'to', 'cc', 'bcc'] as const
/** Lists that people write ([MS-OXCMSG] 2.2.1.17, [MS-OXCNTC]). */
const LISTS = [
  ['Keywords', 'Keywords'],
  ['Companies', 0x8539],
  ['Contacts', 0x853a],
] as const

export type MsgAttachment = {
  readonly fileName: string
  readonly mediaType: string
  readonly contentId: string
  readonly openMessage: (() => Promise<MessageSource>) | undefined
  readonly isObject: boolean
  /** Reads its bytes; undefined for a link to a file elsewhere. */
  readonly read: () => Promise<Buffer | undefined>
}

export type OutlookMessage = {
  readonly subject: string
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly bcc: string
  /** The `Date` header unchanged, else ISO 8601. */
  readonly date: string | undefined
  readonly sent: string | undefined
  /** Further fields of the head. */
  readonly further: Readonly<Record<string, string>>
  /** Lines of an appointment, a task or a contact. */
  readonly facts: readonly string[]
  readonly html: string | undefined
  readonly text: string | undefined
  /** RTF that is not made of HTML. */
  readonly rtf: Buffer | undefined
  readonly inflatedBytes: number
  readonly attachments: readonly MsgAttachment[]
}

type AttachmentSource = {
  readonly properties: ItemProperties
  /** Undefined for what is no message. */
  readonly openMessage: (() => Promise<MessageSource>) | undefined
  readonly isObject: boolean
}

/** Properties of a message, as `.msg` and TNEF store them. */
export type MessageSource = {
  readonly own: ItemProperties
  readonly recipients: readonly ItemProperties[]
  readonly attachments: readonly AttachmentSource[]
  /** Numbers of an item's own properties by those of [MS-OXPROPS] or by their names. */
  readonly names: ReadonlyMap<number | string, number>
}

export async function readMessage(
  source: MessageSource,
  skipped: SkippedText,
): Promise<OutlookMessage> {
  const { own } = source
  const texts = await MsgTexts.open(own)
  const headers = await texts.read(own, PROPERTY.headers)
  const rtf = decompressRtf((await own.readBinary(PROPERTY.compressedRtf)) ?? Buffer.alloc(0))
  const page = rtf && extractPage(rtf)
  const sent = own.getTime(PROPERTY.submitted) ?? own.getTime(PROPERTY.delivered)
  return {
    subject: await texts.read(own, PROPERTY.subject),
    from: await readSender(own, texts),
    ...(await readRecipients(source, texts)),
    date: /^Date:[ \t]*(\S.*?)\s*$/im.exec(headers)?.[1] ?? sent,
    sent,
    further: {
      ...(await readFurtherFields(parseFields(headers), skipped)),
      ...(await readOwnFields(source, texts)),
    },
    facts: await listFacts(own, source.names, name => texts.read(own, name)),
    html: (await readHtml(own)) ?? page,
    text: (await texts.read(own, PROPERTY.body)) || undefined,
    inflatedBytes: rtf?.length ?? 0,
    rtf: page ? undefined : rtf,
    attachments: await readAttachments(source, texts),
  }
}

class MsgTexts {
  readonly charset: string

  private constructor(charset: string) {
    this.charset = charset
  }

  static async open(own: ItemProperties): Promise<MsgTexts> {
    const samples: Buffer[] = []
    for (const name of [PROPERTY.subject, PROPERTY.body, PROPERTY.senderName, PROPERTY.shownTo]) {
      const text = await own.readText(name)
      if (text && typeof text !== 'string')
        samples.push(text.subarray(0, SAMPLE_BYTES), Buffer.from('\n'))
    }
    const locale = own.getNumber(PROPERTY.locale)
    const stated =
      own.getNumber(PROPERTY.codePage) ??
      (locale ? findLocaleCodePage(locale) : own.getNumber(PROPERTY.bodyCodePage))
    const declared = stated === undefined ? undefined : findCharsetName(stated)
    const sample = Buffer.concat(samples)
    // ASCII alone says nothing of the charset of other names.
    const isTrueToAscii = declared && decodeAs(sample, declared) === sample.toString('latin1')
    return new MsgTexts(isTrueToAscii ? declared : decode(sample, declared).charset)
  }

  async read(properties: ItemProperties, name: number): Promise<string> {
    return this.#decode((await properties.readText(name)) ?? '')
  }

  async readList(properties: ItemProperties, name: number): Promise<readonly string[]> {
    return (await properties.readTexts(name)).map(text => this.#decode(text))
  }

  #decode(text: string | Buffer): string {
    return (typeof text === 'string' ? text : decodeAs(text, this.charset)).replace(/\0.*$/s, '')
  }
}

function extractPage(rtf: Buffer): string | undefined {
  const text = rtf.toString('latin1')
  return hasHtmlInRtf(text) ? extractHtml(text) : undefined
}

async function readHtml(own: ItemProperties): Promise<string | undefined> {
  const html = (await own.readBinary(PROPERTY.html)) ?? (await own.readText(PROPERTY.html))
  if (html === undefined || typeof html === 'string') return html || undefined
  const stated = own.getNumber(PROPERTY.bodyCodePage)
  const declared = stated === undefined ? undefined : findCharsetName(stated)
  return decode(html, declared ?? findDeclaredCharset(html)).text
}

async function readSender(own: ItemProperties, texts: MsgTexts): Promise<string> {
  const read = (name: number) => texts.read(own, name)
  const name = (await read(PROPERTY.senderName)) || (await read(PROPERTY.sentForName))
  const addresses = [
    await read(PROPERTY.senderSmtpAddress),
    await read(PROPERTY.senderAddress),
    await read(PROPERTY.sentForSmtpAddress),
    await read(PROPERTY.sentForAddress),
  ]
  return formatMailbox(name, addresses)
}

async function readOwnFields(
  { own, names }: MessageSource,
  texts: MsgTexts,
): Promise<Readonly<Record<string, string>>> {
  const sender = await texts.read(own, PROPERTY.senderName)
  const sentFor = await texts.read(own, PROPERTY.sentForName)
  const replyTo = await texts.read(own, PROPERTY.replyTo)
  const lists = await Promise.all(
    LISTS.map(async ([label, name]) => {
      const stored = names.get(name)
      return [label, stored ? (await texts.readList(own, stored)).join(', ') : ''] as const
    }),
  )
  return {
    'On-Behalf-Of': sender && sentFor !== sender ? sentFor : '',
    'Reply-To': replyTo === (sentFor || sender) ? '' : replyTo,
    ...Object.fromEntries(lists.filter(([, value]) => value !== '')),
  }
}

type Recipients = { readonly to: string; readonly cc: string; readonly bcc: string }

async function readRecipients(
  { own, recipients }: MessageSource,
  texts: MsgTexts,
): Promise<Recipients> {
  const found: Record<'to' | 'cc' | 'bcc', string[]> = { to: [], cc: [], bcc: [] }
  for (const properties of recipients) {
    const kind = RECIPIENTS[(properties.getNumber(PROPERTY.recipientKind) ?? 1) & 3]
    const addresses = [
      await texts.read(properties, PROPERTY.smtpAddress),
      await texts.read(properties, PROPERTY.address),
    ]
    const mailbox = formatMailbox(await texts.read(properties, PROPERTY.shownName), addresses)
    if (mailbox && kind) found[kind].push(mailbox)
  }
  const read = async (list: readonly string[], property: number) =>
    list.length > 0 ? list.join(', ') : (await texts.read(own, property)).trim()
  return {
    to: await read(found.to, PROPERTY.shownTo),
    cc: await read(found.cc, PROPERTY.shownCc),
    bcc: await read(found.bcc, PROPERTY.shownBcc),
  }
}

function formatMailbox(name: string, addresses: readonly string[]): string {
  const address = addresses.find(candidate => candidate.includes('@'))?.trim()
  const displayName = name.trim().replace(/^'(.*)'$/, '$1')
  if (!address || displayName === address) return displayName || (address ?? '')
  return displayName ? `${displayName} <${address}>` : address
}

async function readAttachments(
  source: MessageSource,
  texts: MsgTexts,
): Promise<readonly MsgAttachment[]> {
  const attachments: MsgAttachment[] = []
  for (const { properties, openMessage, isObject } of source.attachments) {
    const read = (name: number) => texts.read(properties, name)
    const names = [
      await read(PROPERTY.fileName),
      await read(PROPERTY.shownName),
      await read(PROPERTY.shortFileName),
    ]
    attachments.push({
      fileName: names.find(name => name.trim()) ?? '',
      mediaType: (await read(PROPERTY.mediaType)).toLowerCase(),
      contentId: await read(PROPERTY.contentId),
      openMessage,
      isObject,
      read: () => properties.readBinary(PROPERTY.content),
    })
  }
  return attachments
}
