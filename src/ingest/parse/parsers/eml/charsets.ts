import { decode } from '../../detection/charset.ts'
import type { DeclaredCharsets } from '../declared-charsets.ts'
import { findDeclaredCharset } from '../html/html.ts'

/** Each level is searched once more, so that deep nesting is bounded. */
const MAX_DEPTH = 20
const CONTENT_TYPE = /^content-type[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*/im
const ENCODING = /^content-transfer-encoding[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*/im
const CHARSET = /\bcharset[ \t]*=[ \t]*(?:"([^"\n]*)"|([^\s;"]+))/i

/** Detects charsets, because the mail parser believes wrong ones. */
export function convertTextsToUtf8(mail: Buffer, charsets: DeclaredCharsets): Buffer {
  return Buffer.concat([...correctParts(mail, { charsets, depth: 0 })])
}

type Place = { readonly charsets: DeclaredCharsets; readonly depth: number }

function* correctParts(part: Buffer, place: Place): Generator<Buffer> {
  const bodyStart = findBody(part)
  const head = part.toString('latin1', 0, bodyStart)
  const body = part.subarray(bodyStart)
  const type = CONTENT_TYPE.exec(head)?.[0] ?? ''
  const boundary =
    /^content-type[ \t]*:\s*multipart\/.*?\bboundary[ \t]*=[ \t]*(?:"([^"\n]+)"|([^\s;"]+))/is.exec(
      type,
    )
  const isText = /^(?:content-type[ \t]*:\s*text\/(?:plain|html)\b.*)?$/is.test(type)
  const text = isText ? decodeText({ head, type, body }, place.charsets) : undefined
  if (text !== undefined) {
    yield Buffer.from(toUtf8Head(head, type), 'latin1')
    yield Buffer.from(`${Buffer.from(text).toString('base64')}\r\n`)
    return
  }
  yield part.subarray(0, bodyStart)
  if (boundary && place.depth < MAX_DEPTH)
    yield* correctBody(body, boundary[1] ?? boundary[2] ?? '', {
      ...place,
      depth: place.depth + 1,
    })
  else yield body
}

function findBody(part: Buffer): number {
  if (part[0] === 0x0a) return 1
  if (part[0] === 0x0d && part[1] === 0x0a) return 2
  const ends = ['\n\n', '\n\r\n'].flatMap(blank => {
    const offset = part.indexOf(blank, 0, 'latin1')
    return offset < 0 ? [] : [offset + blank.length]
  })
  return Math.min(part.length, ...ends)
}

function* correctBody(body: Buffer, boundary: string, place: Place): Generator<Buffer> {
  let start = 0
  let isPart = false
  for (const { lineStart, lineEnd, isLast } of findDelimiters(body, boundary)) {
    const piece = body.subarray(start, lineStart)
    if (isPart) yield* correctParts(piece, place)
    else yield piece
    yield body.subarray(lineStart, lineEnd)
    start = lineEnd
    isPart = !isLast
  }
  const rest = body.subarray(start)
  if (isPart) yield* correctParts(rest, place)
  else yield rest
}

function* findDelimiters(body: Buffer, boundary: string) {
  const delimiter = `--${boundary}`
  for (
    let offset = body.indexOf(delimiter, 0, 'latin1');
    offset >= 0;
    offset = body.indexOf(delimiter, offset + 1, 'latin1')
  ) {
    if (offset > 0 && body[offset - 1] !== 0x0a) continue
    const end = body.indexOf(0x0a, offset)
    const lineEnd = end < 0 ? body.length : end + 1
    const behind = body.toString('latin1', offset + delimiter.length, lineEnd)
    if (/^(?:--)?[ \t]*\r?\n?$/.test(behind))
      yield { lineStart: offset, lineEnd, isLast: behind.startsWith('--') }
  }
}

/** Switches to JIS X 0208 in ISO-2022-JP (RFC 1468), whose bytes are all ASCII. */
const JAPANESE_ESCAPES = ['\x1b$B', '\x1b$@']

type TextPart = { readonly head: string; readonly type: string; readonly body: Buffer }

/** Returns undefined for text that may stay: ASCII, or with a charset in the form of RFC 2231. */
function decodeText(
  { head, type, body }: TextPart,
  charsets: DeclaredCharsets,
): string | undefined {
  if (/\bcharset\*/i.test(type)) return undefined
  const bytes = decodeTransfer(head, body)
  const declared = CHARSET.exec(type)?.slice(1).find(Boolean)
  if (declared === undefined && JAPANESE_ESCAPES.some(sign => bytes.includes(sign)))
    return decode(bytes, 'iso-2022-jp').text
  if (!bytes.some(byte => byte > 0x7f)) return undefined
  return charsets.decode(
    bytes,
    declared ?? (/text\/html/i.test(type) ? findDeclaredCharset(bytes) : undefined),
  ).text
}

function decodeTransfer(head: string, body: Buffer): Buffer {
  const encoding = /:\s*"?([\w-]+)/.exec(ENCODING.exec(head)?.[0] ?? '')?.[1]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64')
  if (encoding !== 'quoted-printable') return body
  const text = body.toString('latin1').replace(/=[ \t]*\r?\n/g, '')
  return Buffer.from(
    text.replace(/=([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
    'latin1',
  )
}

/** Writes base64, so that no line reads as the end of its part. */
function toUtf8Head(head: string, type: string): string {
  const own = CHARSET.test(type)
    ? type.replace(CHARSET, 'charset=utf-8')
    : `${type.replace(/[\s;]+$/, '')}; charset=utf-8`
  const typed =
    type === ''
      ? `Content-Type: text/plain; charset=utf-8\r\n${head}`
      : head.replace(type, () => own)
  const encoding = 'Content-Transfer-Encoding: base64'
  return ENCODING.test(typed) ? typed.replace(ENCODING, encoding) : `${encoding}\r\n${typed}`
}
