import { type Elevation, toElevatedText } from './raised-text.ts'

export type Term = {
  readonly text: string
  readonly isApart?: boolean
  readonly isMatrix?: boolean
}

/** Needs no brackets beside an operator. */
const SIMPLE =
  /^(?:[\p{N}.,]+|.\p{M}*|[\p{L}\p{S}]\p{M}*(?:[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾]+|[₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎]+))$/u
const BRACKETS = /^\([^()]*\)$|^\[[^[\]]*\]$/
/** Function application, times, separator, plus (U+2061 to U+2064). */
const INVISIBLE = /[\u2061-\u2064]/g
const ALPHANUMERIC_END = /[\p{L}\p{N})\]∞]$/u
const ALPHANUMERIC_START = /^[\p{L}\p{N}([√∛∜]/u
const STRETCHED = /^[⏜-⏡⎴⎵]$/u
const ROOTS: Readonly<Record<string, string>> = { '': '√', 2: '√', 3: '∛', 4: '∜' }

export function toTerm(text: string): Term {
  return { text: text.replace(INVISIBLE, '') }
}

export function joinTerms(terms: readonly Term[]): Term {
  const filled = terms.filter(({ text }) => text !== '')
  const [first = toTerm('')] = filled
  if (filled.length <= 1) return first
  let text = ''
  let last = toTerm('')
  for (const term of filled) {
    const needsSpace =
      (last.isApart || term.isApart) &&
      ALPHANUMERIC_END.test(last.text) && // not of all text, for long ones
      ALPHANUMERIC_START.test(term.text)
    text += needsSpace ? ` ${term.text}` : term.text
    last = term
  }
  return { ...toTerm(text), isApart: last.isApart ?? false }
}

/** Writes `(a+b)/(c+d)`, or `n choose k` for a fraction without a bar. */
export function writeFraction(over: Term, under: Term, hasBar: boolean): Term {
  if (!hasBar) return { text: `${group(over.text)} choose ${group(under.text)}`, isApart: true }
  return { text: `${group(over.text)}/${group(under.text)}`, isApart: true }
}

export function writeRoot(content: Term, degree: Term): Term {
  const sign = ROOTS[degree.text] ?? `√[${degree.text}]`
  return { text: `${sign}${group(content.text)}`, isApart: true }
}

/** Writes `10⁶`, `x_(i+1)` or `∑_(i=1)^n`. */
export function writeScripts(base: Term, { lower, upper }: { lower?: Term; upper?: Term }): Term {
  const lowered = writeScript(lower?.text ?? '', 'lowered')
  const raised = writeScript(upper?.text ?? '', 'raised')
  const stem = /\p{L}$/u.test(base.text) ? base.text : group(base.text)
  return { text: `${stem}${lowered}${raised}`, isApart: /^[_^]|[\p{L}]$/u.test(lowered + raised) }
}

function writeScript(text: string, elevation: Elevation): string {
  if (text === '' || STRETCHED.test(text)) return ''
  if (/^[′″‴*†]+$/.test(text)) return text
  const elevated = toElevatedText(text, elevation)
  if (elevated !== text) return elevated
  return `${elevation === 'raised' ? '^' : '_'}${group(text)}`
}

/** Writes a matrix as `[a, b; c, d]`. */
export function writeMatrix(rows: readonly (readonly Term[])[]): Term {
  const lines = rows.map(row => row.map(({ text }) => text).join(', '))
  return { text: `[${lines.join('; ')}]`, isMatrix: true }
}

export function writeFence(
  terms: readonly Term[],
  { open, close, separator }: { open: string; close: string; separator: string },
): Term {
  const [only] = terms
  const inner =
    terms.length === 1 && only?.isMatrix
      ? only.text.slice(1, -1)
      : terms.map(({ text }) => text).join(separator)
  return toTerm(`${open}${inner}${close}`)
}

export function writeAccent(base: Term, sign: string): Term {
  if (/^\p{L}$/u.test(base.text)) return toTerm(`${base.text}${sign}`)
  return toTerm(`${group(base.text)}${sign}`)
}

export function group(text: string): string {
  return text === '' || SIMPLE.test(text) || BRACKETS.test(text) ? text : `(${text})`
}
