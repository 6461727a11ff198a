import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'

/** Terms of one line: a query with one of `from` also searches `to`. */
type SynonymGroup = {
  readonly line: number
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** Keeps a request and the catalog's row small. */
export const MAX_SYNONYM_CHARS = 256 * 1024
/** Keeps the first query after a change below a tenth of a second. */
const MAX_GROUPS = 2_000
/** Each further term of a group is a further search. */
const MAX_TERMS = 20
const MAX_TERM_CHARS = 100

const SEPARATOR = /[,，、]/u
const ARROW = /=>|＝＞/u
const SEARCHABLE = /[\p{L}\p{N}]/u

/**
 * Parses a group per line: `a, b`, or `a, b => c` for one direction. Skips blank lines and #
 * comments. Throws `invalid_input` with the line.
 */
export function parseSynonyms(text: string): readonly SynonymGroup[] {
  if (text.length > MAX_SYNONYM_CHARS)
    throw new AppError(
      'invalid_input',
      localizable`The synonyms have ${text.length} characters, and ${MAX_SYNONYM_CHARS} are allowed. Remove some lines.`,
    )
  const groups = text
    .replace(/^\uFEFF/u, '')
    .split(/\r\n|\r|\n/u)
    .map((content, index) => ({ content: content.trim(), line: index + 1 }))
    .filter(({ content }) => content !== '' && !content.startsWith('#'))
  const excess = groups[MAX_GROUPS]
  if (excess) throw createFault(excess.line, `at most ${MAX_GROUPS} groups are allowed`)
  return groups.map(({ content, line }) => parseGroup(content, line))
}

function parseGroup(content: string, line: number): SynonymGroup {
  const [left = '', right, ...others] = content.split(ARROW)
  if (others.length > 0) throw createFault(line, 'a line has at most one =>')
  const from = parseTerms(left, line)
  if (right !== undefined) return { line, from, to: parseTerms(right, line) }
  if (from.length < 2)
    throw createFault(line, `"${from[0]}" has no synonym; write one more term after a comma`)
  return { line, from, to: from }
}

function parseTerms(list: string, line: number): readonly string[] {
  const terms = [...new Set(list.split(SEPARATOR).map(term => term.trim().replace(/\s+/gu, ' ')))]
  for (const term of terms) {
    if (term === '') throw createFault(line, 'a term is empty; remove a comma or write a term')
    if (!SEARCHABLE.test(term)) throw createFault(line, `"${term}" has no letter and no digit`)
    if (term.length > MAX_TERM_CHARS)
      throw createFault(
        line,
        `"${term.slice(0, 30)}…" has ${term.length} characters; at most ${MAX_TERM_CHARS} are allowed`,
      )
  }
  if (terms.length > MAX_TERMS)
    throw createFault(line, `a group has at most ${MAX_TERMS} terms, and this one ${terms.length}`)
  return terms
}

function createFault(line: number, problem: string): AppError {
  return new AppError('invalid_input', localizable`Synonyms, line ${line}: ${problem}.`)
}
