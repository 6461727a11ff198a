/** JSON Schema, or that of OpenAPI. */
export type JsonSchema = { readonly [key: string]: unknown }

/** A part of a request that the contract has and a server's schema has not. */
export type Lack = {
  /** As `tools[].type=mcp`, or `reasoning.summary`. */
  readonly place: string
  /** Whether a request that has it is refused, or it is passed over. */
  readonly isRefused: boolean
  /** Where the schema says why. */
  readonly reason?: string
}

type Described = { readonly schema: JsonSchema; readonly root: JsonSchema }

/** Properties by whose value one kind of object is told from another. */
const TAGS = ['type', 'role', 'anchor', 'object'] as const

/** Every property and value inside of the parameters of a request that the contract knows and the server's schema does not. */
export function lacksOf(wanted: Described, served: Described): readonly Lack[] {
  const comparison = new Comparison(wanted.root, served.root)
  comparison.hold(
    alternatives(wanted.root, wanted.schema),
    alternatives(served.root, served.schema),
    '',
  )
  return [...comparison.lacks.values()]
}

class Comparison {
  readonly lacks = new Map<string, Lack>()
  readonly #wanted: JsonSchema
  readonly #served: JsonSchema
  /** Those that are being compared, for schemas contain themselves. */
  readonly #open = new Set<string>()

  constructor(wanted: JsonSchema, served: JsonSchema) {
    this.#wanted = wanted
    this.#served = served
  }

  hold(schemas: readonly JsonSchema[], ours: readonly JsonSchema[], place: string): void {
    const refused = ours.find(({ not }) => not)
    if (refused && place.includes('.')) this.#add(place, true, String(refused.description)) // others are told of elsewhere
    if (refused || ours.length === 0 || ours.some(isAnything)) return
    for (const value of schemas.flatMap(valuesOf)) {
      if (!ours.some(schema => takesValue(schema, value)))
        this.#add(`${place}=${String(value)}`, true)
    }
    for (const schema of schemas) {
      const items = alternatives(this.#wanted, schema.items)
      const ourItems = ours.flatMap(({ items: own }) => alternatives(this.#served, own))
      if (items.length > 0) this.hold(items, ourItems, `${place}[]`)
      if (schema.properties) this.#holdOnce(schema, ours, place)
    }
  }

  #holdOnce(schema: JsonSchema, ours: readonly JsonSchema[], place: string): void {
    const key = JSON.stringify(schema)
    if (this.#open.has(key)) return
    this.#open.add(key)
    this.#holdObject(schema, ours, place)
    this.#open.delete(key)
  }

  #holdObject(schema: JsonSchema, ours: readonly JsonSchema[], place: string): void {
    const tags = tagsOf(this.#wanted, schema)
    const isAlike = (own: JsonSchema) =>
      tags.every(([name, values]) => hasTag(this.#served, own, name, values))
    const alike = ours.filter(own => own.properties && isAlike(own))
    const called = place + tags.map(([name, values]) => `.${name}=${values.join('|')}`).join('')
    if (alike.length === 0) this.#add(called, true)
    const names = new Set(tags.map(([name]) => name))
    for (const [name, property] of Object.entries(schema.properties as JsonSchema)) {
      if (alike.length > 0 && !names.has(name))
        this.#holdProperty(property, alike, place ? `${called}.${name}` : name, name)
    }
  }

  #holdProperty(
    property: unknown,
    alike: readonly JsonSchema[],
    place: string,
    name: string,
  ): void {
    const own = alike.flatMap(({ properties }) =>
      alternatives(this.#served, (properties as JsonSchema)[name]),
    ) // they have some
    const isStrict = alike.every(({ additionalProperties: more }) => more === false)
    if (own.length > 0) this.hold(alternatives(this.#wanted, property), own, place)
    else if (!alike.some(isOpen)) this.#add(place, isStrict)
  }

  #add(place: string, isRefused: boolean, reason?: string): void {
    this.lacks.set(place, { place, isRefused, ...(reason && { reason }) })
  }
}

function isOpen({ additionalProperties: more }: JsonSchema): boolean {
  return typeof more === 'object' || more === true
}

/** The schemas that a value may be one of, without those that they refer to. */
function alternatives(root: JsonSchema, schema: unknown): readonly JsonSchema[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref, anyOf, oneOf, allOf, ...rest } = schema as JsonSchema // an object
  if (typeof $ref === 'string') return alternatives(root, resolve(root, $ref))
  const either = [anyOf, oneOf].flatMap(all => (all as JsonSchema[] | undefined) ?? []) // lists of schemas
  if (either.length > 0)
    return either.flatMap(part => alternatives(root, withProperties(root, part, rest)))
  if (!allOf) return [rest]
  const parts = (allOf as JsonSchema[]).map(part => alternatives(root, part)) // a list of schemas
  return parts.reduce<readonly JsonSchema[]>(
    (all, part) => all.flatMap(one => part.map(other => merged(one, other))),
    [rest],
  )
}

/** What an object has beside its alternatives is in each of them. */
function withProperties(root: JsonSchema, part: JsonSchema, rest: JsonSchema): JsonSchema {
  return rest.properties ? { allOf: [...alternatives(root, part), rest] } : part
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  const properties = { ...(one.properties as object), ...(other.properties as object) }
  return { ...one, ...other, ...(Object.keys(properties).length > 0 && { properties }) }
}

function resolve(root: JsonSchema, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, step) => (value as JsonSchema)[step], root) // refs are right
}

function isAnything(schema: JsonSchema): boolean {
  const { type, properties, items, enum: values, const: value, not } = schema
  if (isOpen(schema)) return !properties
  return [type, properties, items, values, value, not].every(part => part === undefined)
}

function valuesOf({ enum: values, const: value, type }: JsonSchema): readonly unknown[] {
  if (type === 'boolean') return []
  const all = (values as unknown[] | undefined) ?? (value === undefined ? [] : [value]) // a list of values
  return all.filter(one => one !== null)
}

function takesValue(schema: JsonSchema, value: unknown): boolean {
  const own = valuesOf(schema)
  return own.length > 0 ? own.includes(value) : [schema.type].flat().includes(typeof value)
}

/** Of one kind of object, what says that it is of this kind. */
function tagsOf(
  root: JsonSchema,
  { properties }: JsonSchema,
): readonly (readonly [string, readonly unknown[]])[] {
  return TAGS.flatMap(name => {
    const values = alternatives(root, (properties as JsonSchema)[name]).flatMap(valuesOf)
    return values.length > 0 ? [[name, values] as const] : []
  })
}

function hasTag(
  root: JsonSchema,
  { properties, additionalProperties: more }: JsonSchema,
  name: string,
  values: readonly unknown[],
): boolean {
  const own = (properties as JsonSchema)[name]
  if (own === undefined) return more !== false
  return alternatives(root, own).some(
    schema => isAnything(schema) || values.some(value => takesValue(schema, value)),
  )
}
