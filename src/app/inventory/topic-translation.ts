import type { Dictionaries } from '../../search/translation.ts'
import { Analyzer } from '../../text/analyzer.ts'
import { ENGLISH_FUNCTION_WORDS } from '../../text/function-words.ts'
import { openDictionaries } from '../lexicon.ts'

/** Words of an English entry. */
const MAX_WORDS = 3
/** Each is searched for. */
const MAX_TRANSLATIONS = 3
/** Letters of `ies`. */
const MAX_ENDING = 3

const HAN = /\p{Script=Han}/u

export class TopicTranslation {
  readonly #analyzer = new Analyzer()
  readonly #dictionaries: Dictionaries = openDictionaries()

  /** Returns each meaning of one entry, or words in a row. */
  translate(topic: string): readonly string[] {
    const isChinese = HAN.test(topic)
    const words = isChinese ? this.#splitChinese(topic) : (topic.match(/[\p{L}\p{N}'-]+/gu) ?? [])
    const translated: (readonly string[])[] = []
    let isTranslated = false
    for (let index = 0; index < words.length; ) {
      const { count, meanings } = this.#findEntry(words.slice(index, index + MAX_WORDS), isChinese)
      const written = words.slice(index, index + count).join(' ')
      if (meanings.length > 0) isTranslated = true
      if (meanings.length > 0 || !isFunctionWord(written))
        translated.push(meanings.length > 0 ? meanings : [written])
      index += count
    }
    if (!isTranslated) return []
    const [only = [], ...others] = translated
    if (others.length === 0) return only.slice(0, MAX_TRANSLATIONS)
    return [translated.map(([first = '']) => first).join(' ')]
  }

  #splitChinese(topic: string): readonly string[] {
    return (topic.match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? []).flatMap(run =>
      HAN.test(run) ? this.#dictionaries.zh.splitWords(run) : [run],
    )
  }

  #findEntry(words: readonly string[], isChinese: boolean) {
    for (let count = isChinese ? 1 : words.length; count > 0; count--) {
      const written = words.slice(0, count).join(' ')
      const meanings = isChinese ? this.#findEnglish(written) : this.#findChinese(written)
      if (meanings.length > 0) return { count, meanings }
    }
    return { count: 1, meanings: [] }
  }

  #findEnglish(word: string): readonly string[] {
    if ([...word].length < 2) return []
    const meanings = this.#dictionaries.zh.findMeanings(word)
    const same = meanings.filter(meaning => this.#findByStem(meaning).includes(word))
    return same.length > 0 ? same : meanings.slice(0, 1)
  }

  /** Leaves out what only a word of the same stem means: 记者 for `report`. */
  #findChinese(written: string): readonly string[] {
    if (isFunctionWord(written)) return []
    const found = this.#findByStem(written).filter(word => [...word].length > 1)
    return found.filter(word =>
      this.#dictionaries.zh.findMeanings(word).some(meaning => isInflected(written, meaning)),
    )
  }

  #findByStem(text: string): readonly string[] {
    return this.#dictionaries.en.findMeanings(this.#analyzer.listSequence(text).join(' '))
  }
}

function isFunctionWord(word: string): boolean {
  return ENGLISH_FUNCTION_WORDS.has(word.toLowerCase())
}

function isInflected(written: string, meaning: string): boolean {
  const word = written.toLowerCase()
  const ending = word.length - meaning.length
  return (
    word === meaning ||
    (ending > 0 && ending <= MAX_ENDING && word.startsWith(meaning.slice(0, -1)))
  )
}
