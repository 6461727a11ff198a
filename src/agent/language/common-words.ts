import { type Language, languageOf } from '../../ingest/language.ts'
import { isHeld, type Terms } from './terms.ts'
import type { Translation } from './translation.ts'

/** Tells of a word whether it stands among the terms of a text. */
export type Wanted = (terms: ReadonlySet<string>) => boolean

/** How a claim is held against texts of one language. */
export type Comparison = {
  /** Its words are looked for by what they mean. */
  readonly isAcross: boolean
  /** The telling words of the claim. */
  readonly wanted: readonly Wanted[]
  /** The terms of a text that they are looked for among. */
  readonly termsOf: (text: string) => ReadonlySet<string>
}

/** Holds claims against texts: word by word in one language, by what words mean across languages. */
export class CommonWords {
  readonly #terms: Terms
  readonly #translation: Translation | undefined

  constructor(terms: Terms, translation?: Translation) {
    this.#terms = terms
    this.#translation = translation
  }

  comparison(claim: string, language: Language): Comparison {
    const translation = languageOf(claim) === language ? undefined : this.#translation
    return translation ? across(claim, translation) : within(claim, this.#terms)
  }

  /** The share of a claim's telling words that a text has, 0 to 1; `least` of them are needed to tell anything. */
  share(claim: string, text: string, least = 1): number {
    const { wanted, termsOf } = this.comparison(claim, languageOf(text))
    if (wanted.length < least) return 0
    const terms = termsOf(text)
    return wanted.filter(isHeld => isHeld(terms)).length / wanted.length
  }
}

function within(claim: string, terms: Terms): Comparison {
  const wanted = terms.pointsOf(claim).map(
    (point): Wanted =>
      held =>
        isHeld(point, held),
  )
  return { isAcross: false, wanted, termsOf: text => terms.of(text) }
}

/** Single characters are left out: names in Chinese letters fall apart into such. Of a meaning half is enough: 水泵 is a pump. */
function across(claim: string, translation: Translation): Comparison {
  const words = translation.asked(claim).filter(({ weight, meanings }) => weight > 1 && meanings.length > 0)
  const wanted = words.map(
    ({ meanings }): Wanted =>
      held =>
        meanings.some(
          meaning => meaning.length > 0 && meaning.filter(term => held.has(term)).length * 2 >= meaning.length,
        ),
  )
  return { isAcross: true, wanted, termsOf: text => translation.of(text) }
}
