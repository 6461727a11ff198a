import type { Language } from '../text/language.ts'

type Phrase = Readonly<Record<Language, string>>

/** The one sentence of an answer that is none; a model is asked to use it, and recognised by it. */
export const ABSTENTION: Phrase = { zh: '文档中没有说明。', en: 'The documents do not say.' }

/** Before an extractive answer: what follows is quoted, not written. */
export const VERBATIM: Phrase = { zh: '文档原文：', en: "In the documents' own words:" }

/** The same, where what is quoted is in the other language. */
export const VERBATIM_ACROSS: Phrase = {
  zh: '文档原文（英文）：',
  en: "In the documents' own words (Chinese):",
}

/** In front of one of several quotations that is in the other language. */
export const IN_OTHER_LANGUAGE: Phrase = { zh: '（英文）', en: '(Chinese) ' }

/** Before the headings of a document. */
export const SECTIONS: Phrase = { zh: '章节：', en: 'Sections: ' }

/** Of a part of a question that nothing is quoted for; it may be that what is quoted for another part says it. */
export function phraseNothingMore(language: Language, part: string): string {
  return language === 'zh'
    ? `关于“${part}”：除引文外，${ABSTENTION.zh}`
    : `On “${part}”: The documents do not say more than is quoted.`
}

/** Under quotations, where more was found than is quoted. */
export function phraseMorePassages(language: Language, more: number): string {
  if (language === 'zh') return `另有 ${more} 处，未在此列出；问得更具体一些，就能看到其余各处。`
  if (more === 1) return '1 more passage was found; a narrower question shows it.'
  return `${more} more passages were found; a narrower question shows them.`
}

/** Under an overview that leaves documents out. */
export function phraseMore(language: Language, shown: number, total: number): string {
  if (language === 'zh')
    return `共 ${total} 份文档，以上是其中 ${shown} 份；问到具体文件名时只介绍该文件。`
  return `There are ${total} documents; these are ${shown} of them. Name one to hear about it alone.`
}
