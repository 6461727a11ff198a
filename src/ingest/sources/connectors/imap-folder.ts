import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Fetched, FetchOptions, Source, SourceItem } from '../source.ts'
import { ImapConnection } from './imap-connection.ts'

type ImapPlace = {
  readonly url: string
  readonly folder: string
  readonly user: string
  readonly password: string
  readonly maxBytes: number
  readonly lookup?: LookupFunction
}

/** Mails of a folder, each as a file; the version is UIDVALIDITY and UID. Changes nothing there. */
export class ImapFolder implements Source {
  readonly #place: ImapPlace
  #connection: ImapConnection | undefined
  #validity = ''
  #isEmpty = false

  constructor(place: ImapPlace) {
    this.#place = place
  }

  async *list(signal?: AbortSignal): AsyncGenerator<SourceItem> {
    const connection = await this.#open(signal)
    if (this.#isEmpty) return // where servers refuse the range
    const lines = await connection.send(['UID FETCH 1:* (UID RFC822.SIZE FLAGS)'], signal)
    for (const { text } of lines) {
      const [, uid] = /\bUID (\d+)/i.exec(text) ?? []
      const [, size] = /\bRFC822\.SIZE (\d+)/i.exec(text) ?? []
      const isListed = / FETCH /i.test(text) && !/\\Deleted\b/i.test(text)
      if (!isListed || !uid || !size) continue
      yield { path: `${uid}.eml`, version: `${this.#validity}-${uid}`, bytes: Number(size) }
    }
  }

  async fetch({ path }: SourceItem, { signal }: FetchOptions): Promise<Fetched> {
    const connection = await this.#open(signal)
    const uid = path.replace('.eml', '')
    const lines = await connection.send([`UID FETCH ${uid} (UID BODY.PEEK[])`], signal)
    const mail = lines.find(({ text, literals }) => / FETCH /i.test(text) && literals.length > 0)
    if (!mail) throw new AppError('not_found', localizable`The mail ${path} is gone.`)
    const bytes = Readable.from(mail.literals.slice(0, 1), { objectMode: false })
    return { kind: 'stream', bytes }
  }

  async *watch(signal: AbortSignal): AsyncGenerator<void> {
    const connection = await this.#open(signal)
    if (!(await connection.canIdle(signal))) return
    for (;;) if (await connection.waitForChange(signal)) yield
  }

  async close(): Promise<void> {
    this.#connection?.close()
  }

  /** Opens the folder, again if the connection was lost. Throws if its mails were numbered anew. */
  async #open(signal?: AbortSignal): Promise<ImapConnection> {
    if (this.#connection?.isOpen) return this.#connection
    const { url } = this.#place
    const connection = await ImapConnection.open({ ...this.#place, url: new URL(url) }, signal)
    try {
      await this.#examine(connection, signal)
    } catch (error) {
      connection.close()
      throw error
    }
    this.#connection = connection
    return connection
  }

  async #examine(connection: ImapConnection, signal?: AbortSignal): Promise<void> {
    const { folder } = this.#place
    const lines = await connection.send(['EXAMINE ', encodeName(folder)], signal)
    const answer = lines.map(({ text }) => text).join('\n')
    const [, validity] = /\[UIDVALIDITY (\d+)\]/i.exec(answer) ?? []
    this.#isEmpty = /^\* 0 EXISTS/im.test(answer)
    if (!validity || (this.#validity !== '' && this.#validity !== validity))
      throw new AppError('fetch_failed', localizable`The folder ${folder} numbers its mails anew.`)
    this.#validity = validity
  }
}

/** Modified UTF-7 (RFC 3501, 5.1.3). */
function encodeName(name: string): Buffer {
  const encoded = name.replaceAll('&', '&-').replace(/[^\x20-\x7e]+/g, text => {
    const base64 = Buffer.from(text, 'utf16le').swap16().toString('base64')
    return `&${base64.replace(/=+$/, '').replaceAll('/', ',')}-`
  })
  return Buffer.from(encoded)
}
