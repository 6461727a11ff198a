import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Block } from '../../block.ts'
import { createDamagedError, type Parser, type ParserEvent, type ParserInput } from '../parser.ts'
import { AttachedFiles } from './attached-files.ts'
import { toBlockEvents } from './block-events.ts'
import { findSubject } from './eml/subject.ts'

/** Limit of attachments of one document. */
const MAX_MAILS = 1_000
/** Same as for a mail in its own file. Protects memory. */
const MAX_MAIL_BYTES = 100 * 1024 * 1024

/** RFC 4155: sender and date. Lines of a text that begin so are quoted with `>`. */
const SEPARATOR = /^From \S+ .*\d{4}/
const QUOTED = /^>+From /

export const mboxParser: Parser = {
  id: 'mbox@2',
  mediaTypes: ['application/mbox'],
  parse: parseMbox,
}

async function* parseMbox(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const { size } = await stat(input.path)
  if (size === 0) throw new AppError('empty', localizable`${input.name} is empty: it has no bytes.`)
  const files = new AttachedFiles(input)
  const mails = { omitted: 0, tooLarge: 0 }
  const events: ParserEvent[] = []
  async function* readBlocks(): AsyncGenerator<Block> {
    let number = 0
    yield { kind: 'heading', level: 1, text: input.name }
    for await (const mail of splitMails(input.path, signal)) {
      if (mail === undefined) mails.tooLarge++
      else if (++number > MAX_MAILS) mails.omitted++
      else {
        const subject = (await findSubject(mail)) ?? '(no subject)'
        events.push(...(await files.add(`${number}.eml`, mail)))
        yield { kind: 'list', text: `${number}.eml: ${subject}` }
      }
    }
    if (number + mails.tooLarge === 0)
      throw createDamagedError(input.name, 'no mail begins in it with a line "From "')
  }
  for await (const event of toBlockEvents(readBlocks(), input.name, signal)) {
    yield event
    yield* events.splice(0)
  }
  yield* warn(mails)
}

function* warn({
  omitted,
  tooLarge,
}: {
  omitted: number
  tooLarge: number
}): Iterable<ParserEvent> {
  const reasons = [
    omitted > 0 &&
      localizable`${omitted} mails were left out: at most ${MAX_MAILS} of a mailbox are read.`,
    tooLarge > 0 &&
      localizable`${tooLarge} mails were left out: each may have ${MAX_MAIL_BYTES} bytes.`,
  ].filter(reason => reason !== false)
  const [first, second] = reasons
  if (!first) return
  const message = second
    ? localizable`${first} ${second} Split the mailbox.`
    : localizable`${first} Split the mailbox.`
  yield { type: 'warning', warning: withMessage({ code: 'too_large' }, message) }
}

async function* splitMails(path: string, signal?: AbortSignal): AsyncGenerator<Buffer | undefined> {
  let mail: MailLines | undefined
  let isAfterBlank = true
  for await (const line of readByteLines(path, signal)) {
    const isSeparator = isAfterBlank && SEPARATOR.test(line)
    isAfterBlank = line.trim() === ''
    if (!isSeparator) mail?.add(line)
    else {
      if (mail) yield mail.toBytes()
      mail = new MailLines()
    }
  }
  if (mail) yield mail.toBytes()
}

class MailLines {
  readonly #lines: string[] = []
  #bytes = 0

  add(line: string): void {
    this.#bytes += line.length + 1
    if (this.#bytes <= MAX_MAIL_BYTES) this.#lines.push(QUOTED.test(line) ? line.slice(1) : line)
  }

  toBytes(): Buffer | undefined {
    return this.#bytes > MAX_MAIL_BYTES ? undefined : Buffer.from(this.#lines.join('\n'), 'latin1')
  }
}

/** Reads Latin-1, one character per byte: each mail states its own charsets. */
async function* readByteLines(path: string, signal?: AbortSignal): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path, { encoding: 'latin1', signal })) {
    const parts = `${rest}${piece}`.split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
  if (rest) yield rest
}
