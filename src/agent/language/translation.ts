import { Analyzer } from '../../search/analysis/analyzer.ts'
import { withRegularForms } from './irregular-forms.ts'
import { Lexicon } from './lexicon.ts'
import { type Terms, withoutQuestionWords } from './terms.ts'

/** A word of a question as texts in the other language may have it. */
export type AskedWord = {
  /** In characters, of which most Chinese words have two. */
  readonly weight: number
  /** What it may mean, each meaning as the terms of its English words. */
  readonly meanings: readonly (readonly string[])[]
}

/** An English word, or a name, weighs what most Chinese words do. */
const WORD_WEIGHT = 2

/** Longer words are also read as those they are made of: 采暖期 holds 采暖, the heating. */
const COMPOUND = 3
const LEAST_PART = 2

/** `几本`: what is counted by has no meaning of its own. */
const COUNTED = /(几|多少|哪几|哪|每)[个本次种名位项条件台家张份只辆间层页篇段款部]/gu

const HAN_RUN = /(\p{Script=Han}+)/u

/** Compares questions and texts in different languages by the English meanings of their words, as a lexicon has them. */
export class Translation {
  readonly #lexicon: Lexicon
  readonly #terms: Terms
  readonly #analyzer = new Analyzer()
  readonly #meanings = new Map<string, readonly (readonly string[])[]>()

  /** Without a lexicon, names and numbers alone are alike in both languages. */
  constructor(terms: Terms, lexicon: Lexicon = new Lexicon(() => '')) {
    this.#terms = terms
    this.#lexicon = lexicon
  }

  /** The telling words of a question. */
  asked(question: string): readonly AskedWord[] {
    const runs = withoutQuestionWords(question.normalize('NFKC').replace(COUNTED, '$1')).split(HAN_RUN)
    return runs.flatMap(run => (HAN_RUN.test(run) ? this.#askedInChinese(run) : this.#askedInEnglish(run)))
  }

  /** English terms of a text, those that its Chinese words stand for among them. */
  of(text: string): ReadonlySet<string> {
    const terms = new Set(this.#analyzer.terms(withRegularForms(text)))
    for (const run of this.#analyzer.plain(text).split(HAN_RUN)) {
      if (!HAN_RUN.test(run)) continue
      const words = this.#lexicon.words(run).flatMap(partsOf)
      for (const word of words)
        for (const meaning of this.#meaningsOf(word)) for (const term of meaning) terms.add(term)
    }
    return terms
  }

  #askedInChinese(run: string): readonly AskedWord[] {
    const words = this.#lexicon.words(this.#analyzer.plain(run))
    return words.map(word => ({ weight: word.length, meanings: this.#meaningsOf(word) }))
  }

  #askedInEnglish(run: string): readonly AskedWord[] {
    const points = this.#terms.pointsOf(withRegularForms(run)).filter(({ isOptional }) => !isOptional)
    return points.map(({ text }) => ({ weight: WORD_WEIGHT, meanings: [[text]] }))
  }

  #meaningsOf(word: string): readonly (readonly string[])[] {
    const known = this.#meanings.get(word)
    if (known) return known
    const meanings = this.#lexicon.meanings(word).map(meaning => this.#analyzer.terms(meaning))
    this.#meanings.set(word, meanings)
    return meanings
  }
}

/**
 * The share of the words, by weight, that stand among the terms, 0 to 1. Of a meaning of several terms the share of them, squared:
 * sick leave has only the leave of `annual leave`, which is what tells least.
 */
export function shareHeld(asked: readonly AskedWord[], terms: (term: string) => boolean): number {
  const total = asked.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return 0
  const held = ({ meanings }: AskedWord) =>
    Math.max(0, ...meanings.map(meaning => (meaning.filter(terms).length / Math.max(1, meaning.length)) ** 2))
  return asked.reduce((sum, word) => sum + word.weight * held(word), 0) / total
}

function partsOf(word: string): readonly string[] {
  if (word.length < COMPOUND) return [word]
  const parts = [word]
  for (let at = 0; at + LEAST_PART <= word.length; at++)
    for (let length = LEAST_PART; length < word.length && at + length <= word.length; length++)
      parts.push(word.slice(at, at + length))
  return parts
}
