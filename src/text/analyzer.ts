import { stem } from 'porter2'
import { findIdentifiers, findNamedFiles } from './identifiers.ts'
import { memoize } from './memoize.ts'
import { toSimplified, toSimplifiedCharacter } from './simplified.ts'
import { SpanMemory } from './spans/span-memory.ts'
import { TermList, type TermSink } from './term-sink.ts'
import { findDays, findIndexedValues, findValues } from './values.ts'
import { UNSPACED, WordTokens } from './word-tokens.ts'

/** Ignored if a query has other words. */
const ENGLISH_STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if in
  into is it its itself just me more most my no nor not of off on once only or other our out over own s same she should so
  some such t than that the their them then there these they this those through to too under until up very was we were
  what when where which while who whom why will with would you your yours`.split(/\s+/),
)

/** Grammatical Han characters; they still count in bigrams. */
const HAN_STOP_CHARACTERS = new Set(
  '的了是在和与或及也都就而之其这那有为以于对从到被把让给吗呢吧啊呀么谁哪几个何',
)

/** Looks behind only at a space, four times as fast as at every character. */
const BLANK_BETWEEN_CHARACTERS = new RegExp(` (?<=[${UNSPACED}] )(?=[${UNSPACED}])`, 'gu')

const UNUSUAL_BLANK = /\s\s|[^\S ]/

/**
 * Words: NFKC, lower case, Porter 2 stems, without accents, letters and digits also apart
 * (`fy2019` adds `fy`, `2019`). Scripts without spaces: characters and bigrams, Simplified.
 * Complete identifiers come last.
 */
export class Analyzer {
  /** Changes with any term of the index. */
  readonly id: string = 'unibigram@4'
  /** Id of existing tables whose rows have no values. */
  readonly idWithoutValues: string = 'unibigram@3'
  readonly #tokens = new WordTokens()
  readonly #words = new SpanMemory()
  #termsOfWords: (readonly string[])[] = []

  /** Includes stop words. Complete identifiers occur once. */
  listTerms(text: string): readonly string[] {
    const list = new TermList()
    this.write(text, list)
    return list.terms
  }

  write(text: string, sink: TermSink): void {
    const normal = text.normalize('NFKC')
    this.#writePlain(normal, sink)
    const identifiers = findIdentifiers(normal, character =>
      toSimplifiedCharacter(character.codePointAt(0) ?? 0),
    )
    for (const term of new Set(identifiers.map(stemPlain))) sink.add(term)
  }

  writeIndexTerms(text: string, sink: TermSink): void {
    this.write(text, sink)
    const normal = toSimplified(text.normalize('NFKC'))
    for (const value of findIndexedValues(normal)) sink.add(stemPlain(value))
  }

  /** Joins words and extension, which alone would find every file. */
  writeNameTerms(name: string, sink: TermSink): void {
    const [extension = ''] = /\.[^.]+$/.exec(name.toLowerCase()) ?? []
    if (extension === '') return
    for (const term of this.listTerms(name.slice(0, -extension.length))) sink.add(term + extension)
  }

  /** Repeats a value so that another form of it ranks above its parts, which other values share. */
  listQueryValues(text: string, extensions: ReadonlySet<string>): readonly string[] {
    const normal = toSimplified(text.normalize('NFKC'))
    const names = findNamedFiles(normal, extensions).flatMap(({ word, extension }) =>
      this.listTerms(word).map(term => term + extension),
    )
    const parts = new Map(
      findDays(normal).map(({ iso, span }) => [
        iso,
        this.listTerms(normal.slice(span.start, span.end)).length,
      ]),
    )
    const values = [...findValues(normal)].flatMap(value =>
      Array<string>(Math.max(2, parts.get(value) ?? 0)).fill(stemPlain(value)),
    )
    return [...values, ...names, ...names]
  }

  /** Keeps repetitions; stop words only if there is nothing else. */
  readonly listQueryTerms = memoize((text): readonly string[] => {
    const terms = this.listTerms(text)
    const contentTerms = terms.filter(term => !this.#isStopWord(term))
    return contentTerms.length > 0 ? contentTerms : terms
  })

  /** Leaves out complete identifiers, so that phrases are runs. */
  listSequence(text: string): readonly string[] {
    const list = new TermList()
    this.#writePlain(text.normalize('NFKC'), list)
    return list.terms
  }

  /** Applies NFKC, lower case, Simplified, single spaces, none between unspaced characters. */
  normalizeText(text: string): string {
    const folded = toSimplified(text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'"))
    if (!/\s/.test(folded)) return folded
    const single = UNUSUAL_BLANK.test(folded) ? folded.replace(/\s+/g, ' ') : folded
    return single.replace(BLANK_BETWEEN_CHARACTERS, '').trim()
  }

  #writePlain(normal: string, sink: TermSink): void {
    const text = normal.toLowerCase()
    const spans = this.#tokens.cutTokens(text)
    for (let index = 0; index < spans.length; index += 2) {
      const start = spans[index] ?? 0
      const end = spans[index + 1] ?? start
      if (this.#tokens.isUnspaced(text, start)) this.#writeRun(text, start, end, sink)
      else for (const term of this.#findWordTerms(text, start, end)) sink.add(term)
    }
  }

  #isStopWord(term: string): boolean {
    return HAN_STOP_CHARACTERS.has(term) || this.#getEnglishStops().has(term)
  }

  #stops: ReadonlySet<string> | undefined

  #getEnglishStops(): ReadonlySet<string> {
    this.#stops ??= new Set([...ENGLISH_STOP_WORDS].map(stemPlain))
    return this.#stops
  }

  #writeRun(text: string, start: number, end: number, sink: TermSink): void {
    let before = ''
    for (let index = start; index < end; ) {
      const code = text.codePointAt(index) ?? 0
      const character = toSimplifiedCharacter(code)
      if (before) sink.addPair(before, character)
      sink.add(character)
      before = character
      index += code > 0xffff ? 2 : 1
    }
  }

  #findWordTerms(text: string, start: number, end: number): readonly string[] {
    if (end - start > SpanMemory.MAX_LENGTH) return stemWord(text.slice(start, end))
    let hash = 0
    for (let index = start; index < end; index++)
      hash = SpanMemory.hash(hash, text.charCodeAt(index))
    const place = this.#words.find(text, start, end, hash)
    const cachedTerms = place > 0 ? this.#termsOfWords[place - 1] : undefined
    if (cachedTerms) return cachedTerms
    const terms = stemWord(text.slice(start, end))
    if (this.#words.isFull) {
      this.#words.clear()
      this.#termsOfWords = []
    }
    this.#words.put(text, start, end, hash, this.#termsOfWords.push(terms))
    return terms
  }
}

function stemWord(token: string): readonly string[] {
  if (/^[a-z]+$/.test(token)) return [stem(token)]
  if (/^[a-z\d]+$/.test(token)) return [token, ...splitCode(token)]
  const word = token.replace(/['’]s$/, '').replace(/['’]/g, '')
  if (/^\p{N}+[.,]/u.test(word)) return [word.replaceAll(',', ''), ...word.split(/[.,]/)]
  const parts =
    /\p{N}/u.test(word) && /\p{L}/u.test(word) ? (word.match(/\p{N}+|[^\p{N}]+/gu) ?? []) : []
  return [word, ...parts].map(stemPlain).filter(term => term !== '') // a word of accents only has no stem
}

function splitCode(token: string): readonly string[] {
  const parts = token.match(/\d+|[a-z]+/g) ?? []
  return parts.length > 1 ? parts.map(part => (part > '9' ? stem(part) : part)) : []
}

/** Removes accents, too, which people omit: `café`, `cafe`. */
function stemPlain(word: string): string {
  if (/^[a-z]+$/.test(word)) return stem(word)
  if (!/^[a-z\p{Script=Latin}\p{M}]+$/u.test(word)) return word
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '')
  return /^[a-z]+$/.test(bare) ? stem(bare) : bare
}
