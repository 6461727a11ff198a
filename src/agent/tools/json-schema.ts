import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { z } from 'zod'
import { describeSchemaFault } from '../../errors/schema-issue.ts'
import { AppError } from '../../errors.ts'
import { parseJson5 } from '../messages/function-call.ts'
import type { ResponseFormat } from '../models/generate-config.ts'

export type AnySchema<Value = unknown> = z.ZodType<Value> | Readonly<Record<string, unknown>>

type Read = { readonly value: unknown } | { readonly problems: readonly string[] }

type CheckedSchema = {
  readonly schema: Readonly<Record<string, unknown>>
  readonly read: (value: unknown) => Read
}

/** Throws `invalid_input` for an invalid schema; `whose` begins the sentence. */
export function compileSchema(schema: AnySchema, whose: string): CheckedSchema {
  if (!(schema instanceof z.ZodType)) return { schema, read: toReader(compile(whose, schema)) }
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return { schema: json, read: value => readByZod(schema, value) }
}

function readByZod(schema: z.ZodType, value: unknown): Read {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  return {
    problems: parsed.error.issues.map(issue => {
      const { field, what } = describeSchemaFault({ issues: [issue] })
      return `${field || 'arguments'}: ${what}`
    }),
  }
}

function toReader(validate: ValidateFunction): CheckedSchema['read'] {
  return value =>
    validate(value) ? { value } : { problems: (validate.errors ?? []).map(describe) }
}

function compile(whose: string, schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = createRequire(import.meta.url)(
    'ajv/dist/2020.js',
  )
  try {
    return new Ajv2020({ allErrors: true, strict: false, strictNumbers: true }).compile(schema)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('invalid_input', `${whose} no JSON Schema: ${reason}.`, { cause })
  }
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll('/', '.') || 'arguments'
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''
  const extra =
    typeof params.additionalProperty === 'string' ? `: ${params.additionalProperty}` : ''
  return `${field}: ${message}${allowed}${extra}`
}

type ReadOutput = { readonly object: unknown } | { readonly problem: string }

export type StructuredOutput = {
  readonly format: ResponseFormat
  readonly read: (text: string) => ReadOutput
}

/** Throws `invalid_input` for an invalid schema. */
export function createStructuredOutput(outputSchema: AnySchema): StructuredOutput {
  const { schema, read } = compileSchema(outputSchema, 'The outputSchema is')
  const check = (text: string): ReadOutput => {
    const json = parseFencedJson(text)
    if (json === undefined) return { problem: 'It is not JSON.' }
    const result = read(json)
    if ('value' in result) return { object: result.value }
    const problems = result.problems.map(problem => problem.replace(/^arguments: /, '')).join('; ')
    return { problem: `It does not fit: ${problems}.` }
  }
  return { format: { type: 'json_schema', name: 'answer', schema }, read: check }
}

function parseFencedJson(text: string): unknown {
  const bare = text.trim().replace(/^```(?:json5?)?\s*|\s*```$/g, '')
  try {
    return parseJson5(bare)
  } catch {
    return undefined
  }
}
