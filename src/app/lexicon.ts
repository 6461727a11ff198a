import { existsSync, readFileSync } from 'node:fs'
import type { Dictionaries } from '../search/translation.ts'
import { Dictionary, type Lexicon } from '../text/dictionary.ts'
import { WordRarity } from '../text/rarity.ts'

/** data/lexicon/SOURCE.md states its origin. */
const FOLDER = new URL('../../data/lexicon/', import.meta.url)

export function openLexicon(): Lexicon {
  return {
    meanings: new Dictionary(() => readTable('zh-en.tsv')),
    readings: new Dictionary(() => readTable('pinyin.tsv')),
    antonyms: new Dictionary(() => readTable('antonyms.tsv')),
  }
}

export function openWordRarity(): WordRarity {
  return new WordRarity(() => readTable('word-scores.tsv').toString())
}

export function openDictionaries(): Dictionaries {
  return {
    zh: new Dictionary(() => readTable('zh-en.tsv')),
    en: new Dictionary(() => readTable('en-zh.tsv')),
  }
}

/** Returns nothing for a missing table: words then weigh the same. */
function readTable(name: string): Buffer {
  const file = new URL(name, FOLDER)
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
}
