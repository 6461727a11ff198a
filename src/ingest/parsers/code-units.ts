import { kindOfLine } from './code-lines.ts'

/** Statements at the top of a file, as imports, stay together up to so many lines. */
const MAX_STATEMENTS = 60

/** A longer definition is cut, where one of its members ends if there is such a place in its second half. */
const MAX_LINES = 150
export const MAX_UNIT_CHARACTERS = 8_000

/**
 * Cuts code at its top-level definitions, each with the comments and decorators before it, whatever the language:
 * what begins at the margin is on top, what is indented belongs to it.
 */
export class CodeUnits {
  #lines: string[] = []
  #characters = 0
  /** Lines of comments and decorators at the end, which may belong to the next definition. */
  #leads = 0
  #isInComment = false
  #hasDefinition = false;

  /** The unit that this line shows to be complete, if any. */
  *add(line: string): Iterable<string> {
    const kind = this.#isInComment ? 'lead' : kindOfLine(line)
    this.#isInComment = kind === 'lead' && isCommentOpen(line, this.#isInComment)
    const isLater = this.#hasDefinition || this.#lines.length > MAX_STATEMENTS
    if (kind === 'definition' || (kind === 'statement' && isLater)) yield* this.#cut(this.#lines.length - this.#leads)
    this.#leads = kind === 'lead' ? this.#leads + 1 : 0
    this.#hasDefinition ||= kind === 'definition'
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#lines.length >= MAX_LINES || this.#characters >= MAX_UNIT_CHARACTERS)
      yield* this.#cut(endOfMember(this.#lines))
  }

  *end(): Iterable<string> {
    yield* this.#cut(this.#lines.length)
  }

  /** Let go of so many lines. */
  *#cut(count: number): Iterable<string> {
    const unit = this.#lines
      .slice(0, count)
      .join('\n')
      .replace(/^(?:[^\S\n]*\n)+|\s+$/g, '')
    this.#lines = this.#lines.slice(count)
    this.#characters = this.#lines.reduce((sum, line) => sum + line.length, 0)
    this.#leads = Math.min(this.#leads, this.#lines.length)
    this.#hasDefinition = false
    if (unit.trim()) yield unit
  }
}

function isCommentOpen(line: string, isInside: boolean): boolean {
  const opened = isInside ? 0 : line.indexOf('/*')
  return opened >= 0 && !line.includes('*/', isInside ? 0 : opened + 2)
}

/** The last of the blank lines before the least indented line in the second half; all lines where there is none. */
function endOfMember(lines: readonly string[]): number {
  let best: { index: number; indent: number } | undefined
  for (let index = lines.length >> 1; index < lines.length - 1; index++) {
    if (lines[index]!.trim() !== '') continue
    const indent = /^\s*/.exec(lines[index + 1]!)![0].length // it matches anything
    if (!best || indent <= best.indent) best = { index, indent }
  }
  return best ? best.index + 1 : lines.length
}
