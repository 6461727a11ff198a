import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { ParametersSchema, ToolDefinition } from '../model.ts'
import type { TellStep, Tool } from '../tool.ts'

/** A parameter in the short form of a definition. */
type ListedParameter = {
  readonly name: string
  /** A type of JSON Schema; `string` when absent. */
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
}

type About = Omit<ToolDefinition, 'parameters'> & Pick<Tool, 'isReadOnly' | 'needsApproval' | 'close'>

type JsonToolOptions = About & {
  readonly parameters: ParametersSchema | readonly ListedParameter[]
  readonly call: (args: Readonly<Record<string, unknown>>, signal?: AbortSignal, tell?: TellStep) => Promise<unknown>
}

type ZodToolOptions<Shape extends z.ZodObject> = About & {
  readonly parameters: Shape
  readonly call: (args: z.infer<Shape>, signal?: AbortSignal, tell?: TellStep) => Promise<unknown>
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** A tool whose arguments are checked before it is called. Throws `invalid_input` for a name or schema that no model takes. */
export function defineTool<Shape extends z.ZodObject>(options: ZodToolOptions<Shape>): Tool
export function defineTool(options: JsonToolOptions): Tool
export function defineTool(options: JsonToolOptions | ZodToolOptions<z.ZodObject>): Tool {
  const { name, parameters, call, ...about } = options
  if (!NAME.test(name)) {
    throw new AppError(
      'invalid_input',
      `The tool name ${JSON.stringify(name)} must be 1 to 64 letters, digits, _ or -.`,
    )
  }
  const isZod = parameters instanceof z.ZodObject
  const schema = isZod ? schemaOf(parameters) : toSchema(name, parameters)
  const check = isZod ? zodCheck(parameters) : schemaCheck(name, schema)
  const run = call as JsonToolOptions['call'] // its arguments are checked by its own schema
  return { name, parameters: schema, ...about, call: async (args, signal, tell) => run(check(args), signal, tell) }
}

type Check = (args: unknown) => Readonly<Record<string, unknown>>

function schemaOf(parameters: z.ZodObject): ParametersSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' })
  return schema as ParametersSchema // that of an object
}

function zodCheck(parameters: z.ZodObject): Check {
  return args => {
    const parsed = parameters.safeParse(args)
    if (parsed.success) return parsed.data
    throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`))
  }
}

function toSchema(name: string, parameters: ParametersSchema | readonly ListedParameter[]): ParametersSchema {
  if (isListed(parameters)) {
    const properties = parameters.map(({ name: key, type = 'string', description }) => [
      key,
      { type, ...(description && { description }) },
    ])
    const required = parameters.filter(parameter => parameter.required).map(parameter => parameter.name)
    return { type: 'object', properties: Object.fromEntries(properties), required }
  }
  if (parameters.type === 'object' && typeof parameters.properties === 'object') return parameters
  throw new AppError('invalid_input', `The parameters of tool ${name} must be a JSON Schema of type object.`)
}

function isListed(parameters: ParametersSchema | readonly ListedParameter[]): parameters is readonly ListedParameter[] {
  return Array.isArray(parameters)
}

function schemaCheck(name: string, schema: ParametersSchema): Check {
  const validate = compile(name, schema)
  return args => {
    if (validate(args)) return args as Readonly<Record<string, unknown>> // an object, says the schema
    throw invalid((validate.errors ?? []).map(describe))
  }
}

/** The validator is loaded with the first tool that has a schema of its own: those of Passim have none. */
function compile(name: string, schema: ParametersSchema): ValidateFunction {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js') // its types
  try {
    return new Ajv2020({ allErrors: true, strict: false }).compile(schema)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('invalid_input', `The parameters of tool ${name} are no JSON Schema: ${reason}.`, { cause })
  }
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll('/', '.') || 'arguments'
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''
  const extra = typeof params.additionalProperty === 'string' ? `: ${params.additionalProperty}` : ''
  return `${field}: ${message}${allowed}${extra}`
}

/** A model mends its call from this: every bad field, and what it should have been. */
function invalid(problems: readonly string[]): AppError {
  return new AppError('invalid_input', `The arguments do not fit: ${problems.join('; ')}. Correct them and call again.`)
}
