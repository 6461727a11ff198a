import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Language } from '../../text/language.ts'
import { findOwnDate } from './document-dates.ts'
import { nameKind } from './document-kinds.ts'
import { nameLanguage } from './document-languages.ts'
import { getAddedDate, getIndexedDate, type Sorting } from './document-list.ts'
import type { DocumentOrder } from './inventory-grammar.ts'
import type {
  DateKind,
  DocumentConditions,
  DocumentSelection,
  InventoryQuestion,
} from './inventory-question.ts'

type Counts = { readonly matching: number; readonly total: number }

export function describeCount(
  language: Language,
  { matching, total }: Counts,
  selection: DocumentSelection,
): string {
  const conditions = describeSelection(language, selection)
  if (language === 'zh') {
    if (conditions === '') return `共有 ${total} 份文档`
    return matching === 0
      ? `${total} 份文档中没有符合条件的（${conditions}）`
      : `${total} 份文档中有 ${matching} 份符合条件（${conditions}）`
  }
  if (conditions === '') return total === 1 ? 'There is 1 document' : `There are ${total} documents`
  const share = matching === 0 ? 'None' : String(matching)
  return `${share} of ${total} ${total === 1 ? 'document' : 'documents'} (${conditions})`
}

function describeSelection(
  language: Language,
  { excluded = [], ...conditions }: DocumentSelection,
): string {
  const negated = excluded.flatMap(one => describeConditions(language, one))
  const negation = { zh: '排除', en: 'not ' }[language]
  return [
    ...describeConditions(language, conditions),
    ...negated.map(condition => `${negation}${condition}`),
  ].join(language === 'zh' ? '，' : ', ')
}

function describeConditions(
  language: Language,
  { kind, genre, folder, language: tag, period, topic }: DocumentConditions,
): readonly string[] {
  const isChinese = language === 'zh'
  const parts = [
    kind && nameKind(kind, language),
    tag && (isChinese ? nameLanguage(tag, 'zh') : `in ${nameLanguage(tag, 'en')}`),
    genre && (isChinese ? `名为“${genre}”` : `called “${genre}”`),
    folder && (isChinese ? `文件夹“${folder}”` : `folder “${folder}”`),
    period && describePeriod(language, period),
    topic && (isChinese ? `关于“${topic}”` : `about “${topic}”`),
  ]
  return parts.flatMap(part => part || [])
}

const EVENTS = {
  own: { zh: '文档日期', en: 'dated' },
  added: { zh: '添加时间', en: 'added' },
  changed: { zh: '添加或更改时间', en: 'added or changed' },
} as const

function describePeriod(
  language: Language,
  { of, from, until }: NonNullable<DocumentSelection['period']>,
): string {
  const event = EVENTS[of][language]
  if (from !== undefined && from === until) return `${event} ${from}`
  if (language === 'zh') {
    if (from === undefined) return `${event}截至 ${until}`
    return until === undefined ? `${event}自 ${from} 起` : `${event} ${from} 至 ${until}`
  }
  if (from === undefined) return `${event} until ${until}`
  return until === undefined ? `${event} since ${from}` : `${event} from ${from} to ${until}`
}

type Described = {
  readonly language: Language
  readonly wants: InventoryQuestion['wants']
  /** Date that the question is about; the document's own if absent. */
  readonly by?: DateKind
  readonly label: string
}

export function describeDocument(
  document: Document,
  { language, wants, by, label }: Described,
): string {
  const { title, name, pages } = document
  const called = title && title !== name ? `${title} (${label})` : label
  const facts = [
    pages && (language === 'zh' ? `${pages} 页` : `${pages} ${pages === 1 ? 'page' : 'pages'}`),
    describeSize(language, document, wants),
    describeDate(language, document, by),
  ]
  const stated = facts.filter(Boolean)
  return language === 'zh' ? `${called}（${stated.join('，')}）` : `${called}: ${stated.join(', ')}`
}

function describeSize(
  language: Language,
  { tokens, bytes }: Document,
  wants: InventoryQuestion['wants'],
): string | undefined {
  const count = new Intl.NumberFormat('en')
  if (wants === 'longest' || wants === 'shortest')
    return language === 'zh' ? `${count.format(tokens)} 词元` : `${count.format(tokens)} tokens`
  if (wants !== 'largest' && wants !== 'smallest') return undefined
  return `${count.format(Math.ceil(bytes / 1000))} kB`
}

function describeDate(language: Language, document: Document, by: DateKind = 'own'): string {
  const own = findOwnDate(document)
  if (by === 'own' && own !== undefined) return own.formatted
  const added = getAddedDate(document)
  const indexed = getIndexedDate(document)
  if (by === 'changed' && indexed !== added)
    return language === 'zh' ? `${indexed} 更改` : `changed ${indexed}`
  return language === 'zh' ? `${added} 添加` : `added ${added}`
}

const ORDER_NAMES: Readonly<Record<DocumentOrder, Readonly<Record<Language, string>>>> = {
  newest: { zh: '按文档自身的日期，最新的：', en: 'Newest by its own date:' },
  oldest: { zh: '按文档自身的日期，最早的：', en: 'Oldest by its own date:' },
  longest: { zh: '文字最多的：', en: 'Longest text:' },
  shortest: { zh: '文字最少的：', en: 'Shortest text:' },
  largest: { zh: '文件最大的：', en: 'Largest file:' },
  smallest: { zh: '文件最小的：', en: 'Smallest file:' },
}

const EVENT_ORDER_NAMES = {
  newest: {
    added: { zh: '最后添加的：', en: 'Last added:' },
    changed: { zh: '最后添加或更改的：', en: 'Last added or changed:' },
  },
  oldest: {
    added: { zh: '最先添加的：', en: 'First added:' },
    changed: { zh: '最久未更改的：', en: 'Unchanged for the longest time:' },
  },
} as const

export function describeOrder(language: Language, { order, by = 'own' }: Sorting): string {
  const isByEvent = (order === 'newest' || order === 'oldest') && by !== 'own'
  return isByEvent ? EVENT_ORDER_NAMES[order][by][language] : ORDER_NAMES[order][language]
}

export function describeAddedOrder(language: Language, order: 'newest' | 'oldest'): string {
  const note = { zh: '文档都没有写明日期；', en: 'No document states a date. ' }[language]
  return note + EVENT_ORDER_NAMES[order].added[language]
}

export function describeUndated(language: Language, count: number): string {
  if (language === 'zh') return `有 ${count} 份文档没有写明日期。`
  return count === 1 ? '1 document states no date.' : `${count} documents state no date.`
}

export function describeUndetermined(language: Language, count: number): string {
  if (language === 'zh') return `有 ${count} 份文档文字太少，无法判断语言。`
  return count === 1
    ? '1 document is too short to tell its language.'
    : `${count} documents are too short to tell their language.`
}

export function describeLeftOut(
  language: Language,
  labels: readonly string[],
  more: number,
): string {
  const names = labels.join(language === 'zh' ? '、' : ', ')
  if (language === 'zh')
    return `以下文档也相关，但未引用：${names}${more > 0 ? `，另有 ${more} 份` : ''}。`
  return `Also about this, but not quoted: ${names}${more > 0 ? ` and ${more} more` : ''}.`
}

export function describeMoreDocuments(language: Language, more: number): string {
  if (language === 'zh') return `另有 ${more} 份，未在此列出。`
  return more === 1 ? '1 more is not listed here.' : `${more} more are not listed here.`
}
