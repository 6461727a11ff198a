import { decode } from '../../detection/charset.ts'

/** Bytes of a mail searched for its subject, so that a long header is not decoded. */
const MAX_HEAD_BYTES = 64 * 1024
/** Bounds the encoded words of one subject: the library takes the square of their number. */
const MAX_SUBJECT_CHARS = 4_096

export async function findSubject(mail: Buffer): Promise<string | undefined> {
  const { decodeWords } = await import('postal-mime')
  const head = mail.subarray(0, MAX_HEAD_BYTES)
  const ends = ['\n\n', '\r\n\r\n'].map(end => head.indexOf(end)).filter(end => end >= 0)
  const { text } = decode(head.subarray(0, Math.min(head.length, ...ends)))
  const subject = /^Subject:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(text)?.[1] ?? ''
  return (
    decodeWords(subject.slice(0, MAX_SUBJECT_CHARS).replace(/\s+/g, ' '))
      .replace(/\s+/g, ' ')
      .trim() || undefined
  )
}
