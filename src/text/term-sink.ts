/** Receives the terms of a text, in order. */
export interface TermSink {
  add(term: string): void
  addPair(first: string, second: string): void
}

export class TermList implements TermSink {
  readonly terms: string[] = []

  add(term: string): void {
    this.terms.push(term)
  }

  addPair(first: string, second: string): void {
    this.terms.push(first + second)
  }
}

const FIRST_BYTES = 64 * 1024
const BLANK = 0x20
/** UTF-8 bytes of a UTF-16 unit (RFC 3629). */
const MAX_BYTES_PER_UNIT = 3

/** Writes terms as UTF-8, separated by one space, for LanceDB; builds no strings. */
export class TermWriter implements TermSink {
  #bytes = new Uint8Array(FIRST_BYTES)
  #length = 0
  #start = 0
  readonly #ends = [0]

  add(term: string): void {
    if (this.#length > this.#start) this.#bytes[this.#length++] = BLANK
    this.#write(term)
  }

  addPair(first: string, second: string): void {
    this.add(first)
    this.#write(second)
  }

  endText(): void {
    this.#start = this.#length
    this.#ends.push(this.#length)
  }

  /** End of each text in `bytes`, after a leading zero. */
  get offsets(): Int32Array {
    return Int32Array.from(this.#ends)
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #write(term: string): void {
    const maxEnd = this.#length + term.length * MAX_BYTES_PER_UNIT + 1
    if (maxEnd > this.#bytes.length) this.#grow(maxEnd)
    for (let index = 0; index < term.length; index++) {
      const unit = term.charCodeAt(index)
      if (unit < 0x80) this.#bytes[this.#length++] = unit
      else if (isPlainHan(unit)) this.#writeHan(unit)
      else {
        this.#length += Buffer.from(this.#bytes.buffer, this.#length).write(term.slice(index))
        return
      }
    }
  }

  /** Writes three bytes, as for every unit from U+0800 to the surrogates. */
  #writeHan(unit: number): void {
    this.#bytes[this.#length++] = 0xe0 | (unit >> 12)
    this.#bytes[this.#length++] = 0x80 | ((unit >> 6) & 0x3f)
    this.#bytes[this.#length++] = 0x80 | (unit & 0x3f)
  }

  #grow(minBytes: number): void {
    const larger = new Uint8Array(2 * minBytes)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

function isPlainHan(unit: number): boolean {
  return unit >= 0x800 && unit < 0xd800
}
