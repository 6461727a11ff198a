/** Scripts without spaces, as a character class. */
export const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

/** Runs of unspaced scripts; numbers with inner points or commas; words with inner apostrophes. */
export const TOKEN = new RegExp(
  String.raw`[${UNSPACED}]+|\p{N}+(?:[.,]\p{N}+)+|(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])+(?:['’](?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])+)*`,
  'gu',
)

const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
/** Start of Thai, the first unspaced script (Unicode standard). */
const FIRST_UNSPACED = 0x0e00

/** Kinds of UTF-16 units; 0 is unclassified. */
const OTHER = 1
const LETTER = 2
const NUMBER = 3
const UNSPACED_LETTER = 4
/** Surrogates and unspaced digits; texts with them use the pattern. */
const RARE = 5

/** Cuts NFKC lower-case text like `TOKEN` at a third of the cost. */
export class WordTokens {
  readonly #kinds = new Uint8Array(0x10000)
  #spans = new Int32Array(1_024)

  /** Returns alternating starts and ends, valid until the next call. */
  cutTokens(text: string): Int32Array {
    let count = 0
    for (let index = 0; index < text.length; ) {
      const kind = this.#getKind(text, index)
      if (kind === RARE) return Int32Array.from([...text.matchAll(TOKEN)].flatMap(buildSpan))
      const end = kind === OTHER ? index : this.#end(text, index, kind)
      if (end > index) {
        if (count + 2 > this.#spans.length) this.#grow()
        this.#spans[count++] = index
        this.#spans[count++] = end
      }
      index = Math.max(end, index + 1)
    }
    return this.#spans.subarray(0, count)
  }

  isUnspaced(text: string, start: number): boolean {
    if (text.charCodeAt(start) < FIRST_UNSPACED) return false
    const kind = this.#getKind(text, start)
    return (
      kind === UNSPACED_LETTER || (kind === RARE && IS_UNSPACED.test(text.slice(start, start + 2)))
    )
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#spans.length)
    larger.set(this.#spans)
    this.#spans = larger
  }

  #end(text: string, start: number, kind: number): number {
    if (kind === UNSPACED_LETTER)
      return this.#findEnd(text, start, UNSPACED_LETTER, UNSPACED_LETTER)
    if (kind === NUMBER) {
      const digits = this.#findEnd(text, start, NUMBER, NUMBER)
      const end = this.#findJoinedEnd(text, digits, NUMBER, isPoint)
      if (end > digits) return end
    }
    return this.#findJoinedEnd(
      text,
      this.#findEnd(text, start, LETTER, NUMBER),
      LETTER,
      isApostrophe,
    )
  }

  #findEnd(text: string, start: number, minKind: number, maxKind: number): number {
    let end = start
    while (end < text.length) {
      const kind = this.#getKind(text, end)
      if (kind < minKind || kind > maxKind) break
      end++
    }
    return end
  }

  #findJoinedEnd(
    text: string,
    start: number,
    minKind: number,
    joins: (unit: number) => boolean,
  ): number {
    let end = start
    while (end + 1 < text.length && joins(text.charCodeAt(end))) {
      const next = this.#findEnd(text, end + 1, minKind, NUMBER)
      if (next === end + 1) break
      end = next
    }
    return end
  }

  #getKind(text: string, index: number): number {
    const unit = text.charCodeAt(index)
    const cached = this.#kinds[unit]!
    if (cached) return cached
    const kind = classify(text.charAt(index))
    this.#kinds[unit] = kind
    return kind
  }
}

function buildSpan({ index, 0: token }: RegExpExecArray): readonly number[] {
  return [index, index + token.length]
}

function classify(character: string): number {
  if (/[\ud800-\udfff]/.test(character)) return RARE
  if (IS_UNSPACED.test(character)) return /\p{N}/u.test(character) ? RARE : UNSPACED_LETTER
  if (/\p{N}/u.test(character)) return NUMBER
  return /[\p{L}\p{M}]/u.test(character) ? LETTER : OTHER
}

function isPoint(unit: number): boolean {
  return unit === 0x2e || unit === 0x2c
}

function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019
}
