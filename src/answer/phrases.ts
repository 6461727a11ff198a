import type { Aggregate } from '../ingest/parse/tables/table.ts'
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
export function nothingMoreOn(language: Language, part: string): string {
  return language === 'zh'
    ? `关于“${part}”：除引文外，${ABSTENTION.zh}`
    : `On “${part}”: The documents do not say more than is quoted.`
}

/** Under quotations, where more was found than is quoted. */
export function andMorePassages(language: Language, more: number): string {
  if (language === 'zh') return `另有 ${more} 处，未在此列出；问得更具体一些，就能看到其余各处。`
  if (more === 1) return '1 more passage was found; a narrower question shows it.'
  return `${more} more passages were found; a narrower question shows them.`
}

/** Over an answer, where a word of the question was taken for a slip. */
export function readAs(language: Language, written: string, read: string): string {
  return language === 'zh'
    ? `问题中的“${written}”按“${read}”理解。`
    : `“${written}” was read as “${read}”.`
}

const UNDECIDED: Readonly<Record<'notation' | 'scale', Phrase>> = {
  notation: {
    zh: '的数字有两种读法（1.234 可能是 1234），因此没有据此比较或合计。',
    en: 'may be read in two ways (1.234 may be 1234): they are not compared or added up.',
  },
  scale: {
    zh: '的数值单位不一，或者只是范围、约数，因此没有据此比较或合计。',
    en: 'are in several units, or are ranges or approximate: they are not compared or added up.',
  },
}

/** Before an answer or a refusal, if the numbers of a column do not decide the question. */
export function undecidedBy(
  language: Language,
  column: string,
  reason: keyof typeof UNDECIDED,
): string {
  const told = UNDECIDED[reason][language]
  return language === 'zh' ? `“${column}”一列${told}` : `The numbers under “${column}” ${told}`
}

/** Under an overview that leaves documents out. */
export function andMore(language: Language, shown: number, total: number): string {
  if (language === 'zh')
    return `共 ${total} 份文档，以上是其中 ${shown} 份；问到具体文件名时只介绍该文件。`
  return `There are ${total} documents; these are ${shown} of them. Name one to hear about it alone.`
}

/** Over rows of a data sheet, which of its things the question is answered by. */
export function byTable(language: Language, things: readonly string[]): string {
  return language === 'zh' ? `按表格：${things.join('、')}` : `By the table: ${things.join(', ')}`
}

const WORKED_OUT: Readonly<Record<Exclude<Aggregate, 'count'>, Phrase>> = {
  sum: { zh: '按表格合计', en: 'Sum' },
  average: { zh: '按表格平均', en: 'Average' },
}

const COUNTED: Readonly<Record<Work['of'], Phrase>> = {
  rows: { zh: '按表格计数，行数', en: 'Rows, counted in the table' },
  columns: { zh: '按表格计数，列数', en: 'Columns, counted in the table' },
}

/** What was worked out of how many rows of how many, or columns of a data sheet, and by which conditions. */
type Work = {
  readonly what: Aggregate
  readonly value: string
  /** What the numbers are called. */
  readonly called: string
  readonly of: 'rows' | 'columns'
  readonly found: number
  readonly among: number
  readonly conditions: readonly string[]
}

/** Over rows of which something was worked out. */
export function workedOut(
  language: Language,
  { what, value, called, of, found, among, conditions }: Work,
): string {
  const isChinese = language === 'zh'
  const where = conditions.join(isChinese ? '；' : '; ')
  const told = where && (isChinese ? `（${where}）` : ` (${where})`)
  if (what === 'count')
    return `${COUNTED[of][language]}${isChinese ? `：${value}，共 ${among}` : `: ${value} of ${among}`}${told}`
  const name = WORKED_OUT[what][language]
  if (!isChinese)
    return `${called ? `${name} of ${called}` : name}: ${value}, from ${found} of ${among} ${of}${told}`
  const line = of === 'rows' ? '行' : '列'
  return `${called ? `${name}（${called}）` : name}：${value}，${among} ${line}中的 ${found} ${line}${told}`
}

const FLAGS: Readonly<Record<Language, readonly [no: string, yes: string]>> = {
  zh: ['否', '是'],
  en: ['no', 'yes'],
}

/** A condition on a column: `Stocked: yes`, `Price: under 20 EUR`. */
export function conditionTold(language: Language, column: string, told: string | boolean): string {
  const text = typeof told === 'boolean' ? FLAGS[language][told ? 1 : 0] : told
  return [column, text].filter(Boolean).join(language === 'zh' ? '：' : ': ')
}

export function without(language: Language, words: string): string {
  return language === 'zh' ? `不含${words}` : `without ${words}`
}
