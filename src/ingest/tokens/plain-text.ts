const UNITS = 0x10000
const SPACE = 0x20
const PLAIN = 1
const SPECIAL = 2

/** Marks, which join what stands before them, halves of characters, and Hangul letters, which become syllables together. */
const JOINING = /[\p{M}\ud800-\udfff\u1100-\u11ff]/u

/**
 * Tells texts that a normaliser leaves as they are, at a tenth of its cost: a character is asked about once. Good for normalisers
 * that look at characters one by one, composition in NFKC and the like, and runs of spaces apart.
 */
export class PlainText {
  /** By UTF-16 unit; 0 while nobody has asked. */
  readonly #kinds = new Uint8Array(UNITS)
  readonly #normalize: (text: string) => string

  /** Texts with one of the `special` characters are never plain. */
  constructor(normalize: (text: string) => string, special: Iterable<string>) {
    this.#normalize = normalize
    for (const character of special) this.#kinds[character.charCodeAt(0)] = SPECIAL
  }

  /** False says nothing: normalise it. */
  holds(text: string): boolean {
    let before = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      const kind = this.#kinds[unit] || this.#learn(unit)
      if (kind === SPECIAL || (unit === SPACE && before === SPACE)) return false
      before = unit
    }
    return true
  }

  #learn(unit: number): number {
    const character = String.fromCharCode(unit)
    const kind = this.#normalize(character) === character && !JOINING.test(character) ? PLAIN : SPECIAL
    this.#kinds[unit] = kind
    return kind
  }
}
