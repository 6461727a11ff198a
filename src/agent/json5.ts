import { createRequire } from 'node:module'
import type JSON5 from 'json5'

const require = createRequire(import.meta.url)

/** JSON as models write it: JSON5 forgives what JSON does not. Loaded when a model first wrote so. Throws `SyntaxError`. */
export function parseJson5(text: string): unknown {
  const { parse } = require('json5') as typeof JSON5 // its types
  return parse(text)
}
