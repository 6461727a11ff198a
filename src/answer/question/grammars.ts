import type { Language } from '../../text/language.ts'
import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'
import type { Grammar } from './grammar.ts'

export const GRAMMARS: Readonly<Record<Language, Grammar>> = { zh: CHINESE, en: ENGLISH }
