import { readFileSync } from 'node:fs'
import { Lexicon } from '../agent/language/lexicon.ts'

const FILE = new URL('../../data/lexicon/zh-en.tsv', import.meta.url)

/** Chinese words in English; data/lexicon/SOURCE.md says where they come from. Read when a question first needs it. */
export function openLexicon(): Lexicon {
  return new Lexicon(() => readFileSync(FILE, 'utf8'))
}
