import type { OutlookMessage } from './message.ts'

type AttachedBytes = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }

/**
 * Writes a message as a mail (RFC 5322, in UTF-8), so that an attached one is a document. `depth`
 * tells its boundary from those of the mails in it.
 */
export function writeMail(
  message: OutlookMessage,
  attachments: readonly AttachedBytes[],
  depth: number,
): Buffer {
  const boundary = `=_${depth}` // `_` is no character of base64
  const facts = message.facts.join('\n')
  const text = message.html ? facts : [facts, message.text ?? ''].filter(Boolean).join('\n\n')
  const parts: Buffer[] = [
    ...(text ? [writePart('text/plain; charset=utf-8', Buffer.from(text))] : []),
    ...(message.html ? [writePart('text/html; charset=utf-8', Buffer.from(message.html))] : []),
    ...attachments.map(({ name, mediaType, bytes }) => {
      const type = mediaType || 'application/octet-stream'
      const file = `filename*=utf-8''${encodeURIComponent(name).replaceAll("'", '%27')}`
      return mediaType === 'message/rfc822'
        ? writePlainPart(type, bytes, file)
        : writePart(type, bytes, file)
    }),
  ]
  const head = writeHead({
    Subject: message.subject,
    From: message.from,
    To: message.to,
    Cc: message.cc,
    Bcc: message.bcc,
    Date: message.date,
    ...message.further,
    'MIME-Version': '1.0',
    'Content-Type': `multipart/mixed; boundary="${boundary}"`,
  })
  const delimiter = Buffer.from(`\r\n--${boundary}\r\n`)
  const body = parts.flatMap(part => [delimiter, part])
  return Buffer.concat([
    Buffer.from(`${head}\r\n`),
    ...body,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}

function writeHead(fields: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(fields)
    .map(([name, value]) => (value ? `${name}: ${value.replace(/\s+/g, ' ').trim()}\r\n` : ''))
    .join('')
}

function writePart(type: string, bytes: Buffer, file?: string): Buffer {
  const lines = bytes.toString('base64').match(/.{1,76}/g) ?? []
  const head = writeHead({
    'Content-Type': type,
    'Content-Disposition': file && `attachment; ${file}`,
    'Content-Transfer-Encoding': 'base64',
  })
  return Buffer.from(`${head}\r\n${lines.join('\r\n')}`)
}

/** A mail within a mail may not be encoded (RFC 2046, 5.2.1). */
function writePlainPart(type: string, bytes: Buffer, file: string): Buffer {
  const head = writeHead({ 'Content-Type': type, 'Content-Disposition': `attachment; ${file}` })
  return Buffer.concat([Buffer.from(`${head}\r\n`), bytes])
}
