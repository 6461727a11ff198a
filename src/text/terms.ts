import { Analyzer } from './analyzer.ts'
import { CHINESE_FUNCTION_WORDS, ENGLISH_FUNCTION_WORDS } from './function-words.ts'
import { memoize } from './memoize.ts'
import { segmentText } from './segments.ts'

/** A unit of content; any of its forms matches. */
export type Term = {
  readonly anyOf: readonly string[]
  /** Original spelling, for display and rarity. */
  readonly text: string
  /** Word around a Chinese character. */
  readonly word: string
}

const HAN_RUN = /(\p{Script=Han}+)/u
const HAN_RUNS = /\p{Script=Han}{3,}/gu
/** Single capital as a name: `Room A`, A型, I类. */
const LETTER = /(?<=[\p{L}\p{N}] )A(?![\p{L}\p{N}'’-])/u
const LETTER_BESIDE_HAN = /(?<![\p{L}\p{N}])[AI](?![\p{L}\p{N}'’-])/u
const NUMBER = '(?:\\d+(?:\\.\\d+)*|[A-HJ-Z])'
/**
 * Names with a number or letter: `Aster 400`, `Rooms 12 and 14`, `Building C`, 8号楼; not the
 * pronoun `I`.
 */
const NUMBERED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<word>\\p{Script=Latin}{1,40})\\s(?<behind>${NUMBER}(?:(?:,? (?:and|or) |, | & |/)${NUMBER}){0,8})(?![\\p{Script=Latin}\\p{N}])|` +
    `(?<![\\p{Script=Latin}\\p{N}.,])(?<before>(?:\\d+|[A-Z])(?:[、,/和及与或](?:\\d+|[A-Z])){0,8})\\s?(?<of>\\p{Script=Han})`,
  'gu',
)
const EACH = new RegExp(NUMBER.replace('A-HJ-Z', 'A-Z'), 'g')

/** Days and months and their abbreviations (CLDR); 周, 星期 and 礼拜 are equal. */
const CALENDAR =
  'Sunday Monday Tuesday Wednesday Thursday Friday Saturday January February March April June July August September October November December'.split(
    ' ',
  )
const SHORT =
  /(?<![\p{L}\p{N}])(?:Sun|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?![\p{L}\p{N}])/gu
/** Excludes 三个星期一次, which names no Monday. */
const WEEKDAY = /(?<![个個\d一二两三四五六七八九十几])(?:星期|[礼禮]拜)(?<day>[日天一二三四五六])/gu

const ACRONYMS = /(?<![\p{L}\p{N}])(\p{Lu}{2,})s(?![\p{L}\p{N}])/gu

/** Shared, because it caches words. */
const ANALYZER = new Analyzer()
const FUNCTION_TERMS: ReadonlySet<string> = new Set(
  ANALYZER.listTerms([...ENGLISH_FUNCTION_WORDS].join(' ')),
)

/** Compares texts by English stems, pairs of Chinese characters, numbers and identifiers. */
export class Terms {
  /** Returns forms that match a text; 年休假 also matches 年假, numbered names are added complete. */
  readonly extract: (text: string) => ReadonlySet<string> = memoize(text => this.#read(text))

  #read(written: string): ReadonlySet<string> {
    const text = written.replace(ACRONYMS, '$1')
    const days = [...text.matchAll(WEEKDAY)].map(([day]) => toShortDay(day)).join('\n')
    const also = days === '' ? [] : ANALYZER.listTerms(days)
    const terms = new Set([
      ...ANALYZER.listTerms(text),
      ...also,
      ...this.numbered(text),
      ...findFullNames(text).values(),
    ])
    for (const [run] of text.normalize('NFKC').matchAll(HAN_RUNS)) {
      const letters = this.#splitCharacters(run)
      for (const [index, first] of letters.entries()) {
        const second = letters[index + 2]
        if (second !== undefined) terms.add(shortenPair(first, second))
      }
    }
    return terms
  }

  /** Matches a Chinese character with a neighbour, so no word list is needed. */
  listContent(text: string): readonly Term[] {
    const plain = text.normalize('NFKC').replace(ACRONYMS, '$1').replace(WEEKDAY, toShortDay)
    const runs = plain.split(HAN_RUN)
    const plainTerms = runs.length > 1 ? new Set(ANALYZER.listTerms(plain)) : undefined // a file extension in a name is no term
    const words = (run: string) =>
      this.#listWordTerms(run, plainTerms ? LETTER_BESIDE_HAN : LETTER).filter(
        term => plainTerms?.has(term.text) ?? true,
      )
    const terms = runs.flatMap(run => (HAN_RUN.test(run) ? this.#listHanTerms(run) : words(run)))
    return [...new Map(terms.map(term => [`${term.word} ${term.text}`, term])).values()]
  }

  /** Returns numbered names: `aster-400`, `building-c`, 8号; each of several. */
  readonly numbered: (text: string) => readonly string[] = memoize(text => this.#findNumbered(text))

  #findNumbered(text: string): readonly string[] {
    return [...text.normalize('NFKC').matchAll(NUMBERED)].flatMap(({ groups = {} }) => {
      const { word = '', behind, before, of: kind } = groups
      const each = ((behind ?? before)?.match(EACH) ?? []).map(adjective => adjective.toLowerCase())
      if (kind) return each.map(adjective => `${adjective}${ANALYZER.normalizeText(kind)}`)
      const stem = ANALYZER.listTerms(word)[0] ?? ''
      return FUNCTION_TERMS.has(stem) ? [] : each.map(adjective => `${stem}-${adjective}`)
    })
  }

  #listHanTerms(run: string): readonly Term[] {
    const words = segmentText(run).map(({ segment }) => segment)
    let content: string[] = []
    const runs = [content]
    for (const word of words) {
      if (isFunctionWord(word)) {
        content = []
        runs.push(content)
      } else content.push(word)
    }
    return runs.flatMap(each => this.#listCharacterTerms(each))
  }

  #listCharacterTerms(words: readonly string[]): readonly Term[] {
    const owners = words.flatMap(word => this.#splitCharacters(word).map(() => word))
    const letters = this.#splitCharacters(words.join(''))
    const [only = '', ...others] = letters
    if (letters.length === 1) return [{ anyOf: [only], text: only, word: owners[0] ?? only }]
    const forms = others.map((letter, index) => {
      const previous = letters[index] ?? ''
      return [previous + letter, shortenPair(previous, letter)]
    })
    return letters.map((text, index) => ({
      anyOf: forms.slice(Math.max(0, index - 1), index + 1).flat(),
      text,
      word: owners[index] ?? text,
    }))
  }

  #listWordTerms(run: string, name: RegExp): readonly Term[] {
    const letter = name.exec(run)?.[0].toLowerCase()
    const terms = ANALYZER.listTerms(run).filter(
      term => term === letter || !FUNCTION_TERMS.has(term),
    )
    const full = findFullNames(run)
    return terms.map(term => ({
      anyOf: [term, full.get(term) ?? []].flat(),
      text: term,
      word: term,
    }))
  }

  #splitCharacters(run: string): readonly string[] {
    return [...ANALYZER.normalizeText(run)]
  }
}

function toShortDay(name: string): string {
  const day = name.slice(-1)
  return `周${day === '天' ? '日' : day}`
}

function findFullNames(text: string): ReadonlyMap<string, string> {
  const short = text.match(SHORT) ?? []
  return new Map(
    short.flatMap(name => {
      const full = CALENDAR.find(month => month.startsWith(name.slice(0, 3)))
      const [term] = ANALYZER.listTerms(name)
      const [fullTerm] = ANALYZER.listTerms(full ?? '')
      return term !== undefined && fullTerm !== undefined ? [[term, fullTerm] as const] : []
    }),
  )
}

export function isContained({ anyOf }: Term, terms: ReadonlySet<string>): boolean {
  return anyOf.some(term => terms.has(term))
}

/** Words that the segmenter joins with a pronoun: 那是, 我想. */
const JOINED = /^([我你您他她它这那此其谁])(.+)$/u

function isFunctionWord(word: string): boolean {
  const rest = JOINED.exec(word)?.[2]
  return (
    CHINESE_FUNCTION_WORDS.has(word) || (rest !== undefined && CHINESE_FUNCTION_WORDS.has(rest))
  )
}

function shortenPair(first: string, second: string): string {
  return `${first}…${second}`
}
