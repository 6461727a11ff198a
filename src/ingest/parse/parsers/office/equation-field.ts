import type { SkippedText } from '../../skipped-text.ts'
import {
  joinTerms,
  type Term,
  toTerm,
  writeFence,
  writeFraction,
  writeMatrix,
  writeRoot,
  writeScripts,
} from '../linear-formula.ts'

/** Bounded, because each level is a call. */
const MAX_DEPTH = 32
const FORMATS = /\\\*\s*(?:"[^"]*"|\S+)/g
const TOKEN =
  /\\([\\(),;])|\\(up|do|[abdfilorsx])((?: ?\d+)?(?: ?\\(?:[blrfv]c ?\\?\S|[a-z]{2} ?\d*)){0,8}) ?\(|(.)/gisuy
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }
/** Scripts whose words get reading aids; others are raised or lowered in formulas. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const CIRCLE = /^[○◯〇]$/
/** Unicode's enclosed numbers and letters. */
const ENCLOSED = [...listCharacters(0x2460, 0x24ff), ...listCharacters(0x3251, 0x32bf)]

/** Reads a formula without a stored result (ECMA-376, 17.16.5.16): `\f(1,2)` is 1/2. */
export function readEquationField(instruction: string, skipped: SkippedText): string {
  const source = /^\s*EQ\b(.*)$/is.exec(instruction)?.[1] ?? ''
  const reader = new EquationReader(
    source.replace(FORMATS, '').replace(/\s+/g, ' ').trim(),
    skipped,
  )
  return reader.readAll()
}

function* listCharacters(first: number, last: number): Iterable<string> {
  for (let code = first; code <= last; code++) yield String.fromCodePoint(code)
}

class EquationReader {
  readonly #source: string
  readonly #skipped: SkippedText
  #at = 0

  constructor(source: string, skipped: SkippedText) {
    this.#source = source
    this.#skipped = skipped
  }

  readAll(): string {
    const parts = []
    while (this.#at < this.#source.length) parts.push(this.#readArgument(0), this.#take())
    return joinTerms(parts).text
  }

  #readArgument(depth: number): Part {
    const terms: Term[] = []
    while (this.#at < this.#source.length) {
      TOKEN.lastIndex = this.#at
      const [token = '', literal, name, options = '', character = ''] =
        TOKEN.exec(this.#source) ?? []
      if (/^[,;)]$/.test(character)) break
      this.#at += token.length
      const isText = name === undefined && character !== '('
      if (isText || depth >= MAX_DEPTH) terms.push(toTerm(literal ?? (character || token)))
      else terms.push(this.#write(name?.toLowerCase(), options, this.#readList(depth + 1)))
    }
    return joinTerms(terms)
  }

  /** Splits at commas, or at semicolons if there are any: commas then begin decimals. */
  #readList(depth: number): readonly Part[] {
    const parts: Part[] = [this.#readArgument(depth)]
    for (let sign = this.#take(); /[,;]/.test(sign.text); sign = this.#take())
      parts.push(sign, this.#readArgument(depth))
    const separator = parts.some(({ text }, index) => index % 2 === 1 && text === ';') ? ';' : ','
    const list: Part[][] = [[]]
    for (const [index, part] of parts.entries())
      if (index % 2 === 1 && part.text === separator) list.push([])
      else list.at(-1)?.push(part)
    return list.map(([first = toTerm(''), ...others]) =>
      others.length > 0 ? joinTerms([first, ...others]) : first,
    )
  }

  #write(name: string | undefined, options: string, list: readonly Part[]): Part {
    if (name === undefined) return writeFence(list, { open: '(', close: ')', separator: ',' })
    if (name !== 'o') return writeSwitch(name, options, list)
    const bases = list.filter(({ isScript }) => !isScript)
    const scripts = list.filter(({ isScript }) => isScript)
    const base = writeEnclosed(bases)
    if (scripts.length === 0 || !EAST_ASIAN.test(base.text)) return joinTerms([base, ...scripts])
    this.#skipped.add('reading aids')
    return base
  }

  #take(): Term {
    return toTerm(this.#source.charAt(this.#at++))
  }
}

type Part = Term & { readonly isScript?: boolean }

function writeSwitch(name: string, options: string, list: readonly Part[]): Part {
  const [first = toTerm(''), second = toTerm(''), third = toTerm('')] = list
  switch (name) {
    case 'a':
      return writeArray(list, Number(/\\co ?(\d+)/i.exec(options)?.[1] ?? 1))
    case 'b': {
      const getSign = (option: string) =>
        new RegExp(String.raw`\\${option} ?\\?(\S)`, 'i').exec(options)?.[1]
      const both = getSign('bc') ?? '('
      const open = getSign('lc') ?? both
      const close = getSign('rc') ?? CLOSING[both] ?? both
      return writeFence(list, { open, close, separator: ', ' })
    }
    case 'f':
      return writeFraction(first, second, true)
    case 'i': {
      const signed = writeScripts(toTerm(findSign(options)), { lower: first, upper: second })
      return toTerm(`${signed.text} ${third.text}`)
    }
    case 'r':
      return list.length > 1 ? writeRoot(second, first) : writeRoot(first, toTerm(''))
    case 's':
    case 'up':
    case 'do': {
      const isLow = name === 'do' || /\\do/i.test(options)
      const script = isLow ? { lower: first } : { upper: first }
      return { ...writeScripts(toTerm(''), script), isScript: true }
    }
    default:
      return toTerm(list.map(({ text }) => text).join(', '))
  }
}

function findSign(options: string): string {
  const own = /\\[fv]c ?\\?(\S)/iu.exec(options)?.[1]
  return own ?? (/\\su/i.test(options) ? '∑' : /\\pr/i.test(options) ? '∏' : '∫')
}

function writeArray(list: readonly Term[], columns: number): Term {
  const width = Math.max(1, columns)
  const rows = Array.from({ length: Math.ceil(list.length / width) }, (_, row) =>
    list.slice(row * width, (row + 1) * width),
  )
  return writeMatrix(rows)
}

function writeEnclosed(list: readonly Term[]): Term {
  const inner = list.filter(({ text }) => !CIRCLE.test(text))
  const content = joinTerms(inner)
  if (inner.length === list.length) return content
  return toTerm(
    ENCLOSED.find(sign => sign.normalize('NFKC') === content.text) ?? `(${content.text})`,
  )
}
