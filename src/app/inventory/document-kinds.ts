import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Language } from '../../text/language.ts'

type Kind = {
  readonly names: Readonly<Record<Language, string>>
  readonly words: RegExp
  readonly mediaType: RegExp
}

const KINDS = {
  pdf: {
    names: { zh: 'PDF', en: 'PDF' },
    words: /^pdfs?$/iu,
    mediaType: /^application\/pdf$/,
  },
  word: {
    names: { zh: 'Word', en: 'Word' },
    words: /^(?:word|docx?|odt|rtf)s?$/iu,
    mediaType:
      /^application\/(?:msword|rtf|vnd\.(?:openxmlformats-officedocument\.wordprocessingml|oasis\.opendocument\.text).*)$/,
  },
  spreadsheet: {
    names: { zh: '表格', en: 'spreadsheet' },
    words: /^(?:spreadsheet|excel|xlsx?|csv|ods|电子表格|表格)s?$/iu,
    mediaType:
      /^(?:text\/(?:csv|tab-separated-values)|application\/vnd\.(?:ms-excel.*|openxmlformats-officedocument\.spreadsheetml.*|oasis\.opendocument\.spreadsheet.*))$/,
  },
  presentation: {
    names: { zh: '演示文稿', en: 'presentation' },
    words: /^(?:presentation|powerpoint|pptx?|odp|slide deck|幻灯片|演示文稿)s?$/iu,
    mediaType:
      /^application\/vnd\.(?:ms-powerpoint.*|openxmlformats-officedocument\.presentationml.*|oasis\.opendocument\.presentation.*)$/,
  },
  email: {
    names: { zh: '邮件', en: 'e-mail' },
    words: /^(?:e-?mail|邮件|电子邮件)s?$/iu,
    mediaType: /^(?:message\/rfc822|application\/(?:mbox|vnd\.ms-outlook))$/,
  },
  webpage: {
    names: { zh: '网页', en: 'web page' },
    words: /^(?:web ?page|html?|网页)s?$/iu,
    mediaType: /^(?:text\/html|application\/xhtml\+xml)$/,
  },
  image: {
    names: { zh: '图片', en: 'image' },
    words: /^(?:(?:scanned )?(?:image|picture|photo|scan)|图片|照片|扫描件)s?$/iu,
    mediaType: /^image\//,
  },
  markdown: {
    names: { zh: 'Markdown', en: 'Markdown' },
    words: /^(?:markdown|md)s?$/iu,
    mediaType: /^text\/(?:x-(?:web-)?)?markdown$/,
  },
  ebook: {
    names: { zh: '电子书', en: 'e-book' },
    words: /^(?:e-?book|epub|电子书)s?$/iu,
    mediaType: /^application\/epub\+zip$/,
  },
  text: {
    names: { zh: '文本', en: 'text' },
    words: /^(?:text|txt|plain text|文本)s?$/iu,
    mediaType: /^text\/plain$/,
  },
} as const satisfies Readonly<Record<string, Kind>>

export type DocumentKind = keyof typeof KINDS

export const DOCUMENT_KINDS = Object.keys(KINDS).filter(isKind)

function isKind(name: string): name is DocumentKind {
  return Object.hasOwn(KINDS, name)
}

export function findKind(word: string): DocumentKind | undefined {
  return DOCUMENT_KINDS.find(kind => KINDS[kind].words.test(word.trim()))
}

export function detectKind({ mediaType }: Pick<Document, 'mediaType'>): DocumentKind | undefined {
  const [bare = ''] = mediaType.split(';')
  return DOCUMENT_KINDS.find(kind => KINDS[kind].mediaType.test(bare.trim()))
}

export function nameKind(kind: DocumentKind, language: Language): string {
  return KINDS[kind].names[language]
}
