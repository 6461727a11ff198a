import { createRequire } from 'node:module'
import type JSON5 from 'json5'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'

/** A model's call. Invalid JSON in `arguments` is kept and reported to the model. */
export type FunctionCall = { readonly name: string; readonly arguments: string }

/** Characters of broken arguments in errors, so that they stay short. */
const MAX_ECHO = 200

/** Accepts JSON in code fences, and JSON5. Throws `invalid_input`. */
export function parseArguments(text: string): unknown {
  const bare = text.trim().replace(/^```(?:json5?)?\s*|\s*```$/g, '')
  if (bare === '') return {}
  try {
    return parseJson(bare)
  } catch {
    return parseWith(parseJson5, bare, text)
  }
}

/** Parses strict JSON, so that the tool gets what was approved. Throws `invalid_input`. */
export function parseStrictArguments(text: string): unknown {
  return text.trim() === '' ? {} : parseWith(parseJson, text, text)
}

function parseWith(parse: (json: string) => unknown, json: string, text: string): unknown {
  try {
    return parse(json)
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      localizable`The arguments are not valid JSON: ${text.slice(0, MAX_ECHO)}`,
      { cause },
    )
  }
}

const require = createRequire(import.meta.url)

function parseJson(text: string): unknown {
  return JSON.parse(text, requireFinite)
}

/** Loads JSON5 on first use. Throws `SyntaxError`. */
export function parseJson5(text: string): unknown {
  const { parse }: typeof JSON5 = require('json5')
  return parse(text, requireFinite)
}

/** Rejects `NaN` and `Infinity`, which pass comparisons that should fail. */
function requireFinite(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new SyntaxError('A number is not finite.')
}
