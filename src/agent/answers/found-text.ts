const WRITTEN_AS_NAME =
  /\p{Lu}[\p{Script=Latin}\p{N}]*|(?<![\p{Script=Latin}\p{N}])[\p{Script=Latin}\p{N}]+(?:[-_.][\p{Script=Latin}\p{N}]+)+/gu

/** All that was found of one document. Each of its passages is judged by it, so what is worked out of it is kept. */
export class FoundText {
  readonly text: string
  readonly #judged = new Map<object, boolean>()
  #words: ReadonlySet<string> | undefined
  #names: ReadonlySet<string> | undefined
  #normalized: string | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Words of Latin letters and digits, folded as names are. */
  get words(): ReadonlySet<string> {
    this.#words ??= new Set(folded(this.text).match(/[\p{Script=Latin}\p{N}]+/gu) ?? [])
    return this.#words
  }

  /** Of its words those that are written as names somewhere: with a capital, or joined to others as in `kestrel-router`. */
  get names(): ReadonlySet<string> {
    this.#names ??= new Set((this.text.match(WRITTEN_AS_NAME) ?? []).flatMap(word => folded(word).split(/[-_.]/)))
    return this.#names
  }

  /** In NFKC. */
  get normalized(): string {
    this.#normalized ??= this.text.normalize('NFKC')
    return this.#normalized
  }

  /** What `judge` says; for the same question it is asked once. */
  judged(question: object, judge: () => boolean): boolean {
    const known = this.#judged.get(question) ?? judge()
    this.#judged.set(question, known)
    return known
  }
}

/** Without case, accents and other forms of the same letter. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
