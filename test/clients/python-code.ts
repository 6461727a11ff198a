/** A schema of the description, as far as types in Python can say it. */
type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Contents = Readonly<Record<string, { readonly schema?: Schema }>>

type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>
}

export type PythonDescription = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const HEAD = '# Generated from openapi.json by test/clients/python-code.ts. Do not edit.\n'

const JSON_TYPE = 'application/json'

/** Words that Python reserves. */
const RESERVED = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

const NAMES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'dict[str, Any]',
  array: 'list[Any]',
}

/** Writes the types of all answers, and one class with a method for each route under `/api`. */
export function writePythonClient({ paths, components }: PythonDescription) {
  const types = new Types()
  for (const [name, schema] of Object.entries(components.schemas)) types.declare(name, schema)
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) =>
      writeMethod(types, { path, verb, operation }),
    ),
  )
  const imports = types.names.map(name => `    ${name},\n`).join('')
  const models = `${HEAD}
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

${types.text}`
  const routes = `${HEAD}
from __future__ import annotations

from typing import Any, Literal

from .models import (
${imports})
from .transport import Transport


class Routes(Transport):
    """One method for each route under /api that answers with JSON or text."""
${methods.join('')}`
  return { models, routes }
}

class Types {
  readonly #declared = new Map<string, string>()

