/** Kinds of content ([MS-OXRTFCP] 2.1.3.1). */
const COMPRESSED = 0x75465a4c
const PLAIN = 0x414c454d
const HEAD_BYTES = 16
const DICTIONARY_BYTES = 4_096
/** Initial content of the dictionary ([MS-OXRTFCP] 2.1.2.1). */
const PRELOADED =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript ' +
  '\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
  '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

export function decompressRtf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  const kind = bytes.readUInt32LE(8)
  const size = bytes.readUInt32LE(4)
  if (kind === PLAIN) return bytes.subarray(HEAD_BYTES, HEAD_BYTES + size)
  return kind === COMPRESSED ? inflate(bytes.subarray(HEAD_BYTES), size) : undefined
}

function inflate(bytes: Buffer, size: number): Buffer {
  const window = new SlidingWindow()
  for (const { bytes: group, flags } of listGroups(bytes)) {
    if (window.size >= size || !window.readGroup(group, flags)) break
  }
  return window.toBytes(size)
}

function* listGroups(bytes: Buffer): Iterable<{ readonly bytes: Buffer; readonly flags: number }> {
  for (let index = 0; index + 1 < bytes.length; ) {
    const flags = bytes[index++] ?? 0
    const length = 8 + countBits(flags)
    yield { bytes: bytes.subarray(index, index + length), flags }
    index += length
  }
}

function countBits(flags: number): number {
  let count = 0
  for (let bits = flags; bits > 0; bits >>= 1) count += bits & 1
  return count
}

/** The last bytes of an output, which references repeat. */
class SlidingWindow {
  readonly #dictionary = Buffer.alloc(DICTIONARY_BYTES, ' ')
  readonly #output: number[] = []
  #writeAt = this.#dictionary.write(PRELOADED, 'latin1')

  get size(): number {
    return this.#output.length
  }

  readGroup(bytes: Buffer, flags: number): boolean {
    let offset = 0
    for (let bits = flags | 0x100; bits > 1 && offset < bytes.length; bits >>= 1) {
      if ((bits & 1) === 0) this.#push(bytes[offset++] ?? 0)
      else {
        const reference = ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0)
        offset += 2
        if (reference >> 4 === this.#writeAt) return false
        this.#repeat(reference >> 4, (reference & 0xf) + 2)
      }
    }
    return true
  }

  #push(byte: number): void {
    this.#output.push(byte)
    this.#dictionary[this.#writeAt] = byte
    this.#writeAt = (this.#writeAt + 1) % DICTIONARY_BYTES
  }

  #repeat(start: number, count: number): void {
    for (let index = 0; index < count; index++)
      this.#push(this.#dictionary[(start + index) % DICTIONARY_BYTES] ?? 0)
  }

  toBytes(size: number): Buffer {
    return Buffer.from(this.#output.slice(0, size))
  }
}
