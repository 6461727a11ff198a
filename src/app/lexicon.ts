import { existsSync, readFileSync } from 'node:fs'
import type { Dictionaries } from '../search/translation.ts'
import { Dictionary, type Lexicon } from '../text/dictionary.ts'
import { WordRarity } from '../text/rarity.ts'

/** data/lexicon/SOURCE.md says where they come from. */
const FOLDER = new URL('../../data/lexicon/', import.meta.url)

/** Chinese words in English, and how their characters sound. Read when a question first needs it. */
export function openLexicon(): Lexicon {
  return {
    meanings: new Dictionary(() => bytesOf('zh-en.tsv')),
    readings: new Dictionary(() => bytesOf('pinyin.tsv')),
  }
}

/** How rare words are. Read with the first question. */
export function openWordRarity(): WordRarity {
  return new WordRarity(
    () => bytesOf('word-scores.tsv').toString(),
    new Dictionary(() => bytesOf('en-zh.tsv')),
  )
}

/** By which words are looked for in the other language. */
export function openDictionaries(): Dictionaries {
  return {
    zh: new Dictionary(() => bytesOf('zh-en.tsv')),
    en: new Dictionary(() => bytesOf('en-zh.tsv')),
  }
}

/** Nothing of a table that is not there: words then weigh alike, and languages are compared by names and vectors. */
function bytesOf(name: string): Buffer {
  const file = new URL(name, FOLDER)
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
}
