import { once } from 'node:events'
import { Transform, type Writable } from 'node:stream'
import {
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server'

/** The SDK's limit over HTTP, so that both transports accept the same. */
const MAX_MESSAGE_BYTES = DEFAULT_MAX_REQUEST_BODY_SIZE

const NEWLINE = 0x0a

/** Error response to a line that is not passed on. */
type Rejection = {
  readonly id: string | number | null
  readonly code: number
  readonly message: string
}

const TOO_LARGE: Rejection = {
  id: null, // the message was not parsed
  code: INVALID_REQUEST,
  message: `The message is larger than ${MAX_MESSAGE_BYTES} bytes and was skipped. Send smaller messages, or refer to files by path.`,
}

/**
 * Responds to bad lines with an error, where the SDK drops them or closes the connection. Reading
 * pauses while `output` is full.
 */
export function filterMessages(output: Writable): Transform {
  const lines = new Lines()
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pass = async () => {
        for (const line of lines.split(chunk)) {
          const rejection = line === 'too-large' ? TOO_LARGE : checkMessage(line.toString('utf8'))
          if (rejection) await write(output, rejection)
          else if (line !== 'too-large') this.push(line)
        }
      }
      pass().then(() => done(), done)
    },
  })
}

type Line = Buffer | 'too-large'

/** Discards a line that is too large, up to its end. */
class Lines {
  #parts: Buffer[] = []
  #sizeBytes = 0

  split(chunk: Buffer): readonly Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end + 1))
      lines.push(this.#take())
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    return lines
  }

  #add(part: Buffer): void {
    this.#sizeBytes += part.length
    if (this.#isTooLarge()) this.#parts = []
    else this.#parts.push(part)
  }

  #take(): Line {
    const line = this.#isTooLarge() ? 'too-large' : Buffer.concat(this.#parts)
    this.#parts = []
    this.#sizeBytes = 0
    return line
  }

  #isTooLarge(): boolean {
    return this.#sizeBytes > MAX_MESSAGE_BYTES
  }
}

function checkMessage(line: string): Rejection | undefined {
  if (line.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return {
      id: null,
      code: PARSE_ERROR,
      message: 'Parse error: a message must be one line of JSON.',
    }
  }
  try {
    parseJSONRPCMessage(value)
    return undefined
  } catch {
    return {
      id: requestId(value),
      code: INVALID_REQUEST,
      message: 'Invalid request: this is not a JSON-RPC 2.0 message.',
    }
  }
}

/** Leaves out the id of a client's response, which belongs to a request of ours. */
function requestId(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('method' in value) || !('id' in value))
    return null
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null
}

async function write(output: Writable, { id, code, message }: Rejection): Promise<void> {
  if (output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)) return
  await Promise.race([once(output, 'drain'), once(output, 'close')])
}
