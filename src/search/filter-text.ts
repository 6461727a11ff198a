import { AppError } from '../errors.ts'
import { toUnixSeconds } from '../text/iso-date.ts'
import { type AttributeFilter, type Filter, type FilterValue, parseFilter } from './filter.ts'

/** Maximum length of a filter; protects the parser from pasted documents. */
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

/** Facts in Unix seconds, compared with dates. */
const MOMENTS: ReadonlySet<string> = new Set(['created', 'modified'])

type Token = { readonly kind: 'quoted' | 'mark' | 'operator' | 'word'; readonly text: string }

/**
 * Parses a filter such as `author=Ada`, `year >= 2020`, `language in zh, en` or `status not in
 * draft`, joined by `and`, `or` and parentheses (`and` binds closer). Quotes keep a value
 * together as text. JSON is accepted. Throws `invalid_input` with position and expectation.
 */
export function readFilter(text: string): Filter {
  if (text.length > MAX_CHARS)
    throw new AppError('invalid_input', `A filter has at most ${MAX_CHARS} characters.`)
  if (text.trimStart().startsWith('{')) return parseFilter(readJson(text))
  const reader = new FilterReader(text)
  return parseFilter(reader.parseAll())
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid_input', `The filter is not valid JSON: ${String(error)}`, {
      cause: error,
    })
  }
}

/** Maximum nesting; protects the recursive parser's stack. */
const MAX_DEPTH = 50

class FilterReader {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokenize(text)
  }

  parseAll(): Filter {
    const filter = this.#parseAlternatives()
    const rest = this.#peek()
    if (rest) throw this.#createFault(`nothing, "and" or "or" in place of "${rest.text}"`)
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
    const key = this.#readPhrase('the name of an attribute').text
    const operator = this.#peek()
    if (operator?.kind === 'operator') {
      this.#at++
      return { type: OPERATORS[operator.text]!, key, value: this.#readValue(key) }
    }
    const isNegated = this.#takeWord('not')
    if (!this.#takeWord('in')) throw this.#createFault('one of =, !=, >, >=, <, <=, in, not in')
    const values = [this.#readValue(key)]
    while (this.#take(',')) values.push(this.#readValue(key))
    return { type: isNegated ? 'nin' : 'in', key, value: values }
  }

  #readValue(key: string): FilterValue {
    const { text, isQuoted } = this.#readPhrase('a value')
    if (isQuoted) return text
    if (text === 'true' || text === 'false') return text === 'true'
    const moment =
      MOMENTS.has(key) && /^\d{4}(-\d\d){0,2}(T|$)/.test(text) ? toUnixSeconds(text) : undefined
    if (moment !== undefined) return moment
    if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
    if (!MOMENTS.has(key)) return text
    const advice = 'Write one as 2024-05-31, or quote it where it is text of your own.'
    throw new AppError(
      'invalid_input',
      `In the filter: ${key} is a date, and ${text} is none. ${advice}`,
    )
  }

  /** Reads quoted text, or words up to an operator, a separator or a joining word. */
  #readPhrase(expected: string): { text: string; isQuoted: boolean } {
    const first = this.#peek()
    if (first?.kind === 'quoted') {
      this.#at++
      return { text: first.text, isQuoted: true }
    }
    const words: string[] = []
    for (
      let token = first;
      token?.kind === 'word' && !isJoint(token, words.length);
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

  #createFault(expected: string): AppError {
    const before = this.#tokens.slice(0, this.#at).map(token => token.text)
    const place = before.length > 0 ? `after "${before.join(' ').slice(-60)}"` : 'at its beginning'
    return new AppError(
      'invalid_input',
      `Filter "${this.#text.slice(0, 200)}": ${place}, expected ${expected}. Examples: author=Ada, year>=2020, language in zh,en.`,
    )
  }
}

/** Joining words end a value, unless the value is still empty. */
function isJoint({ text }: Token, wordsBefore: number): boolean {
  return wordsBefore > 0 && ['and', 'or', 'in', 'not'].includes(text.toLowerCase())
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.trimEnd().matchAll(TOKEN)) {
    const [whole, quoted, parenthesis, comma, operator, word] = match
    end = match.index + whole.length
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replace(/\\(.)/g, '$1') })
    else if (operator) tokens.push({ kind: 'operator', text: operator })
    else if (word) tokens.push({ kind: 'word', text: word })
    else tokens.push({ kind: 'mark', text: parenthesis ?? comma ?? '' })
  }
  if (end === text.trimEnd().length) return tokens
  throw new AppError(
    'invalid_input',
    `Filter "${text.slice(0, 200)}": a quotation mark is not closed.`,
  )
}
