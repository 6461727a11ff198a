import { type Period, parsePeriod } from '../../search/periods.ts'
import { findLanguageTag } from './document-languages.ts'
import type { InventoryGrammar, Role, Term } from './inventory-grammar.ts'

export type Part = {
  readonly role: Role
  readonly format?: string
  readonly event?: string
  readonly number?: string
  readonly topic?: string
  readonly genre?: string
  readonly folder?: string
  readonly attribute?: string
  readonly language?: string
  readonly period?: Period
  readonly relation?: string
  /** Whether the word stands for several documents. */
  readonly isPlural?: boolean
  readonly isSorted?: boolean
}

/** Parses of one question that are read; each further one is less likely. */
const MAX_PARSES = 100
/** Steps of one question, which keeps a hostile one below some milliseconds. */
const MAX_STEPS = 20_000
/** Longest names: a folder's path, a date in words, and a language as CLDR names it. */
const MAX_NAME_CHARS = {
  topic: 120,
  folder: 60,
  date: 50,
  genre: 30,
  attribute: 30,
  language: 20,
} as const

type OpenRole = keyof typeof MAX_NAME_CHARS

/** Yields the likeliest first. */
export function* listParses(
  text: string,
  grammar: InventoryGrammar,
  now: Date,
): Generator<readonly Part[]> {
  if (text === '') return
  let parses = 0
  for (const parts of new Parser(text, grammar, now).parse(0, [])) {
    yield parts
    if (++parses === MAX_PARSES) return
  }
}

class Parser {
  readonly #text: string
  readonly #grammar: InventoryGrammar
  readonly #now: Date
  #steps = 0
  /** Places from which no parse reaches the end, by the role before them. */
  readonly #deadEnds = new Set<string>()

  constructor(text: string, grammar: InventoryGrammar, now: Date) {
    this.#text = text
    this.#grammar = grammar
    this.#now = now
  }

  *parse(
    start: number,
    parts: readonly Part[],
    barred: readonly Role[] = [],
  ): Generator<readonly Part[]> {
    if (start >= this.#text.length) {
      yield parts
      return
    }
    const before = parts.at(-1)?.role ?? 'start'
    const place = `${start} ${before} ${barred.length}`
    if (this.#deadEnds.has(place)) return
    let isDeadEnd = true
    for (const term of this.#listTerms(before, barred)) {
      const laterBarred = [...barred, ...(term.notBefore ?? [])]
      for (const { part, end } of this.#match(term, start)) {
        if (++this.#steps > MAX_STEPS) return
        for (const parse of this.parse(end, [...parts, part], laterBarred)) {
          isDeadEnd = false
          yield parse
        }
      }
    }
    if (isDeadEnd) this.#deadEnds.add(place)
  }

  #listTerms(before: Role | 'start', barred: readonly Role[]): readonly Term[] {
    return this.#grammar.terms.filter(
      ({ role, behind }) => !barred.includes(role) && (!behind || behind.includes(before)),
    )
  }

  *#match(term: Term, start: number): Generator<{ readonly part: Part; readonly end: number }> {
    const isOpen = term.end !== undefined
    const head = matchPattern(this.#bound(term.pattern), this.#text, start)
    if (!head) return
    const groups = head.groups ?? {}
    const nameStart = start + head[0].length
    if (!isOpen) {
      const end = this.#skipSpace(nameStart)
      if (end !== undefined) yield { part: toPart(term.role, groups, head[0]), end }
      return
    }
    for (const { name, tail } of this.#listNames(term, nameStart)) {
      const end = this.#skipSpace(nameStart + name.length + tail[0].length)
      const part =
        end !== undefined && this.#toOpenPart(term.role, name, { ...groups, ...tail.groups })
      if (part) yield { part, end }
    }
  }

