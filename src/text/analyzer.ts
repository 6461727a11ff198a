import { stem } from 'porter2'
import { identifierTerms } from './identifiers.ts'
import { simplified, simplifiedCharacter } from './simplified.ts'
import { SpanMemory } from './span-memory.ts'
import { TermList, type TermSink } from './term-sink.ts'
import { UNSPACED, WordTokens } from './word-tokens.ts'

/** English words that tell documents apart too little to be searched for, when a query has others. */
const ENGLISH_STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if in
  into is it its itself just me more most my no nor not of off on once only or other our out over own s same she should so
  some such t than that the their them then there these they this those through to too under until up very was we were
  what when where which while who whom why will with would you your yours`.split(/\s+/),
)

/** Single Han characters that are grammar; as part of a bigram they still count. */
const HAN_STOP_CHARACTERS = new Set(
  '的了是在和与或及也都就而之其这那有为以于对从到被把让给吗呢吧啊呀么谁哪几个何',
)

/** What stands before is looked at where there is a blank: before each character that takes four times as long. */
const BLANK_BETWEEN_CHARACTERS = new RegExp(` (?<=[${UNSPACED}] )(?=[${UNSPACED}])`, 'gu')

/** Anything but single blanks. */
const UNUSUAL_BLANK = /\s\s|[^\S ]/

/**
 * Turns text into the terms that keyword search matches. Words: NFKC, lower case, Porter 2 stems, accents off, letters and
 * digits also apart (`fy2019` gives `fy`, `2019` too). Scripts without blanks: single characters and bigrams, Traditional
 * folded to Simplified. Identifiers also whole, at the end, so that they do not part what stands together.
 */
export class Analyzer {
  /** Changes when any term would. */
  readonly id = 'unibigram@3'
  readonly #tokens = new WordTokens()
  /** The terms of a word stand in `#termsOfWords`, before the place that is remembered for it. */
  readonly #words = new SpanMemory()
  #termsOfWords: (readonly string[])[] = []

  /**
   * All terms, stop words included: what a document is indexed under. Whole identifiers once each: they say which one is
   * meant, and how often is said by their parts.
   */
  terms(text: string): readonly string[] {
    const list = new TermList()
    this.write(text, list)
    return list.terms
  }

  /** As `terms`, to where they are wanted. */
  write(text: string, sink: TermSink): void {
    const normal = text.normalize('NFKC')
    this.#writePlain(normal, sink)
    const identifiers = identifierTerms(normal, character =>
      simplifiedCharacter(character.codePointAt(0)!),
    )
    for (const term of new Set(identifiers.map(stemmed))) sink.add(term)
  }

  /** Terms worth searching for, each as often as the text has it; stop words only when there is nothing else. */
  queryTerms(text: string): readonly string[] {
    const terms = this.terms(text)
    const telling = terms.filter(term => !this.#isStopWord(term))
    return telling.length > 0 ? telling : terms
  }

  /** Terms in the order of the text, identifiers not whole: a phrase of a text has its terms in a row there. */
  sequence(text: string): readonly string[] {
    const list = new TermList()
    this.#writePlain(text.normalize('NFKC'), list)
    return list.terms
  }

  /** Text as phrases are compared in: NFKC, lower case, Simplified, one blank between words, none between characters. */
  plain(text: string): string {
    const folded = simplified(text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'"))
    if (!/\s/.test(folded)) return folded
    const single = UNUSUAL_BLANK.test(folded) ? folded.replace(/\s+/g, ' ') : folded
    return single.replace(BLANK_BETWEEN_CHARACTERS, '').trim()
  }

  #writePlain(normal: string, sink: TermSink): void {
    const text = normal.toLowerCase()
    const spans = this.#tokens.of(text)
    for (let at = 0; at < spans.length; at += 2) {
      const start = spans[at]!
      const end = spans[at + 1]! // in pairs
      if (this.#tokens.isUnspaced(text, start)) this.#writeRun(text, start, end, sink)
      else for (const term of this.#termsOfWord(text, start, end)) sink.add(term)
    }
  }

  #isStopWord(term: string): boolean {
    return HAN_STOP_CHARACTERS.has(term) || this.#englishStops().has(term)
  }

  #stops: ReadonlySet<string> | undefined

  /** Terms are stems, so the stop words must be too. */
  #englishStops(): ReadonlySet<string> {
    this.#stops ??= new Set([...ENGLISH_STOP_WORDS].map(stemmed))
    return this.#stops
  }

  #writeRun(text: string, start: number, end: number, sink: TermSink): void {
    let before = ''
    for (let at = start; at < end; ) {
      const code = text.codePointAt(at)!
      const character = simplifiedCharacter(code)
      if (before) sink.addPair(before, character)
      sink.add(character)
      before = character
      at += code > 0xffff ? 2 : 1
    }
  }

  #termsOfWord(text: string, start: number, end: number): readonly string[] {
    if (end - start > SpanMemory.MAX_LENGTH) return termsOfWord(text.slice(start, end))
    let hash = 0
    for (let at = start; at < end; at++) hash = SpanMemory.hash(hash, text.charCodeAt(at))
    const place = this.#words.find(text, start, end, hash)
    if (place > 0) return this.#termsOfWords[place - 1]!
    const terms = termsOfWord(text.slice(start, end))
    if (this.#words.isFull) {
      this.#words.clear()
      this.#termsOfWords = []
    }
    this.#words.put(text, start, end, hash, this.#termsOfWords.push(terms))
    return terms
  }
}

function termsOfWord(token: string): readonly string[] {
  if (/^[a-z]+$/.test(token)) return [stem(token)]
  if (/^[a-z\d]+$/.test(token)) return [token, ...partsOfCode(token)]
  const word = token.replace(/['’]s$/, '').replace(/['’]/g, '')
  if (/^\p{N}+[.,]/u.test(word)) return [word.replaceAll(',', ''), ...word.split(/[.,]/)]
  const parts =
    /\p{N}/u.test(word) && /\p{L}/u.test(word) ? (word.match(/\p{N}+|[^\p{N}]+/gu) ?? []) : []
  return [word, ...parts].map(stemmed).filter(term => term !== '') // of accents alone nothing is left
}

/** Of one with digits, the most frequent kind of words that are new: `fy`, `2019` of `fy2019`. */
function partsOfCode(token: string): readonly string[] {
  const parts = token.match(/\d+|[a-z]+/g) ?? []
  return parts.length > 1 ? parts.map(part => (part > '9' ? stem(part) : part)) : []
}

/** Accents go, for people leave them out when they type: `café`, `cafe`. */
function stemmed(word: string): string {
  if (/^[a-z]+$/.test(word)) return stem(word)
  if (!/^[a-z\p{Script=Latin}\p{M}]+$/u.test(word)) return word
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '')
  return /^[a-z]+$/.test(bare) ? stem(bare) : bare
}
