import { getMessages, localizable, type Sentence } from '../errors/localizable.ts'
import { AppError, toAppError } from '../errors.ts'
import { toUnixSeconds } from '../text/iso-date.ts'
import {
  type AttributeFilter,
  type Filter,
  type FilterValue,
  MOMENTS,
  parseFilter,
} from './filter.ts'
import { parsePeriod } from './periods.ts'

/** Protects the parser from pasted documents. */
const MAX_CHARS = 100_000

/** Quoted text, parenthesis, comma, operator or word. */
const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([()])|(,)|(!=|<=|>=|==|=|<|>)|([^\s()",=<>!]+|!))/gy

const OPERATORS: Readonly<Record<string, AttributeFilter['type']>> = {
  '=': 'eq',
  '==': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
}

/** Words that end a value or a name. */
const JOINTS: ReadonlySet<string> = new Set(['and', 'or', 'in', 'not'])
const KEY_JOINTS: ReadonlySet<string> = new Set([...JOINTS, 'contains', 'under'])

type Token = { readonly kind: 'quoted' | 'mark' | 'operator' | 'word'; readonly text: string }

/**
 * Parses a filter such as `author=Ada` or `status not in draft`, joined by `and` (binds
 * closer), `or` and parentheses, or JSON. Quoted values are text. Throws `invalid_input`.
 */
export function readFilter(text: string): Filter {
  if (text.length > MAX_CHARS)
    throw new AppError('invalid_input', localizable`A filter has at most ${MAX_CHARS} characters.`)
  if (text.trimStart().startsWith('{')) return parseFilter(readJson(text))
  const reader = new FilterReader(text)
  return parseFilter(reader.parseAll())
}

/** Reads a text or checks an object. Throws for wrong values: callers may lack types. */
export function checkFilter(filter: unknown): Filter {
  try {
    return typeof filter === 'string' ? readFilter(filter) : parseFilter(filter)
  } catch (error) {
    const cause = toAppError(error)
    throw new AppError(cause.code, getMessages(cause).message, { cause: error, about: filter })
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError(
      'invalid_input',
      localizable`The filter is not valid JSON: ${String(error)}`,
      {
        cause: error,
      },
    )
  }
}

/** Protects the parser's stack. */
const MAX_DEPTH = 50

class FilterReader {
  readonly #text: string
  readonly #tokens: readonly Token[]
  readonly #now = new Date()
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokenize(text)
  }

  parseAll(): Filter {
    const filter = this.#parseAlternatives()
    const rest = this.#peek()
    if (rest)
      throw this.#createFault(localizable`nothing, "and" or "or" in place of "${rest.text}"`)
    return filter
  }

  #parseAlternatives(): Filter {
    return this.#parseJoined('or', () => this.#parseJoined('and', () => this.#parseSingle()))
  }

  #parseJoined(type: 'and' | 'or', next: () => Filter): Filter {
    const first = next()
    const filters = [first]
    while (this.#takeWord(type)) filters.push(next())
    return filters.length === 1 ? first : { type, filters }
  }

  #parseSingle(): Filter {
    if (!this.#take('(')) return this.#parseComparison()
    if (++this.#depth > MAX_DEPTH) throw this.#createFault('fewer parentheses')
    const inner = this.#parseAlternatives()
    if (!this.#take(')')) throw this.#createFault('")"')
    this.#depth--
    return inner
  }

  #parseComparison(): Filter {
    const key = this.#readPhrase('the name of an attribute', KEY_JOINTS).text
    const operator = this.#peek()
    if (operator?.kind === 'operator') {
      this.#at++
      const type = OPERATORS[operator.text] ?? 'eq'
      return { type, key, value: this.#readValue(key) }
    }
    for (const type of ['contains', 'under'] as const)
      if (this.#takeWord(type)) return { type, key, value: this.#readPhrase('a text').text }
    return this.#parseMembership(key)
  }

  #parseMembership(key: string): Filter {
    const isNegated = this.#takeWord('not')
    if (!this.#takeWord('in'))
      throw this.#createFault('one of =, !=, >, >=, <, <=, in, not in, contains, under')
    const values = [this.#readValue(key)]
    while (this.#take(',')) values.push(this.#readValue(key))
    return { type: isNegated ? 'nin' : 'in', key, value: values }
  }

  #readValue(key: string): FilterValue {
    const { text, isQuoted } = this.#readPhrase('a value')
    if (isQuoted) return text
    if (text === 'true' || text === 'false') return text === 'true'
    const period = MOMENTS.has(key) ? parsePeriod(text, this.#now) : undefined
    if (period) return `${period.from}/${period.until}`
    const moment =
      MOMENTS.has(key) && /^\d{4}(-\d\d){0,2}(T|$)/.test(text) ? toUnixSeconds(text) : undefined
    if (moment !== undefined) return moment
    if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
    if (!MOMENTS.has(key)) return text
    const advice =
      'Write one as 2024-05-31, 2024-05 or last week, or quote it where it is text of your own.'
    throw new AppError(
      'invalid_input',
      localizable`In the filter: ${key} is a date, but ${text} is none. ${advice}`,
    )
  }

  #readPhrase(expected: string, joints = JOINTS): { text: string; isQuoted: boolean } {
    const first = this.#peek()
    if (first?.kind === 'quoted') {
      this.#at++
      return { text: first.text, isQuoted: true }
    }
    const words: string[] = []
    for (
      let token = first;
      token?.kind === 'word' && !(words.length > 0 && joints.has(token.text.toLowerCase()));
      token = this.#peek()
    ) {
      words.push(token.text)
      this.#at++
    }
    if (words.length === 0) throw this.#createFault(expected)
    return { text: words.join(' '), isQuoted: false }
  }

  #takeWord(word: string): boolean {
    const token = this.#peek()
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false
    this.#at++
    return true
  }

  #take(mark: string): boolean {
    const token = this.#peek()
    if (token?.kind !== 'mark' || token.text !== mark) return false
    this.#at++
    return true
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #createFault(expected: Sentence): AppError {
    const before = this.#tokens.slice(0, this.#at).map(token => token.text)
    const place =
      before.length > 0 ? localizable`after "${before.join(' ').slice(-60)}"` : 'at its beginning'
    return new AppError(
      'invalid_input',
      localizable`Filter "${this.#text.slice(0, 200)}": ${place}, expected ${expected}. Examples: author=Ada, year>=2020, language in zh,en.`,
    )
  }
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.trimEnd().matchAll(TOKEN)) {
    const [token, quoted, parenthesis, comma, operator, word] = match
    end = match.index + token.length
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replace(/\\(.)/g, '$1') })
    else if (operator) tokens.push({ kind: 'operator', text: operator })
    else if (word) tokens.push({ kind: 'word', text: word })
    else tokens.push({ kind: 'mark', text: parenthesis ?? comma ?? '' })
  }
  if (end === text.trimEnd().length) return tokens
  throw new AppError(
    'invalid_input',
    localizable`Filter "${text.slice(0, 200)}": a quotation mark is not closed.`,
  )
}
