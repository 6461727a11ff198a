import type { Period } from '../../search/periods.ts'
import type { Language } from '../../text/language.ts'
import { toSimplified } from '../../text/simplified.ts'
import { type CatalogGrammar, type DocumentOrder, ORDERS, type Role } from './catalog-grammar.ts'
import { CHINESE_GRAMMAR } from './chinese-grammar.ts'
import { type DocumentKind, findKind } from './document-kinds.ts'
import { ENGLISH_GRAMMAR } from './english-grammar.ts'
import { listParses, type Part } from './question-parts.ts'

/** Dates of a period: the document's own, of its addition, or of either change. */
export const DATE_KINDS = ['own', 'added', 'changed'] as const
export type DateKind = (typeof DATE_KINDS)[number]

export type DateRange = { readonly [End in keyof Period]?: Period[End] | undefined }

export type DocumentSelection = {
  readonly kind?: DocumentKind | undefined
  /** Noun that the title, the name or the folder ends with, such as `report`. */
  readonly genre?: string | undefined
  /** Primary BCP 47 tag, such as `zh`. */
  readonly language?: string | undefined
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
  /** Date that "newest" and "oldest" are by; the document's own if absent. */
  readonly by?: DateKind
  readonly limit?: number
  readonly isSorted?: true
  readonly byLanguage?: true
  readonly selection: DocumentSelection
}

/** Bounds the work of the parser. */
const MAX_CHARS = 200
/** Documents that "the latest files" names, as many as one looks over. */
const RECENT_DOCUMENTS = 10
/** Longest period that "what changed" without a noun is about: a month. */
const MAX_CHANGE_DAYS = 31
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Returns undefined unless all words are terms of the grammar, so that "which documents must I
 * bring?" is none.
 */
export function parseCatalogQuestion(
  text: string,
  language: Language,
  now = new Date(),
): CatalogQuestion | undefined {
  const grammar = language === 'zh' ? CHINESE_GRAMMAR : ENGLISH_GRAMMAR
  const written = toSimplified(text.normalize('NFKC')).replace(/\s+/gu, ' ').trim()
  if (written.length > MAX_CHARS) return undefined
  const bare = grammar.normalize(written.replace(/[\s.?!。？！]+$/u, '')).trim()
  for (const parts of listParses(bare, grammar, now)) {
    const question = new Reading(parts, grammar).toQuestion()
    if (question) return question
  }
  return undefined
}

type Order = Pick<CatalogQuestion, 'wants' | 'by' | 'limit' | 'isSorted'>

class Reading {
  readonly #parts: readonly Part[]
  readonly #grammar: CatalogGrammar

  constructor(parts: readonly Part[], grammar: CatalogGrammar) {
    this.#parts = parts
    this.#grammar = grammar
  }

  toQuestion(): CatalogQuestion | undefined {
    const selection = this.#readSelection()
    if (!selection) return undefined
    const { language } = this.#grammar
    const order = this.#readOrder()
    if (order === 'unclear') return undefined
    if (order) return this.#hasDocuments() ? { language, ...order, selection } : undefined
    if (this.#has('measure')) return undefined
    const wants = this.#readRequest(selection)
    if (wants === 'changes' && !selection.period)
      return { language, wants: 'newest', by: 'changed', limit: RECENT_DOCUMENTS, selection }
    if (!wants) return undefined
    return { language, wants, ...(this.#has('languages') && { byLanguage: true }), selection }
  }

  #has(...roles: readonly Role[]): boolean {
    return this.#parts.some(({ role }) => roles.includes(role))
  }

  #hasDocuments(): boolean {
    return this.#has('documents', 'document', 'genre')
  }

  #findEvent(): string | undefined {
    return this.#parts.find(({ role }) => role === 'event')?.event
  }

