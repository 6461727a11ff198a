import { readFileSync } from 'node:fs'
import { Lexicon } from '../agent/language/lexicon.ts'

/** Chinese words in English; data/lexicon/SOURCE.md says where they come from. Read when a question first needs it. */
export const LEXICON = new Lexicon(() => readFileSync(new URL('../../data/lexicon/zh-en.tsv', import.meta.url), 'utf8'))