  get names(): readonly string[] {
    return [...this.#declared.keys()].toSorted()
  }

  get text(): string {
    return [...this.#declared.values()].join('\n\n')
  }

  declare(name: string, schema: Schema): void {
    if (this.#declared.has(name)) return
    this.#declared.set(name, '') // its place, before the types of its fields
    this.#declared.set(name, this.#writeDeclaration(name, schema))
  }

  /** `owner` names the type of an object that has no name. */
  write(schema: Schema, owner: string): string {
    const { $ref, type, items, prefixItems, properties, additionalProperties } = schema
    if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
    const values = schema.const === undefined ? schema.enum : [schema.const]
    if (values) return `Literal[${values.map(toLiteral).join(', ')}]`
    const members = schema.anyOf ?? schema.oneOf
    if (members) return this.#writeUnion(members, owner)
    if (typeof type === 'object') return type.map(name => NAMES[name] ?? 'Any').join(' | ')
    if (items) return `list[${this.write(items, owner)}]`
    if (prefixItems?.[0]) return `list[${this.write(prefixItems[0], owner)}]`
    if (properties && Object.keys(properties).length > 0) return this.#nest(schema, owner)
    if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
      return `dict[str, ${this.write(additionalProperties, owner)}]`
    return NAMES[type ?? ''] ?? 'Any'
  }

  #writeUnion(members: readonly Schema[], owner: string): string {
    const written = members.map((member, index) =>
      this.write(member, index === 0 ? owner : `${owner}${index + 1}`),
    )
    return written.includes('Any') ? 'Any' : [...new Set(written)].join(' | ')
  }

  #nest(schema: Schema, owner: string): string {
    const isFree = (name: string) => !this.#declared.has(name)
    const suffix = [...Array(100).keys()].find(index => isFree(`${owner}${index || ''}`)) ?? 0
    const name = `${owner}${suffix || ''}`
    this.declare(name, schema)
    return name
  }

  #writeDeclaration(name: string, schema: Schema): string {
    const { properties = {}, required = [], description } = schema
    const fields = Object.entries(properties)
    if (fields.length === 0) return `${name} = ${this.#writeAlias(schema, name)}\n`
    const typed = fields.map(([field, value]) => {
      const type = this.write(value, `${name}${toPascal(field)}`)
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, value }
    })
    if (typed.every(({ field }) => isName(field))) {
      const lines = typed.map(
        ({ field, type, value }) => `    ${field}: ${type}\n${writeDoc(value.description)}`,
      )
      return `class ${name}(TypedDict):\n${writeDoc(description)}${description ? '\n' : ''}${lines.join('')}`
    }
    const pairs = typed.map(
      ({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`,
    )
    return `${name} = TypedDict(${JSON.stringify(name)}, {\n${pairs.join('')}})\n`
  }

  /** An alias is evaluated: it names later types by text. */
  #writeAlias(schema: Schema, name: string): string {
    const type = this.write(schema, `${name}Item`)
    if (!type.includes(' | ')) return type
    const members = type
      .split(' | ')
      .map(member => (/^\w+$/.test(member) ? JSON.stringify(member) : member))
    return `Union[${members.join(', ')}]`
  }
}

type Route = { readonly path: string; readonly verb: string; readonly operation: Operation }

function writeMethod(types: Types, { path, verb, operation }: Route): readonly string[] {
  const answer = findAnswer(types, operation)
  if (!answer) return []
  const name = toSnake(operation.operationId.replace('Api', ''))
  const places = (operation.parameters ?? []).filter(parameter => parameter.in === 'path')
  const body = operation.requestBody?.content[JSON_TYPE]?.schema
  const query = (operation.parameters ?? []).filter(
    parameter => parameter.in === 'query' && !body?.properties?.[parameter.name], // of a body of bytes
  )
  const names = new Map(places.map(place => [place.name, nameParameter(path, place.name)]))
  const fields = [...query.map(toField), ...listFields(body)].map(field => ({
    ...field,
    type: types.write(field.schema, `${toPascal(name)}${toPascal(field.name)}`),
  }))
  const parameters = [
    'self',
    ...[...names.values()].map(argument => `${argument}: str`),
    ...(fields.length > 0 || (body && !body.properties) ? ['*'] : []),
    ...(body && !body.properties ? ['body: Any = None'] : []),
    ...fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)).map(writeArgument),
  ]
  const docs = fields.flatMap(({ name: own, description }) =>
    description ? [`        ${toArgument(own)}: ${description}\n`] : [],
  )
  const toPairs = (part: readonly Field[]) =>
    `{${part.map(({ name: own }) => `"${own}": ${toArgument(own)}`).join(', ')}}`
  const call = [
    JSON.stringify(verb.toUpperCase()),
    JSON.stringify(path),
    `{${[...names].map(([own, argument]) => `"${own}": ${argument}`).join(', ')}}`,
    ...(query.length > 0 ? [`query=${toPairs(query.map(toField))}`] : []),
    ...(body ? [`body=${body.properties ? toPairs(listFields(body)) : 'body'}`] : []),
    ...(answer === 'str' ? ['as_text=True'] : []),
  ]
  return [
    `
    def ${name}(
        ${parameters.join(',\n        ')},
    ) -> ${answer}:
        """${operation.summary}.${docs.length > 0 ? `\n\n${docs.join('').replaceAll('\\', '\\\\')}        ` : ''}"""
        return self.request(${call.join(', ')})
`,
  ]
}

type Field = {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description: string | undefined
}

function toField({ name, schema, required = false, description }: Parameter): Field {
  return { name, schema, isRequired: required, description }
}

function listFields(body: Schema | undefined): readonly Field[] {
  const required = new Set(body?.required)
  return Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    ...{ name, schema, isRequired: required.has(name), description: schema.description },
  }))
}

function writeArgument({ name, type, isRequired }: Field & { readonly type: string }): string {
  if (isRequired) return `${toArgument(name)}: ${type}`
  const hasNone = type === 'Any' || type.split(' | ').includes('None')
  return `${toArgument(name)}: ${hasNone ? type : `${type} | None`} = None`
}

/** Undefined for streams and bytes, which the client reads by methods of its own. */
function findAnswer(types: Types, { responses }: Operation): string | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = success?.content?.[JSON_TYPE]?.schema
  if (schema) return types.write(schema, 'Answer')
  return ['text/plain', 'application/x-ndjson'].some(type => success?.content?.[type])
    ? 'str'
    : undefined
}

/** The `id` in `/documents/{id}` becomes `document_id`. */
function nameParameter(path: string, name: string): string {
  if (name !== 'id') return toSnake(name)
  const [, resource = ''] = new RegExp(`/([^/]+)/\\{${name}\\}`).exec(path) ?? []
  return toSnake(`${resource.replace(/s$/, '')}_id`)
}

function toArgument(name: string): string {
  const argument = toSnake(name)
  return RESERVED.has(argument) ? `${argument}_` : argument
}

function isName(field: string): boolean {
  return /^[A-Za-z_]\w*$/.test(field) && !RESERVED.has(field)
}

function toSnake(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, letter => `_${letter}`).toLowerCase()
}

function toPascal(name: string): string {
  return name
    .replace(/(?:^|[^A-Za-z0-9])([a-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/\W/g, '')
}

function toLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

function writeDoc(description: string | undefined): string {
  if (description === undefined) return ''
  return `    """${description.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""\n`
}
