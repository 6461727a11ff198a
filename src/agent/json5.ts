import { createRequire } from 'node:module'
import type JSON5 from 'json5'

const require = createRequire(import.meta.url)

/** Parses JSON whose numbers are finite. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, requireFinite)
}

/** Parses JSON as models write it: JSON5 forgives what JSON does not. It is loaded when a model first writes so. Throws `SyntaxError`. */
export function parseJson5(text: string): unknown {
  const { parse } = require('json5') as typeof JSON5 // its types
  return parse(text, requireFinite)
}

/** `NaN` passes comparisons that a number fails, and JSON has no form for it; `1e999` is read as `Infinity`. */
function requireFinite(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new SyntaxError('A number is not finite.')
}
