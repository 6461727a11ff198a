import { once } from 'node:events'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { localizable } from '../../../errors/localizable.ts'
import { AppError, getReason } from '../../../errors.ts'

/** Maximum silence, so that a vanished server is noticed. */
const SILENCE_MS = 60_000

/** Servers may end an IDLE after 30 minutes (RFC 2177). */
const IDLE_MS = 25 * 60_000

/** Bounded, so that an endless line does not fill the memory. */
const MAX_LINE_BYTES = 1024 * 1024

/** The most mails of a source (`maxItems`) and some lines besides; protects memory. */
const MAX_LINES = 1_100_000

/** Bytes of a line about a mail in a list, so that the longest list fits. */
const LIST_LINE_BYTES = 128

/** Characters of the server's words, so that a message stays readable. */
const MAX_REASON = 200

/** A line of the server (RFC 3501). Literals are cut out of its text. */
export type ImapLine = { readonly text: string; readonly literals: readonly Buffer[] }

type ImapLogin = { readonly user: string; readonly password: string }

type ImapOptions = ImapLogin & {
  readonly url: URL
  readonly maxBytes: number
  readonly lookup?: LookupFunction
}

/** Sends one command at a time. Errors never contain what was sent. */
export class ImapConnection {
  #socket: Socket
  #input: ByteReader
  #lines: AsyncGenerator<ImapLine>
  readonly #options: ImapOptions
  #count = 0

  private constructor(socket: Socket, options: ImapOptions) {
    this.#options = options
    this.#socket = endSilence(socket)
    this.#input = this.#createReader()
    this.#lines = readLines(this.#input, options.maxBytes)
  }

  #createReader(): ByteReader {
    return new ByteReader(this.#socket, this.#options.maxBytes + MAX_LINES * LIST_LINE_BYTES)
  }

  static async open(options: ImapOptions, signal?: AbortSignal): Promise<ImapConnection> {
    const { url, user, password, lookup } = options
    const isSecure = url.protocol === 'imaps:'
    const port = Number(url.port) || (isSecure ? 993 : 143)
    const place = { host: getHost(url), port, ...(lookup && { lookup }) }
    const socket = isSecure ? connectTls({ ...place, ...createServerName(url) }) : connect(place)
    const connection = new ImapConnection(socket, options)
    try {
      await connection.#use(signal, async () => {
        const greeting = await connection.#readLine()
        if (!/^\* (OK|PREAUTH)/i.test(greeting.text)) throw connection.#createRefusal(greeting)
      })
      if (!isSecure && !LOOPBACK.test(url.hostname)) await connection.#startTls(signal)
      await connection.send(['LOGIN ', Buffer.from(user), ' ', Buffer.from(password)], signal)
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  }

  /** RFC 3501, 6.2.1. Drops what came unencrypted after the answer. */
  async #startTls(signal: AbortSignal | undefined): Promise<void> {
    await this.send(['STARTTLS'], signal)
    await this.#use(signal, async () => {
      await this.#input.release()
      this.#socket.setTimeout(0)
      const { url } = this.#options
      const options = { socket: this.#socket, host: getHost(url), ...createServerName(url) }
      const socket = endSilence(connectTls(options))
      this.#socket = socket
      await once(socket, 'secureConnect', { signal })
      this.#input = this.#createReader()
      this.#lines = readLines(this.#input, this.#options.maxBytes)
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Buffers are sent as literals, so that they end no command. Returns the untagged lines. */
  async send(
    parts: readonly (string | Buffer)[],
    signal?: AbortSignal,
  ): Promise<readonly ImapLine[]> {
    return await this.#use(signal, async () => {
      this.#input.startAnswer()
      const tag = `A${++this.#count}`
      this.#socket.write(`${tag} `)
      for (const part of parts) {
        if (typeof part === 'string') {
          this.#socket.write(part)
          continue
        }
        this.#socket.write(`{${part.length}}\r\n`)
        const line = await this.#readLine()
        if (!line.text.startsWith('+')) throw this.#createRefusal(line)
        this.#socket.write(part)
      }
      this.#socket.write('\r\n')
      return await this.#readUntil(tag)
    })
  }

  async canIdle(signal?: AbortSignal): Promise<boolean> {
    const lines = await this.send(['CAPABILITY'], signal)
    return lines.some(({ text }) => /^\* CAPABILITY\b.*\bIDLE\b/i.test(text))
  }

  /** Returns whether mails came or went; false after some time without. */
  async waitForChange(signal?: AbortSignal): Promise<boolean> {
    return await this.#use(signal, async () => {
      this.#input.startAnswer()
      const tag = `A${++this.#count}`
      const end = () => {
        this.#socket.setTimeout(SILENCE_MS)
        this.#socket.write('DONE\r\n')
      }
      this.#socket.write(`${tag} IDLE\r\n`)
      const accepted = await this.#readLine()
      if (!accepted.text.startsWith('+')) throw this.#createRefusal(accepted)
      this.#socket.setTimeout(0) // it is silent until something happens
      const timer = setTimeout(end, IDLE_MS)
      try {
        const hasNews = await this.#readNews(tag)
        if (!hasNews) return false
        end()
        await this.#readUntil(tag)
        return true
      } finally {
        clearTimeout(timer)
      }
    })
  }

  async #readNews(tag: string): Promise<boolean> {
    for (;;) {
      const line = await this.#readLine()
      if (line.text.startsWith(`${tag} OK`)) return false
      if (line.text.startsWith(`${tag} `)) throw this.#createRefusal(line)
      if (/^\* \d+ (EXISTS|EXPUNGE|FETCH)/i.test(line.text)) return true
    }
  }

  close(): void {
    this.#socket.destroy()
  }

  async #readUntil(tag: string): Promise<readonly ImapLine[]> {
    const untagged: ImapLine[] = []
    for (;;) {
      const line = await this.#readLine()
      if (line.text.startsWith(`${tag} OK`)) return untagged
      if (line.text.startsWith(`${tag} `)) throw this.#createRefusal(line)
      untagged.push(line)
    }
  }

  /** An abort closes the connection, whose answer would come later. */
  async #use<Result>(
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const stop = () => this.#socket.destroy()
    signal?.addEventListener('abort', stop)
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AppError) throw error
      this.close()
      const { host } = this.#options.url
      const message = localizable`${host} cannot be read: ${getReason(error)}.`
      throw new AppError('fetch_failed', message, { cause: error })
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async #readLine(): Promise<ImapLine> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('it closed the connection')
    return value
  }

  #createRefusal({ text }: ImapLine): AppError {
    const { url, password } = this.#options
    const reason = text
      .replace(/^\S+ (?:NO|BAD|BYE) /i, '')
      .replaceAll(password, '***')
      .replace(/\.$/, '')
      .slice(0, MAX_REASON)
    return new AppError('fetch_failed', localizable`${url.host} refuses: ${reason}.`)
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function getHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function createServerName(url: URL): { readonly servername?: string } {
  const host = getHost(url)
  return isIP(host) === 0 ? { servername: host } : {}
}

