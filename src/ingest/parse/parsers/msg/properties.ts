/** Names of properties ([MS-OXPROPS]); those from 0x8000 on are in the list of names of a message. */
export const PROPERTY = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitted: 0x0039,
  sentForName: 0x0042,
  replyTo: 0x0050,
  sentForAddress: 0x0065,
  headers: 0x007d,
  recipientKind: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  shownBcc: 0x0e02,
  shownCc: 0x0e03,
  shownTo: 0x0e04,
  delivered: 0x0e06,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  shownName: 0x3001,
  address: 0x3003,
  content: 0x3701,
  shortFileName: 0x3704,
  attachMethod: 0x3705,
  fileName: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
  smtpAddress: 0x39fe,
  bodyCodePage: 0x3fde,
  locale: 0x3ff1,
  codePage: 0x3ffd,
  senderSmtpAddress: 0x5d01,
  sentForSmtpAddress: 0x5d02,
} as const

/** Types of values ([MS-OXCDATA] 2.11.1). */
export const VALUE = {
  number: 0x0003,
  object: 0x000d,
  bytesText: 0x001e,
  wideText: 0x001f,
  time: 0x0040,
  binary: 0x0102,
  /** Bit of the types of lists. */
  many: 0x1000,
} as const

/** Properties of a message, a recipient or an attachment, by the names of `PROPERTY`. */
export interface ItemProperties {
  getNumber(name: number): number | undefined
  /** Returns a time as ISO 8601, or undefined for a date that is none of a document. */
  getTime(name: number): string | undefined
  /** Returns the bytes of a text whose charset the message states. */
  readText(name: number): Promise<string | Buffer | undefined>
  readBinary(name: number): Promise<Buffer | undefined>
  /** Returns the values of a list of texts. */
  readTexts(name: number): Promise<readonly (string | Buffer)[]>
}
