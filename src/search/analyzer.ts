import { Converter } from 'opencc-js/t2cn'
import { stem } from 'porter2'

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

/** Runs of Han; numbers with inner points or commas; words with inner apostrophes. */
const TOKEN =
  /\p{Script=Han}+|\p{N}+(?:[.,]\p{N}+)+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+(?:['’](?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+)*/gu

/**
 * Turns text into the terms that keyword search matches. Latin: NFKC, lower case, Porter 2 stems, letters and digits
 * also apart (`fy2019` gives `fy`, `2019` too). Han: Traditional folded to Simplified, single characters and bigrams.
 */
export class Analyzer {
  /** Changes when any term would. */
  readonly id = 'unibigram@1'
  readonly #stems = new Map<string, string>()
  readonly #simplified = new Map<string, string>()
  #converter: ((text: string) => string) | undefined

  /** All terms in order, stop words included: what a document is indexed under. */
  terms(text: string): readonly string[] {
    const terms: string[] = []
    for (const [token] of text.normalize('NFKC').toLowerCase().matchAll(TOKEN)) {
      if (isHan(token)) this.#pushHan(token, terms)
      else this.#pushWord(token, terms)
    }
    return terms
  }

  /** Distinct terms worth searching for; stop words only when there is nothing else. */
  queryTerms(text: string): readonly string[] {
    const terms = [...new Set(this.terms(text))]
    const telling = terms.filter(term => !this.#isStopWord(term))
    return telling.length > 0 ? telling : terms
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

  #pushHan(run: string, terms: string[]): void {
    const characters = [...run].map(character => this.#fold(character))
    for (const [index, character] of characters.entries()) {
      terms.push(character)
      const next = characters[index + 1]
      if (next) terms.push(character + next)
    }
  }

  #pushWord(token: string, terms: string[]): void {
    const word = token.replace(/['’]s$/, '').replace(/['’]/g, '')
    if (/^\p{N}+[.,]/u.test(word)) {
      terms.push(word.replaceAll(',', ''), ...word.split(/[.,]/))
      return
    }
    terms.push(this.#stem(word))
    if (!/\p{N}/u.test(word) || !/\p{L}/u.test(word)) return
    for (const [part] of word.matchAll(/\p{N}+|[^\p{N}]+/gu)) terms.push(this.#stem(part))
  }

  #stem(word: string): string {
    return cached(this.#stems, word, () => (/^[a-z]+$/.test(word) ? stem(word) : word))
  }

  #fold(character: string): string {
    return cached(this.#simplified, character, () => {
      const convert = this.#converter ?? Converter({ from: 't', to: 'cn' })
      this.#converter = convert
      return convert(character)
    })
  }
}

function isHan(token: string): boolean {
  return /^\p{Script=Han}/u.test(token)
}

/** Emptied when full: simpler than evicting, and words that matter come back at once. */
function cached(cache: Map<string, string>, key: string, make: () => string): string {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(key, made)
  return made
}
