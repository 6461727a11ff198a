import { Converter } from 'opencc-js/t2cn'
import { stem } from 'porter2'
import { identifierTerms } from './identifiers.ts'
import { UNSPACED, WordTokens } from './word-tokens.ts'

/** Cached results of stemming and folding: words of a language repeat. */
const CACHE_SIZE = 50_000

/** English words that tell documents apart too little to be searched for, when a query has others. */
const ENGLISH_STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if in
  into is it its itself just me more most my no nor not of off on once only or other our out over own s same she should so
  some such t than that the their them then there these they this those through to too under until up very was we were
  what when where which while who whom why will with would you your yours`.split(/\s+/),
)

/** Single Han characters that are grammar; as part of a bigram they still count. */
const HAN_STOP_CHARACTERS = new Set('的了是在和与或及也都就而之其这那有为以于对从到被把让给吗呢吧啊呀么谁哪几个何')

const BLANK_BETWEEN_CHARACTERS = new RegExp(`(?<=[${UNSPACED}])\\s+(?=[${UNSPACED}])`, 'gu')

/**
 * Turns text into the terms that keyword search matches. Words: NFKC, lower case, Porter 2 stems, accents off, letters and
 * digits also apart (`fy2019` gives `fy`, `2019` too). Scripts without blanks: single characters and bigrams, Traditional
 * folded to Simplified. Identifiers also whole, at the end, so that they do not part what stands together.
 */
export class Analyzer {
  /** Changes when any term would. */
  readonly id = 'unibigram@2'
  readonly #tokens = new WordTokens()
  readonly #words = new Map<string, readonly string[]>()
  readonly #stems = new Map<string, string>()
  /** By code point. */
  readonly #simplified = new Map<number, string>()
  #converter: ((text: string) => string) | undefined

  /** All terms, stop words included: what a document is indexed under. */
  terms(text: string): readonly string[] {
    const normal = text.normalize('NFKC')
    const identifiers = identifierTerms(normal, character => this.#fold(character))
    return [...this.#plainTerms(normal), ...identifiers.map(term => this.#stem(term))]
  }

  /** Distinct terms worth searching for; stop words only when there is nothing else. */
  queryTerms(text: string): readonly string[] {
    const terms = [...new Set(this.terms(text))]
    const telling = terms.filter(term => !this.#isStopWord(term))
    return telling.length > 0 ? telling : terms
  }

  /** Terms in the order of the text, identifiers not whole: a phrase of a text has its terms in a row there. */
  sequence(text: string): readonly string[] {
    return this.#plainTerms(text.normalize('NFKC'))
  }

  /** Text as phrases are compared in: NFKC, lower case, Simplified, one blank between words, none between characters. */
  plain(text: string): string {
    const folded = text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .replace(/\p{Script=Han}/gu, character => this.#fold(character))
    return folded.replace(BLANK_BETWEEN_CHARACTERS, '').replace(/\s+/g, ' ').trim()
  }

  #plainTerms(normal: string): readonly string[] {
    const terms: string[] = []
    for (const token of this.#tokens.of(normal.toLowerCase())) {
      if (this.#tokens.isUnspaced(token)) this.#pushRun(token, terms)
      else for (const term of this.#termsOfWord(token)) terms.push(term)
    }
    return terms
  }

  #isStopWord(term: string): boolean {
    return HAN_STOP_CHARACTERS.has(term) || this.#englishStops().has(term)
  }

  #stops: ReadonlySet<string> | undefined

  /** Terms are stems, so the stop words must be too. */
  #englishStops(): ReadonlySet<string> {
    this.#stops ??= new Set([...ENGLISH_STOP_WORDS].map(word => this.#stem(word)))
    return this.#stops
  }

  #pushRun(run: string, terms: string[]): void {
    let before = ''
    for (const character of run) {
      const folded = this.#fold(character)
      if (before) terms.push(before + folded)
      terms.push(folded)
      before = folded
    }
  }

  #termsOfWord(token: string): readonly string[] {
    return cached(this.#words, token, () => {
      const word = token.replace(/['’]s$/, '').replace(/['’]/g, '')
      if (/^\p{N}+[.,]/u.test(word)) return [word.replaceAll(',', ''), ...word.split(/[.,]/)]
      const parts = /\p{N}/u.test(word) && /\p{L}/u.test(word) ? (word.match(/\p{N}+|[^\p{N}]+/gu) ?? []) : []
      return [word, ...parts].map(part => this.#stem(part))
    })
  }

  #stem(word: string): string {
    return cached(this.#stems, word, () => stemmed(word))
  }

  #fold(character: string): string {
    return cached(this.#simplified, character.codePointAt(0)!, () => {
      const convert = this.#converter ?? Converter({ from: 't', to: 'cn' })
      this.#converter = convert
      return convert(character)
    })
  }
}

/** Accents go, for people leave them out when they type: `café`, `cafe`. */
function stemmed(word: string): string {
  if (/^[a-z]+$/.test(word)) return stem(word)
  if (!/^[a-z\p{Script=Latin}\p{M}]+$/u.test(word)) return word
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '')
  return /^[a-z]+$/.test(bare) ? stem(bare) : bare
}

/** Emptied when full: simpler than evicting, and words that matter come back at once. */
function cached<Key, Value>(cache: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(key, made)
  return made
}
