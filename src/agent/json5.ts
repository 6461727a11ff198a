import { createRequire } from 'node:module'
import type JSON5 from 'json5'

const require = createRequire(import.meta.url)

/** Parses JSON whose numbers are finite. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, requireFinite)
}

/** Parses JSON as models write it, which JSON5 accepts. Loads the library on first use. Throws `SyntaxError`. */
export function parseJson5(text: string): unknown {
  const { parse } = require('json5') as typeof JSON5 // its types
  return parse(text, requireFinite)
}

/** Rejects `NaN` and `Infinity` (as from `1e999`): they pass comparisons that should fail, and JSON cannot represent them. */
function requireFinite(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new SyntaxError('A number is not finite.')
}
