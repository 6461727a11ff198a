import type { Language } from '../text/language.ts'

type Phrase = Readonly<Record<Language, string>>

/** Requested from models, too. It claims only that nothing was found. */
export const ABSTENTION: Phrase = {
  zh: '在文档中没有找到答案。',
  en: 'The answer was not found in the documents.',
}

export const VERBATIM: Phrase = { zh: '文档原文：', en: "In the documents' own words:" }

/** Introduces quotations in the other language. */
export const VERBATIM_ACROSS: Phrase = {
  zh: '文档原文（英文）：',
  en: "In the documents' own words (Chinese):",
}

export const IN_OTHER_LANGUAGE: Phrase = { zh: '（英文）', en: '(Chinese) ' }

export const SECTIONS: Phrase = { zh: '章节：', en: 'Sections: ' }

export function writeNothingMore(language: Language, part: string): string {
  return language === 'zh' ? `没有找到“${part}”的答案。` : `No answer was found for “${part}”.`
}

export function writeMorePassages(language: Language, more: number): string {
  if (language === 'zh') return `另有 ${more} 处，未在此列出；问得更具体一些，就能看到其余各处。`
  if (more === 1) return '1 more passage was found; a narrower question shows it.'
  return `${more} more passages were found; a narrower question shows them.`
}

export function writeMore(language: Language, listed: number, total: number): string {
  if (language === 'zh')
    return `共 ${total} 份文档，以上是其中 ${listed} 份；问到具体文件名时只介绍该文件。`
  return `There are ${total} documents; these are ${listed} of them. Name one to hear about it alone.`
}
