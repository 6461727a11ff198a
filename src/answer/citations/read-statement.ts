import type { Terms } from '../../text/terms.ts'
import { type Anchor, anchorsIn, type Numbers, numbersIn } from './anchors.ts'
import type { Cell, Statement } from './statements.ts'

/** A statement with what claims are compared with. */
export type ReadStatement = Statement & {
  /** Its words, and with them those of what it speaks of. */
  readonly own: ReadonlySet<string>
  readonly known: ReadonlySet<string>
  readonly numbers: Numbers
  readonly anchors: readonly Anchor[]
  /** Those of the names of its columns. */
  readonly columnAnchors: readonly (readonly Anchor[])[]
}

export function readStatement(statement: Statement, terms: Terms): ReadStatement {
  const { text, about, cells = [] } = statement
  const columns = cells.map(({ column }) => column).join('\n')
  const own = terms.of(`${columns}\n${text}`)
  const known = new Set([...own, ...terms.of(about)])
  const told = cells.length > 0 ? cells.map(withUnit).join(' | ') : text
  const columnAnchors = cells.map(({ column }) => anchorsIn(column))
  return { ...statement, own, known, numbers: numbersIn(told), anchors: anchorsIn(told), columnAnchors }
}

const UNITS = [/[(（[]([^()（）]{1,20})[)）\]]\s*$/, /[,，/]\s*([^\s,，/]{1,8})$/, /\s([A-Z]{3}|%)$/]

/** A bare number with what stands in the brackets of its header, or at its end: `35` under `Crossing (minutes)`. */
export function withUnit({ column, text }: Cell): string {
  if (!/^[\d.,\s–-]+$/.test(text)) return text
  const [unit] = UNITS.flatMap(pattern => pattern.exec(column)?.[1] ?? [])
  return unit ? `${text} ${unit}` : text
}
