import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { requireKnownNames } from '../known-names.ts'
import { parseJson5 } from '../messages/function-call.ts'
import type { ParametersSchema, ToolDefinition } from '../model.ts'
import type { Tool, ToolRun } from '../tool.ts'
import { type AnySchema, compileSchema } from './json-schema.ts'

type ListedParameter = {
  readonly name: string
  /** JSON Schema type; default `string`. */
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
  /** Passed if the model leaves the parameter out. */
  readonly default?: unknown
}

type About<Arguments> = Omit<ToolDefinition, 'parameters'> &
  Pick<Tool, 'isReadOnly' | 'mayRepeat' | 'close'> & {
    readonly call: (args: Arguments, signal?: AbortSignal, run?: ToolRun) => Promise<unknown>
    /** Receives valid arguments only. */
    readonly needsApproval?: boolean | ((args: Arguments) => boolean)
  }

type JsonToolOptions = About<Readonly<Record<string, unknown>>> & {
  readonly parameters: ParametersSchema | readonly ListedParameter[]
}

type ZodToolOptions<Shape extends z.ZodObject> = About<z.infer<Shape>> & {
  readonly parameters: Shape
}

export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/

const OPTIONS: Readonly<Record<keyof JsonToolOptions, true>> = {
  name: true,
  description: true,
  parameters: true,
  call: true,
  isReadOnly: true,
  mayRepeat: true,
  needsApproval: true,
  close: true,
  nameForHuman: true,
  argsFormat: true,
  strict: true,
}
const ADVICE = 'In the AI SDK, parameters is called inputSchema, and call is called execute.'

/** Throws `invalid_input` for an invalid name or schema. */
export function defineTool<Shape extends z.ZodObject>(options: ZodToolOptions<Shape>): Tool
export function defineTool(options: JsonToolOptions): Tool
export function defineTool(options: JsonToolOptions | ZodToolOptions<z.ZodObject>): Tool {
  requireKnownNames('defineTool()', options, OPTIONS, ADVICE)
  const { name, parameters, call, needsApproval: needs, ...about } = options
  if (!TOOL_NAME.test(name)) {
    throw new AppError(
      'invalid_input',
      `The tool name ${JSON.stringify(name)} must be 1 to 64 letters, digits, _ or -.`,
    )
  }
  const parameterSchema =
    parameters instanceof z.ZodObject ? parameters : toSchema(name, parameters)
  const { schema, read } = compileSchema(parameterSchema, `The parameters of tool ${name} are`)
  const run: JsonToolOptions['call'] = call // checked by its own schema
  const readArguments = (args: unknown) => read(completeArguments(args, schema, parameterSchema))
  const checked = (args: unknown) => {
    const result = readArguments(args)
    if ('problems' in result)
      throw new AppError(
        'invalid_input',
        `The arguments do not fit: ${result.problems.join('; ')}. Correct them and call again.`,
      )
    return result.value as Readonly<Record<string, unknown>>
  }
  const isNeeded = (args: unknown, needs: (args: never) => boolean) => {
    const result = readArguments(args)
    return 'problems' in result ? false : needs(result.value as never)
  }
  const make: Tool['call'] = async (args, ...of) => run(checked(args), ...of)
  const needsApproval =
    typeof needs === 'function' ? (args: unknown) => isNeeded(args, needs) : needs
  return {
    name,
    parameters: schema as ParametersSchema,
    ...about,
    call: make,
    ...(needsApproval !== undefined && { needsApproval }),
  }
}

function toSchema(
  name: string,
  parameters: ParametersSchema | readonly ListedParameter[],
): ParametersSchema {
  if (isListed(parameters)) {
    const properties = parameters.map(({ name: key, type = 'string', description, ...more }) => [
      key,
      {
        type,
        ...(description && { description }),
        ...(more.default !== undefined && { default: more.default }),
      },
    ])
    const required = parameters
      .filter(parameter => parameter.required)
      .map(parameter => parameter.name)
    return { type: 'object', properties: Object.fromEntries(properties), required }
  }
  if (parameters.type === 'object' && typeof parameters.properties === 'object') return parameters
  throw new AppError(
    'invalid_input',
    `The parameters of tool ${name} must be a JSON Schema of type object.`,
  )
}

function completeArguments(
  args: unknown,
  schema: Readonly<Record<string, unknown>>,
  own: AnySchema,
): unknown {
  const { success, data: completed } = objectSchema.safeParse(args)
  if (!success) return args
  const complete: Record<string, unknown> = { ...completed }
  const properties = objectSchema.safeParse(schema.properties).data ?? {}
  for (const [name, property] of Object.entries(properties)) {
    const { type, default: usual } = propertySchema.safeParse(property).data ?? {}
    const value = completed[name]
    const isMissing = value === undefined && usual !== undefined
    if (isMissing && !(own instanceof z.ZodType)) complete[name] = structuredClone(usual)
    if (typeof value === 'string' && (type === 'array' || type === 'object'))
      complete[name] = readWritten(value, type)
  }
  return complete
}

const objectSchema = z.record(z.string(), z.unknown())
const propertySchema = z.object({ type: z.unknown(), default: z.unknown() }).partial()

function readWritten(text: string, type: 'array' | 'object'): unknown {
  if (!text.trimStart().startsWith(type === 'array' ? '[' : '{')) return text
  try {
    return parseJson5(text)
  } catch {
    return text // the check names the parameter
  }
}

function isListed(
  parameters: ParametersSchema | readonly ListedParameter[],
): parameters is readonly ListedParameter[] {
  return Array.isArray(parameters)
}
