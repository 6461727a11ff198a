import { stem } from 'porter2'
import { findIdentifiers, findNamedFiles } from './identifiers.ts'
import { memoize } from './memoize.ts'
import { toSimplified, toSimplifiedCharacter } from './simplified.ts'
import { findDays, findIndexedValues, findValues } from './values.ts'
import { IS_UNSPACED, TOKEN, UNSPACED } from './word-tokens.ts'

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

/** Cached words; protects memory. */
const MAX_WORDS = 50_000
/** V8 copies slices up to this length; a longer one would keep its text in memory. */
const MAX_WORD_CHARS = 12

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
  readonly #wordTerms = new Map<string, readonly string[]>()

  /** Includes stop words. Complete identifiers occur once. */
  listTerms(text: string): readonly string[] {
    const normal = text.normalize('NFKC')
    const identifiers = findIdentifiers(normal, character =>
      toSimplifiedCharacter(character.codePointAt(0) ?? 0),
    )
    const terms = this.#listPlain(normal)
    for (const term of new Set(identifiers.map(stemPlain))) terms.push(term)
    return terms
  }

  listIndexTerms(text: string): readonly string[] {
    const normal = toSimplified(text.normalize('NFKC'))
    return [...this.listTerms(text), ...[...findIndexedValues(normal)].map(stemPlain)]
  }

  /** Joins words and extension, which alone would find every file. */
  listNameTerms(name: string): readonly string[] {
    const [extension = ''] = /\.[^.]+$/.exec(name.toLowerCase()) ?? []
    if (extension === '') return []
    return this.listTerms(name.slice(0, -extension.length)).map(term => term + extension)
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
    return this.#listPlain(text.normalize('NFKC'))
  }

  /** Applies NFKC, lower case, Simplified, single spaces, none between unspaced characters. */
  normalizeText(text: string): string {
    const folded = toSimplified(text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'"))
    if (!/\s/.test(folded)) return folded
    const single = UNUSUAL_BLANK.test(folded) ? folded.replace(/\s+/g, ' ') : folded
    return single.replace(BLANK_BETWEEN_CHARACTERS, '').trim()
  }

  #listPlain(normal: string): string[] {
    const terms: string[] = []
    const text = normal.toLowerCase()
    for (const token of text.match(TOKEN) ?? []) {
      if (IS_UNSPACED.test(token)) addRun(terms, token)
      else for (const term of this.#stemCached(token)) terms.push(term)
    }
    return terms
  }

  #isStopWord(term: string): boolean {
    return HAN_STOP_CHARACTERS.has(term) || this.#getEnglishStops().has(term)
  }

  #stops: ReadonlySet<string> | undefined

  #getEnglishStops(): ReadonlySet<string> {
    this.#stops ??= new Set([...ENGLISH_STOP_WORDS].map(stemPlain))
    return this.#stops
  }

  #stemCached(word: string): readonly string[] {
    const cached = this.#wordTerms.get(word)
    if (cached) return cached
    const terms = stemWord(word)
    if (this.#wordTerms.size === MAX_WORDS) this.#wordTerms.clear()
    if (word.length <= MAX_WORD_CHARS) this.#wordTerms.set(word, terms)
    return terms
  }
}

function addRun(terms: string[], run: string): void {
  let before = ''
  for (const letter of run) {
    const character = toSimplifiedCharacter(letter.codePointAt(0) ?? 0)
    if (before) terms.push(before + character)
    terms.push(character)
    before = character
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
