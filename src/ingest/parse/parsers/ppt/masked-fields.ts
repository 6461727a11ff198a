export type MaskedFields = readonly (readonly [mask: number, bytes: number])[]

export class MaskedReader {
  readonly #bytes: Buffer
  #offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length
  }

  readNumber(bytes: 2 | 4): number {
    const start = this.#offset
    this.#offset += bytes
    return this.#offset <= this.#bytes.length ? this.#bytes.readUIntLE(start, bytes) : 0
  }

  skip(bytes: number): void {
    this.#offset += bytes
  }

  skipFields(mask: number, fields: MaskedFields): void {
    for (const [bits, bytes] of fields) if (mask & bits) this.skip(bytes)
  }
}