  #bound(pattern: string): string {
    return this.#grammar.language === 'en' ? `(?:${pattern})(?:(?<= )|(?=[ ,]|$))` : pattern
  }

  /** Lists the shortest first, but the longest date first. */
  #listNames({ role, end = '' }: Term, start: number) {
    const max = isOpenRole(role) ? MAX_NAME_CHARS[role] : 0
    const names: { readonly name: string; readonly tail: RegExpExecArray }[] = []
    for (let stop = start + 1; stop <= Math.min(this.#text.length, start + max); stop++) {
      if (this.#grammar.language === 'en' && !/^(?: |$)/u.test(this.#text.slice(stop))) continue
      const tail = matchPattern(end, this.#text, stop)
      if (tail) names.push({ name: this.#text.slice(start, stop), tail })
    }
    return role === 'date' ? names.reverse() : names
  }

  /** Returns the start of the next term; undefined within an English word. */
  #skipSpace(end: number): number | undefined {
    if (end >= this.#text.length) return end
    if (this.#text[end] === ' ') return end + 1
    if (this.#grammar.language === 'zh') return /[,、]/u.test(this.#text[end] ?? '') ? end + 1 : end
    if (this.#text[end - 1] === ' ') return end
    return this.#text.startsWith(', ', end) ? end + 2 : undefined
  }

  #toOpenPart(
    role: Role,
    name: string,
    { relation, endRelation }: Readonly<Record<string, string | undefined>>,
  ): Part | undefined {
    const bare = stripQuotes(name)
    if (bare === '') return undefined
    if (role === 'folder')
      return bare === name.trim() && /[\s,]/u.test(bare) ? undefined : { role, folder: bare }
    if (role === 'date') {
      const period = this.#parseDate(bare)
      return period && { role, period, relation: endRelation ?? relation }
    }
    return role === 'language' ? toLanguagePart(name) : this.#toNamedPart(role, name, bare)
  }

  #toNamedPart(role: Role, name: string, bare: string): Part | undefined {
    const { clause, bare: noName, genre } = this.#grammar
    const isName = !clause.test(bare) && !noName.test(bare)
    if (role === 'genre') return isName && genre.test(name) ? { role, genre: bare } : undefined
    if (role === 'attribute') return isName ? { role, attribute: bare } : undefined
    return isName ? { role, topic: bare } : undefined
  }

  #parseRange(text: string): Period | undefined {
    const [first = '', last = '', ...others] = text.split(this.#grammar.between)
    if (first === '' || last === '' || others.length > 0) return undefined
    const from = parsePeriod(first, this.#now)?.from
    const until = parsePeriod(last, this.#now)?.until
    return from !== undefined && until !== undefined && from < until ? { from, until } : undefined
  }

  /** Reads a date without a year as the last one. */
  #parseDate(text: string): Period | undefined {
    const period = parsePeriod(text, this.#now) ?? this.#parseRange(text)
    if (period || !/\p{L}/u.test(text)) return period
    const { addYear } = this.#grammar
    const year = this.#now.getFullYear()
    const current = parsePeriod(addYear(text, year), this.#now)
    return current && Date.parse(current.from) > this.#now.getTime()
      ? parsePeriod(addYear(text, year - 1), this.#now)
      : current
  }
}

function toLanguagePart(name: string): Part | undefined {
  const language = findLanguageTag(name)
  return language === undefined ? undefined : { role: 'language', language }
}

function toPart(
  role: Role,
  groups: Readonly<Record<string, string | undefined>>,
  text: string,
): Part {
  const { format, event, pastEvent, number, all } = groups
  const isPlural = (role === 'documents' && /s$/iu.test(text)) || /^哪(?:些|几)/u.test(text)
  return {
    role,
    format,
    event: event ?? pastEvent,
    number,
    isPlural,
    isSorted: all !== undefined,
  }
}

function isOpenRole(role: Role): role is OpenRole {
  return Object.hasOwn(MAX_NAME_CHARS, role)
}

const patterns = new Map<string, RegExp>()

/** Matches a pattern that begins at `start`. Patterns are the grammar's, so there are few. */
function matchPattern(source: string, text: string, start: number): RegExpExecArray | null {
  const pattern = patterns.get(source) ?? new RegExp(`(?:${source})`, 'iuy')
  patterns.set(source, pattern)
  pattern.lastIndex = start
  return pattern.exec(text)
}

function stripQuotes(text: string): string {
  return text.trim().replace(/^["'“”‘’「」『』《》`]+|["'“”‘’「」『』《》`]+$/gu, '')
}