  #readRequest(selection: DocumentSelection): CatalogQuestion['wants'] | undefined {
    const { topic, kind, language } = selection
    if (this.#has('summary')) return topic === undefined ? undefined : 'summary'
    if (this.#has('size')) return 'count'
    if (this.#has('count'))
      return this.#has('documents', 'genre') || ((kind || language) && this.#hasDocuments())
        ? 'count'
        : undefined
    if (!this.#has('which', 'list')) return undefined
    if (this.#hasDocuments()) return this.#isList(selection) ? 'list' : undefined
    return this.#readRequestWithoutNoun(selection)
  }

  /** Reads "what do you have on tea", "what changed since Monday". */
  #readRequestWithoutNoun({ topic, language, period }: DocumentSelection) {
    if (language !== undefined && this.#has('contents')) return 'list'
    if (topic !== undefined) return this.#has('list', 'exists') ? 'summary' : undefined
    if (this.#has('event', 'recent')) return this.#isAboutChanges(period) ? 'changes' : undefined
    return this.#has('here') ? 'list' : undefined
  }

  /** Requires more than a noun: "which documents?" depends on the conversation. */
  #isList({ topic, folder, language, period }: DocumentSelection): boolean {
    if (this.#has('languages')) return this.#has('documents', 'here')
    const hasCondition = [topic, folder, language, period].some(one => one !== undefined)
    if (this.#has('documents', 'genre')) return hasCondition || this.#has('list', 'exists', 'here')
    return hasCondition || (this.#has('which') && this.#has('here'))
  }

  #isAboutChanges(period: DocumentSelection['period']): boolean {
    if (this.#parts.some(({ event }) => event && this.#readDateKind(event) === 'own')) return false
    if (this.#has('here')) return true
    if (period?.from === undefined) return false
    const { from, until } = period
    return until === undefined || Date.parse(until) - Date.parse(from) < MAX_CHANGE_DAYS * DAY_MS
  }

  /** Reads "the newest", "added last" and "recently changed". */
  #readOrder(): Order | 'unclear' | undefined {
    const orders = this.#parts.filter(({ role }) => isOrder(role))
    const [part] = orders
    if (orders.length > 1) return 'unclear'
    if (part && isOrder(part.role)) return this.#readStatedOrder(part, part.role)
    if (this.#has('number')) return 'unclear'
    if (this.#has('date') || !this.#hasDocuments() || this.#has('count')) return undefined
    const event = this.#findEvent()
    if (event !== undefined) {
      const by = this.#readDateKind(event)
      return by === 'own' ? 'unclear' : { wants: 'newest', by, limit: RECENT_DOCUMENTS }
    }
    return this.#has('recent')
      ? { wants: 'newest', by: 'added', limit: RECENT_DOCUMENTS }
      : undefined
  }

  #readStatedOrder(part: Part, wants: DocumentOrder): Order {
    const event = part.event ?? this.#findEvent()
    const by = event === undefined ? 'own' : this.#readDateKind(event)
    const limit = this.#readLimit()
    return {
      wants,
      ...(by !== 'own' && { by }),
      ...(part.isSorted ? { isSorted: true } : limit && { limit }),
    }
  }

  #readLimit(): number | undefined {
    const written = this.#parts.find(({ role }) => role === 'number')?.number?.toLowerCase()
    if (written !== undefined) return this.#grammar.numerals[written] ?? Number(written)
    return this.#parts.some(({ isPlural }) => isPlural) ? RECENT_DOCUMENTS : undefined
  }

  /** Returns undefined if a condition is stated twice or a format is unknown. */
  #readSelection(): DocumentSelection | undefined {
    const topics = this.#parts.flatMap(({ topic }) => topic ?? [])
    const folders = this.#parts.flatMap(({ folder }) => folder ?? [])
    const dates = this.#parts.filter(({ period }) => period)
    const formats = this.#parts.flatMap(({ format }) => format ?? [])
    const genres = this.#parts.flatMap(({ genre }) => genre ?? [])
    const languages = this.#parts.flatMap(({ language }) => language ?? [])
    const conditions = [topics, folders, dates, formats, genres, languages]
    if (conditions.some(({ length }) => length > 1)) return undefined
    const [format] = formats
    const kind = format === undefined ? undefined : findKind(format)
    if (format !== undefined && !kind) return undefined
    const [topic] = topics
    const [folder] = folders
    const [genre] = genres
    const [language] = languages
    const period = dates[0]?.period && this.#readPeriod(dates[0].period, dates[0].relation ?? '')
    return {
      ...(kind && { kind }),
      ...(genre && { genre }),
      ...(language && { language }),
      ...(folder && { folder }),
      ...(topic && { topic }),
      ...period,
    }
  }

  #readPeriod(period: Period, relation: string): Pick<DocumentSelection, 'period'> {
    const event = this.#findEvent()
    const isNew = this.#has('recent')
    const of = event === undefined ? (isNew ? 'added' : 'own') : this.#readDateKind(event)
    return { period: { ...this.#readRange(period, relation), of } }
  }

  #readRange(period: Period, relation: string): DateRange {
    const { since, after, before } = this.#grammar
    if (since.test(relation)) return { from: period.from }
    if (after.test(relation)) return { from: period.until }
    return before.test(relation) ? { until: period.from } : period
  }

  #readDateKind(event: string): DateKind {
    if (this.#grammar.added.test(event)) return 'added'
    return this.#grammar.changed.test(event) ? 'changed' : 'own'
  }
}

function isOrder(role: Role): role is DocumentOrder {
  return ORDERS.some(order => order === role)
}
