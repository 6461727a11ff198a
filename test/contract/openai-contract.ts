import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type JsonSchema = { readonly [key: string]: unknown }
type Operation = {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> }
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { readonly schema: JsonSchema }> }
  >
}
type Contract = {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, JsonSchema> }
}

/** Where OpenAI's published contract lies, or undefined on machines that do not have it. */
export function findContract(): string | undefined {
  const shared = process.env.PASSIM_SHARED ?? path.resolve(import.meta.dirname, '../../../shared')
  const file = path.join(shared, 'contract/openai-openapi.json')
  return existsSync(file) ? file : undefined
}

/** Holds responses to OpenAI's contract, and to nothing else: a property it does not name is a mistake, too. */
export class OpenAIContract {
  readonly #contract: Contract
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  readonly #validators = new Map<string, ValidateFunction>()
  /** Routes whose responses were checked, as `GET /files`. */
  readonly checked = new Set<string>()

  constructor(file: string) {
    this.#contract = JSON.parse(readFileSync(file, 'utf8')) as Contract // the published file
    const { schemas } = this.#contract.components
    this.#ajv.addSchema({
      $id: 'openai',
      components: { schemas: seal(schemas, 'closed'), parts: seal(schemas, 'part') },
    })
  }

  /** Every route under these paths, as `GET /files`. */
  routes(prefixes: readonly string[]): readonly string[] {
    return Object.entries(this.#contract.paths)
      .filter(([route]) => prefixes.some(prefix => route.startsWith(prefix)))
      .flatMap(([route, methods]) =>
        Object.keys(methods).map(method => `${method.toUpperCase()} ${route}`),
      )
  }

  /** Every parameter of a route: those of its query, then those of its body in either form. */
  parameters(method: string, route: string): readonly string[] {
    const { parameters = [], requestBody } = this.#contract.paths[route]![method.toLowerCase()]! // one of routes()
    const query = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
    const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      this.#propertiesOf(schema),
    )
    return [...new Set([...query, ...bodies])]
  }

  /** What a route's body is to be like, by media type. */
  bodies(
    method: string,
    route: string,
  ): readonly (readonly [string, { schema: JsonSchema; root: JsonSchema }])[] {
    const { requestBody } = this.#contract.paths[route]![method.toLowerCase()]! // one of routes()
    return Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
      type,
      { schema, root: this.#contract },
    ])
  }

  #propertiesOf({
    $ref,
    properties = {},
    allOf = [],
    oneOf = [],
    anyOf = [],
  }: JsonSchema): readonly string[] {
    const named = $ref
      ? this.#contract.components.schemas[String($ref).replace('#/components/schemas/', '')]
      : undefined
    const parts = [named, allOf, oneOf, anyOf].flat() as (JsonSchema | undefined)[] // lists of schemas
    return [
      ...Object.keys(properties as object),
      ...parts.flatMap(part => (part ? this.#propertiesOf(part) : [])),
    ]
  }

  /** What is wrong with a successful response, in words; empty when nothing is. */
  problems(method: string, route: string, response: unknown): readonly string[] {
    this.checked.add(`${method} ${route}`)
    const operation = this.#contract.paths[route]?.[method.toLowerCase()]
    const schema = operation?.responses['200']?.content?.['application/json']?.schema
    if (!schema) throw new Error(`The contract has no ${method} ${route}.`)
    return this.#validate(schema, response)
  }

  /** What is wrong with one server-sent event of a route that streams. */
  problemsOfEvent(method: string, route: string, event: unknown): readonly string[] {
    const content = this.#contract.paths[route]?.[method.toLowerCase()]?.responses['200']?.content
    const schema = content?.['text/event-stream']?.schema
    if (!schema) throw new Error(`The contract has no stream of ${method} ${route}.`)
    return this.#validate(this.#variant(schema, event), event)
  }

  /** Of the many kinds of events the one that this claims to be, so that what is wrong is told of it alone. */
  #variant(schema: JsonSchema, event: unknown): JsonSchema {
    const { schemas } = this.#contract.components
    const named = (ref: unknown) => schemas[String(ref).replace('#/components/schemas/', '')]
    const { type } = event as { type?: string } // an event is an object
    const kinds = (named(schema.$ref)?.anyOf ?? []) as JsonSchema[]
    const kind = kinds.find(({ $ref }) => {
      const properties = named($ref)?.properties as { type?: { enum?: string[] } } | undefined
      return properties?.type?.enum?.includes(type ?? '')
    })
    return kind ?? schema
  }

  problemsOfError(response: unknown): readonly string[] {
    return this.#validate({ $ref: '#/components/schemas/ErrorResponse' }, response)
  }

  #validate(schema: JsonSchema, value: unknown): readonly string[] {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openai#/')
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text))
    this.#validators.set(text, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath || 'the response', message, JSON.stringify(params)].join(' '),
    )
  }
}

/** Fields beyond the contract, which names none for what they state. Other servers of this API add such fields, too. */
const EXTENSIONS: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  Model: {
    type: { type: 'string' },
    name: { type: 'string' },
    vector_store_id: { type: 'string' },
  },
  CreateChatCompletionStreamResponse: {
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
  },
}

function extend(name: string, schema: unknown): unknown {
  const fields = EXTENSIONS[name]
  if (!fields || typeof schema !== 'object' || schema === null) return schema
  const { properties = {} } = schema as { readonly properties?: object } // a JSON Schema of an object
  return { ...schema, properties: { ...properties, ...fields } }
}

/**
 * Every object that lists its properties has no others. Parts of an `allOf` complete each other: only the whole is
 * closed, and what they refer to is taken from `parts`, where the outermost object is left open.
 */
function seal(
  schemas: Readonly<Record<string, unknown>>,
  outermost: 'closed' | 'part',
): Record<string, unknown> {
  const entries = Object.entries(schemas)
  return Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      outermost === 'closed' ? close(extend(name, schema)) : leaveOpen(extend(name, schema)),
    ]),
  )
}

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const open = leaveOpen(schema) as object // an object stays one
  const isList = 'properties' in schema && !('additionalProperties' in schema)
  if ('allOf' in schema) return { ...open, unevaluatedProperties: false }
  return isList ? { ...open, additionalProperties: false } : open
}

/** Closed inside, but not itself. */
function leaveOpen(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key]) => key !== 'nullable' || 'type' in schema)
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'enum' && 'nullable' in schema) return [key, [...(value as unknown[]), null]] // a list of values
      if (key === 'allOf') return [key, (value as unknown[]).map(partOf)] // a list of schemas
      if (key === 'properties')
        return [key, Object.fromEntries(Object.entries(value as object).map(closeEntry))]
      return [key, close(value)]
    }),
  )
}

/** A property may be called as a keyword is. */
function closeEntry([name, schema]: [string, unknown]): [string, unknown] {
  return [name, close(schema)]
}

function partOf(schema: unknown): unknown {
  if (typeof schema === 'object' && schema !== null && '$ref' in schema) {
    return { $ref: String(schema.$ref).replace('#/components/schemas/', '#/components/parts/') }
  }
  return leaveOpen(schema)
}