function endSilence<Connected extends Socket>(socket: Connected): Connected {
  const end = () => socket.destroy(new Error(`it did not answer for ${SILENCE_MS / 1000} s`))
  return socket.setTimeout(SILENCE_MS, end)
}

async function* readLines(input: ByteReader, maxBytes: number): AsyncGenerator<ImapLine> {
  for (;;) {
    let text = ''
    const literals: Buffer[] = []
    for (;;) {
      const part = await input.readLine()
      if (part === undefined) return
      const [, size] = /\{(\d+)\}$/.exec(part) ?? []
      if (size === undefined) {
        text += part
        break
      }
      if (Number(size) > maxBytes) throw new Error(`a message has more than ${maxBytes} bytes`)
      text += part.slice(0, part.lastIndexOf('{'))
      literals.push(await input.read(Number(size)))
    }
    yield { text, literals }
  }
}

/** Reads lines and counted bytes from a stream, up to a maximum for each answer. */
class ByteReader {
  readonly #chunks: AsyncIterableIterator<Buffer>
  readonly #maxBytes: number
  #rest: Buffer = Buffer.alloc(0)
  #lines = 0
  #bytes = 0

  constructor(bytes: Readable, maxBytes: number) {
    this.#chunks = bytes.iterator({ destroyOnReturn: false })
    this.#maxBytes = maxBytes
  }

  async release(): Promise<void> {
    await this.#chunks.return?.()
  }

  startAnswer(): void {
    this.#lines = 0
    this.#bytes = 0
  }

  async readLine(): Promise<string | undefined> {
    if (++this.#lines > MAX_LINES) throw new Error(`its answer has more than ${MAX_LINES} lines`)
    for (;;) {
      const end = this.#rest.indexOf('\r\n')
      if (end >= 0) {
        const line = this.#rest.toString('utf8', 0, end)
        this.#rest = this.#rest.subarray(end + 2)
        return line
      }
      if (this.#rest.length > MAX_LINE_BYTES) throw new Error('a line of its answer has no end')
      const next = await this.#readChunk()
      if (!next) return undefined
      this.#rest = Buffer.concat([this.#rest, next])
    }
  }

  async read(size: number): Promise<Buffer> {
    const parts = [this.#rest]
    let bytes = this.#rest.length
    while (bytes < size) {
      const next = await this.#readChunk()
      if (!next) throw new Error('it closed the connection')
      parts.push(next)
      bytes += next.length
    }
    const all = Buffer.concat(parts)
    this.#rest = all.subarray(size)
    return all.subarray(0, size)
  }

  async #readChunk(): Promise<Buffer | undefined> {
    const { value, done } = await this.#chunks.next()
    if (done) return undefined
    this.#bytes += value.length
    if (this.#bytes > this.#maxBytes)
      throw new Error(`its answer has more than ${this.#maxBytes} bytes`)
    return value
  }
}
