import type { Period } from '../../search/periods.ts'
import type { Language } from '../../text/language.ts'
import { toSimplified } from '../../text/simplified.ts'
import { CHINESE_GRAMMAR } from './chinese-grammar.ts'
import { type DocumentKind, findKind } from './document-kinds.ts'
import { ENGLISH_GRAMMAR } from './english-grammar.ts'
import {
  type DocumentGroup,
  type DocumentOrder,
  GROUPS,
  type InventoryGrammar,
  ORDERS,
  type Role,
} from './inventory-grammar.ts'
import { listParses, type Part } from './question-parts.ts'

/** Dates of a period: the document's own, of its addition, or of either change. */
export const DATE_KINDS = ['own', 'added', 'changed'] as const
export type DateKind = (typeof DATE_KINDS)[number]

export type DateRange = { readonly [End in keyof Period]?: Period[End] | undefined }

export type DocumentConditions = {
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

export type DocumentSelection = DocumentConditions & {
  /** Leaves out documents that meet one of these. */
  readonly excluded?: readonly DocumentConditions[]
}

/** Question about the documents themselves, not about what they state. */
export type InventoryQuestion = {
  readonly language: Language
  readonly wants: 'count' | 'list' | 'changes' | 'summary' | DocumentOrder
  /** Date that "newest" and "oldest" are by; the document's own if absent. */
  readonly by?: DateKind
  readonly limit?: number
  readonly isSorted?: true
  readonly groupBy?: DocumentGroup | { readonly attribute: string }
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
export function parseInventoryQuestion(
  text: string,
  language: Language,
  now = new Date(),
): InventoryQuestion | undefined {
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

type Order = Pick<InventoryQuestion, 'wants' | 'by' | 'limit' | 'isSorted'>

class Reading {
  readonly #parts: readonly Part[]
  readonly #grammar: InventoryGrammar

  constructor(parts: readonly Part[], grammar: InventoryGrammar) {
    this.#parts = parts
    this.#grammar = grammar
  }

  toQuestion(): InventoryQuestion | undefined {
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
    const groupBy = this.#readGroup()
    return { language, wants, ...(groupBy && { groupBy }), selection }
  }

  #readGroup(): InventoryQuestion['groupBy'] {
    const attribute = this.#parts.find(part => part.attribute !== undefined)?.attribute
    return attribute === undefined ? GROUPS.find(group => this.#has(group)) : { attribute }
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

  #readRequest(selection: DocumentSelection): InventoryQuestion['wants'] | undefined {
    if (this.#has('summary')) return selection.topic === undefined ? undefined : 'summary'
    if (this.#has('size') || this.#isGrouped()) return 'count'
    const isOfPlaces = this.#has('folders', 'collections') && this.#has('exists')
    if (this.#has('count')) return isOfPlaces || this.#isCount(selection) ? 'count' : undefined
    if (this.#hasDocuments()) return this.#isList(selection) ? 'list' : undefined
    if (!this.#has('which', 'list')) return undefined
    return isOfPlaces ? 'list' : this.#readRequestWithoutNoun(selection)
  }

  #isCount({ kind, language }: DocumentSelection): boolean {
    if (this.#has('documents', 'genre')) return true
    return (kind ?? language) !== undefined && this.#hasDocuments()
  }

  #isGrouped(): boolean {
    return this.#readGroup() !== undefined && this.#has('documents') && !this.#has('which', 'list')
  }

  /** Reads "what do you have on tea", "what changed since Monday". */
  #readRequestWithoutNoun({ topic, folder, language, period, excluded }: DocumentSelection) {
    if (folder !== undefined) return 'list'
    if ((language ?? excluded) !== undefined && this.#has('contents')) return 'list'
    if (topic !== undefined) return this.#has('list', 'exists') ? 'summary' : undefined
    if (this.#has('event', 'recent')) return this.#isAboutChanges(period) ? 'changes' : undefined
    return this.#has('here') ? 'list' : undefined
  }

  /** Requires more than a noun: "which documents?" depends on the conversation. */
  #isList(selection: DocumentSelection): boolean {
    if (!this.#has('which', 'list')) return this.#has('documents') && hasCondition(selection)
    if (this.#readGroup()) return this.#has('documents', 'here')
    if (hasCondition(selection)) return true
    if (this.#has('documents', 'genre')) return this.#has('list', 'exists', 'here')
    return this.#has('which') && this.#has('here')
  }

  #isAboutChanges(period: DocumentSelection['period']): boolean {
    if (this.#parts.some(({ event }) => event && this.#readDateKind(event) === 'own')) return false
    if (this.#has('here')) return true
    if (period?.from === undefined) return false
    const { from, until } = period
    return until === undefined || Date.parse(until) - Date.parse(from) < MAX_CHANGE_DAYS * DAY_MS
  }

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

  /** Returns undefined if a condition is stated twice or a negation has none. */
  #readSelection(): DocumentSelection | undefined {
    const split = splitNegated(this.#parts)
    const stated = split && this.#readConditions(split.stated)
    if (!stated) return undefined
    const excluded = split.negated.flatMap(part => this.#readConditions([part]) ?? [])
    if (excluded.length < split.negated.length) return undefined
    return { ...stated, ...(excluded.length > 0 && { excluded }) }
  }

  /** Returns undefined if a condition is stated twice or a format is unknown. */
  #readConditions(parts: readonly Part[]): DocumentConditions | undefined {
    const topics = parts.flatMap(({ topic }) => topic ?? [])
    const folders = parts.flatMap(({ folder }) => folder ?? [])
    const dates = parts.filter(({ period }) => period)
    const formats = parts.flatMap(({ format }) => format ?? [])
    const genres = parts.flatMap(({ genre }) => genre ?? [])
    const languages = parts.flatMap(({ language }) => language ?? [])
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
    const { since, after, before, until } = this.#grammar
    if (since.test(relation)) return { from: period.from }
    if (until.test(relation)) return { until: period.until }
    if (after.test(relation)) return { from: shiftDay(period.until, 1) }
    return before.test(relation) ? { until: shiftDay(period.from, -1) } : period
  }

  #readDateKind(event: string): DateKind {
    if (this.#grammar.added.test(event)) return 'added'
    return this.#grammar.changed.test(event) ? 'changed' : 'own'
  }
}

function isOrder(role: Role): role is DocumentOrder {
  return ORDERS.some(order => order === role)
}

/** The kind alone is none: "which PDFs?" depends on the conversation. */
function hasCondition({ topic, folder, language, period, excluded }: DocumentSelection): boolean {
  return [topic, folder, language, period, excluded].some(one => one !== undefined)
}

function isCondition({ topic, folder, period, format, genre, language }: Part): boolean {
  return [topic, folder, period, format, genre, language].some(one => one !== undefined)
}

/** Returns undefined unless each negation and each `and` has its condition. */
function splitNegated(parts: readonly Part[]) {
  const ordered = moveNegatedDate(parts)
  const stated: Part[] = []
  const negated: Part[] = []
  let isPending = false
  for (const [index, part] of ordered.entries()) {
    if (part.role === 'and' && negated.length === 0) return undefined
    if (isNegation(part)) isPending = true
    if (!isCondition(part)) continue
    if (isPending && part.genre && !isNegation(ordered[index - 1])) return undefined
    const list = isPending ? negated : stated
    list.push(part)
    isPending = false
  }
  return isPending ? undefined : { stated, negated }
}

/** Puts the date behind the event that is negated: 昨天以来没有更新. */
function moveNegatedDate(parts: readonly Part[]): readonly Part[] {
  const event = parts.findIndex(
    ({ role }, index) => role === 'event' && isNegation(parts[index - 1]),
  )
  const date = parts.slice(0, Math.max(0, event)).find(({ period }) => period)
  if (!date) return parts
  return parts.flatMap((part, index) => {
    if (index === event) return [part, date]
    return part === date ? [] : [part]
  })
}

function isNegation(part: Part | undefined): boolean {
  return part?.role === 'not' || part?.role === 'and'
}

function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}
