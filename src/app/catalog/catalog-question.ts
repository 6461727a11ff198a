import { type Period, parsePeriod } from '../../search/periods.ts'
import type { Language } from '../../text/language.ts'
import { toSimplified } from '../../text/simplified.ts'
import type { CatalogForms, DocumentOrder } from './catalog-forms.ts'
import { CHINESE_FORMS } from './chinese-forms.ts'
import { type DocumentKind, findKind } from './document-kinds.ts'
import { ENGLISH_FORMS } from './english-forms.ts'

/** Dates of a period: the document's own, of its addition, or of either change. */
export const DATE_KINDS = ['own', 'added', 'changed'] as const
type DateKind = (typeof DATE_KINDS)[number]

/** Period that may be open at one end. */
export type DateRange = { readonly [End in keyof Period]?: Period[End] | undefined }

export type DocumentSelection = {
  readonly kind?: DocumentKind | undefined
  /** Part of the path of a folder. */
  readonly folder?: string | undefined
  readonly period?: (DateRange & { readonly of: DateKind }) | undefined
  /** Searched for; documents with a hit that is not weak are about it. */
  readonly topic?: string | undefined
}

/** Question about the documents themselves, not about what they state. */
export type CatalogQuestion = {
  readonly language: Language
  readonly wants: 'count' | 'list' | 'changes' | 'summary' | DocumentOrder
  readonly limit?: number
  readonly selection: DocumentSelection
}

/** Keyed by the names of groups. */
type Groups = Readonly<Record<string, string | undefined>>

/** Length of a question about a collection; bounds the work of the patterns. */
const MAX_CHARS = 200

/**
 * Parses a question about the collection, or returns undefined. The complete question must be a
 * form, so that "which documents must I bring?" is none.
 */
export function parseCatalogQuestion(
  text: string,
  language: Language,
  now = new Date(),
): CatalogQuestion | undefined {
  const grammar = language === 'zh' ? CHINESE_FORMS : ENGLISH_FORMS
  const bare = toSimplified(text.normalize('NFKC'))
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\s.?!。？！]+$/u, '')
    .replace(grammar.courtesy, '')
  if (bare === '' || bare.length > MAX_CHARS) return undefined
  for (const { wants, pattern } of grammar.forms) {
    const groups = pattern.exec(bare)?.groups
    const question = groups && readForm(wants, groups, { grammar, now })
    if (question) return question
  }
  return undefined
}

type Reading = { readonly grammar: CatalogForms; readonly now: Date }

function readForm(
  form: CatalogForms['forms'][number]['wants'],
  groups: Groups,
  reading: Reading,
): CatalogQuestion | undefined {
  const { language, orders, numerals } = reading.grammar
  const conditions = readConditions(groups, reading)
  if (!conditions) return undefined
  const format = groups.noun?.replace(reading.grammar.documentWords, '').trim() ?? ''
  const kind = findKind(format)
  if (format !== '' && !kind) return undefined
  const selection = { ...(kind && { kind }), ...conditions }
  if (form !== 'order') return { language, wants: form, selection }
  const wants = orders.find(([pattern]) => pattern.test(groups.order ?? ''))?.[1]
  if (!wants) return undefined
  const written = groups.number?.toLowerCase() ?? ''
  const limit = numerals[written] ?? (/^\d{1,3}$/.test(written) ? Number(written) : undefined)
  return { language, wants, selection, ...(limit && { limit }) }
}

/** Reads the conditions of a form and those behind its noun; undefined if words remain. */
function readConditions(groups: Groups, reading: Reading): DocumentSelection | undefined {
  const own = readCondition(groups, reading)
  if (own?.rest !== '') return undefined
  let selection = own.selection
  let rest = (groups.rest ?? '').trim()
  while (rest !== '') {
    const next = findCondition(rest, reading)
    if (!next || next.rest.length >= rest.length) return undefined
    selection = { ...selection, ...next.selection }
    rest = next.rest
  }
  return selection
}

type Condition = { readonly selection: DocumentSelection; readonly rest: string }

function findCondition(text: string, reading: Reading): Condition | undefined {
  for (const pattern of reading.grammar.conditions) {
    const match = pattern.exec(text)
    const condition = match && readCondition(match.groups ?? {}, reading)
    if (condition)
      return { ...condition, rest: `${condition.rest} ${text.slice(match[0].length)}`.trim() }
  }
  return undefined
}

function readCondition(groups: Groups, { grammar, now }: Reading): Condition | undefined {
  const topic = stripQuotes(groups.topic)
  const folder = stripQuotes(groups.folder)
  const named = { ...(topic && { topic }), ...(folder && { folder }) }
  if (groups.date === undefined) return { selection: named, rest: '' }
  const found = findPeriod(groups.date, now)
  if (!found) return undefined
  const range = readRange(groups.relation ?? '', found.period, grammar)
  const period = { ...range, of: readDateKind(groups.event ?? '', grammar) }
  return { selection: { ...named, period }, rest: found.rest }
}

/** Finds the longest beginning that is a period. */
function findPeriod(text: string, now: Date) {
  const words = text.trim().split(' ')
  for (let count = words.length; count > 0; count--) {
    const period = parsePeriod(words.slice(0, count).join(' '), now)
    if (period) return { period, rest: words.slice(count).join(' ') }
  }
  return undefined
}

function readRange(relation: string, period: Period, grammar: CatalogForms): DateRange {
  if (grammar.since.test(relation)) return { from: period.from }
  if (grammar.after.test(relation)) return { from: period.until }
  return grammar.before.test(relation) ? { until: period.from } : period
}

function readDateKind(event: string, { added, changed }: CatalogForms): DateKind {
  if (added.test(event)) return 'added'
  return changed.test(event) ? 'changed' : 'own'
}

function stripQuotes(text: string | undefined): string | undefined {
  return text?.trim().replace(/^["'“”‘’「」『』《》`]+|["'“”‘’「」『』《》`]+$/gu, '')
}
