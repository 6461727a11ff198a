import { readFileSync } from 'node:fs'
import { Lexicon } from '../agent/language/lexicon.ts'
import { WordScores } from '../agent/language/word-scores.ts'

/** data/lexicon/SOURCE.md says where they come from. */
const FOLDER = new URL('../../data/lexicon/', import.meta.url)

/** Chinese words in English. Read when a question first needs it. */
export function openLexicon(): Lexicon {
  return new Lexicon(() => readFileSync(new URL('zh-en.tsv', FOLDER), 'utf8'))
}

/** How common words are. Read with the first question. */
export function openWordScores(): WordScores {
  return new WordScores(() => readFileSync(new URL('word-scores.tsv', FOLDER), 'utf8'))
}
