import { getItem } from '../../../system/items.ts'
import type { Block } from '../../block.ts'
import { SOURCE_CODE_TYPES } from '../detection/source-code.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { toBlockEvents } from './block-events.ts'
import { DecodedText, readTextLines } from './decoded-text.ts'

/** Statements such as imports that stay together, so that a long script is still cut. */
const MAX_STATEMENTS = 60
/** Bounded, so that a class is cut between members. */
const MAX_LINES = 150
const MAX_UNIT_CHARACTERS = 8_000
const CONTINUES =
  /^(?:[)\]{}>]|\$\$|begin\b|as\b|is\b|returns\b|language\b|end\b|else\b|elif\b|elsif\b|except\b|finally\b|catch\b|rescue\b|ensure\b|then\b|do\b|done\b|fi\b|esac\b|#\s*(?:else|elif|endif)\b)/i
const DEFINES =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|open|override|async|unsafe|extern|inline|virtual|partial|data|pub(?:\([\w:]+\))?)\s+)*(?:class|interface|enum|struct|union|trait|impl|protocol|extension|object|record|type|namespace|module|mod|package|function|func|fun|fn|def|defp|defmodule|sub|procedure|macro_rules!|template|contract|CREATE|ALTER|INSERT)\b/i
const LEADS =
  /^(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|else|endif|import|pragma))|--|;|%|"""|'''|@|\[\w|<!--)/

export const codeParser: Parser = {
  id: 'code@5',
  mediaTypes: [...new Set(Object.values(SOURCE_CODE_TYPES))],
  parse: parseCode,
}

async function* parseCode(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const lines = readTextLines(decoded.readPieces(signal), MAX_UNIT_CHARACTERS)
  yield* toBlockEvents(readCodeBlocks(lines), input.name, signal)
  yield* decoded.listWarnings()
}

async function* readCodeBlocks(lines: AsyncIterable<string>): AsyncGenerator<Block> {
  const units = new CodeUnits()
  for await (const line of lines) for (const text of units.add(line)) yield { kind: 'code', text }
  for (const text of units.end()) yield { kind: 'code', text }
}

/**
 * Cuts any language at top-level definitions: an unindented line begins one, with comments and
 * decorators before it.
 */
class CodeUnits {
  #lines: string[] = []
  #characters = 0
  #leads = 0
  #isInComment = false
  #hasDefinition = false;

  *add(line: string): Iterable<string> {
    const kind = this.#isInComment ? 'lead' : classifyLine(line)
    this.#isInComment = kind === 'lead' && isCommentOpen(line, this.#isInComment)
    const isLater = this.#hasDefinition || this.#lines.length > MAX_STATEMENTS
    if (kind === 'definition' || (kind === 'statement' && isLater))
      yield* this.#cut(this.#lines.length - this.#leads)
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

function endOfMember(lines: readonly string[]): number {
  let best: { index: number; indent: number } | undefined
  for (let index = lines.length >> 1; index < lines.length - 1; index++) {
    if (getItem(lines, index).trim() !== '') continue
    const next = getItem(lines, index + 1)
    const indent = next.length - next.trimStart().length
    if (!best || indent <= best.indent) best = { index, indent }
  }
  return best ? best.index + 1 : lines.length
}

type CodeLine = 'blank' | 'inner' | 'lead' | 'definition' | 'statement'

function classifyLine(line: string): CodeLine {
  if (line.trim() === '') return 'blank'
  if (/^\s/.test(line) || CONTINUES.test(line)) return 'inner'
  if (LEADS.test(line)) return 'lead'
  return DEFINES.test(line) ? 'definition' : 'statement'
}
