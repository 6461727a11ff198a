import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CALLS_SERVED,
  ITEMS_SERVED,
  PARTS_SERVED,
  PURPOSES_SERVED,
  ROLES_SERVED,
  TOOLS_SERVED,
} from '../../src/server/http/parameters.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from '../server/api.ts'
import { type JsonSchema, type Lack, lacksOf } from './nested-parameters.ts'
import { findContract, OpenAIContract } from './openai-contract.ts'

const file = findContract()
const RESOURCES = [
  '/files',
  '/uploads',
  '/vector_stores',
  '/embeddings',
  '/models',
  '/chat',
  '/responses',
  '/conversations',
]
const DOCS = 'docs/http.md'
/** They mean the same in every list. */
const PAGING: ReadonlySet<string> = new Set(['after', 'before', 'order', 'limit'])
/** What is said of a parameter that is not simply taken. */
const NOTE =
  /^(?:Refused|Ignored|No effect):|\bMust be (?:1|false|the)\b|names are ignored|passed on/
/** Parameters with such a note have no other place in the table: `/openapi.json` says what becomes of them. */
const UNLISTED = /passed on|^(?:Ignored|No effect):/i
/** What becomes of what lies deeper in a request and that no schema here has, by its place. */
const INNER: readonly (readonly [RegExp, string])[] = [
  [/^(?:tools\[\]|tool_choice)\.type=[^.]*$/, `Refused: ${TOOLS_SERVED}.`],
  [/tool_calls\[\]\.type=custom/, `Refused: ${CALLS_SERVED}.`],
  [/^(?:input|items)\[\]\.type=\w+(?:\.role=developer)?$/, `Refused: ${ITEMS_SERVED}.`],
  [/input_audio$/, `Refused: ${PARTS_SERVED}.`],
  [/^modalities\[\]=audio$/, 'Refused: answers are text.'],
  [/^messages\[\]\.role=function$/, `Refused: ${ROLES_SERVED}.`],
  [/^purpose=evals$/, `Refused: ${PURPOSES_SERVED}.`],
  [/\.prompt_cache_breakpoint$/, 'Ignored: chat servers cache prompts on their own.'],
  [/\.(?:refusal|audio)$/, 'Ignored: the conversation continues from the text.'],
  [
    /\.(?:output_schema|defer_loading|allowed_callers)$/,
    'Ignored: the model sees all functions, and your client calls them.',
  ],
  [
    /\.(?:results|status|caller|namespace|name|phase|annotations|logprobs|encrypted_content)$/,
    'Ignored: you may send items back unchanged.',
  ],
]
const MARKS = ['<!-- parameters: begin -->', '<!-- parameters: end -->'] as const

type Property = { readonly description?: string }
type Operation = {
  readonly parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly schema: Property
  }[]
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: JsonSchema & { properties?: object } }>
  }
}
type Described = JsonSchema & { readonly paths: Record<string, Record<string, Operation>> }
type Route = {
  readonly name: string
  readonly wanted: readonly string[]
  readonly known: ReadonlyMap<string, Property>
  /** Of what lies deeper in the body, what is not simply taken. */
  readonly lacks: readonly Lack[]
}

describe.skipIf(!file)(
  'parameters as OpenAI publishes them (needs ../shared/contract or $PASSIM_SHARED)',
  () => {
    let sandbox: Sandbox
    let contract: OpenAIContract
    let served: ReadonlyMap<string, Operation>
    let routes: readonly Route[]

    beforeAll(async () => {
      sandbox = await Sandbox.make()
      const api = new Api(await sandbox.open())
      contract = new OpenAIContract(file!) // the suite is skipped without one
      const described = (await api.json('GET', '/openapi.json')) as unknown as Described
      served = servedBy(described)
      routes = routesOf(contract, served, described)
    })
    afterAll(() => sandbox.remove())

    test('are each taken, handed on, or refused by name', () => {
      const forgotten = routes.flatMap(({ name, wanted, known }) =>
        wanted.filter(parameter => !known.has(parameter)).map(parameter => `${name}: ${parameter}`),
      )
      expect(forgotten).toEqual([])
    })
    test('are, with all that lies deeper in them, taken, or told of with what becomes of it', () => {
      const untold = routes.flatMap(({ name, lacks }) =>
        lacks
          .filter(lack => !isTold(lack))
          .map(({ place, isRefused }) => `${name}: ${place}${isRefused ? ' is refused' : ''}`),
      )
      expect(untold).toEqual([])
    })
    test('belong to routes that are served, or named with the reason in docs/http.md', async () => {
      const [, after = ''] = (await readFile(DOCS, 'utf8')).split(
        'Routes of the contract that are not served',
      )
      const [table = ''] = /\n\|[\s\S]*?\n\n/.exec(after) ?? []
      const named = [...table.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, route]) => route)
      const missing = contract.routes(RESOURCES).filter(route => !served.has(keyOf(route)))
      expect(missing.toSorted()).toEqual(named.toSorted())
    })
    /** `npx vitest run -u` with this file writes the table anew. */
    test('are in the table of docs/http.md', async () => {
      const docs = await readFile(DOCS, 'utf8')
      const [before, after] = [docs.split(MARKS[0])[0], docs.split(MARKS[1])[1]]
      const table = [MARKS[0], ...formatTable(routes), MARKS[1]].join('\n')
      await expect(`${before}${table}${after}`).toMatchFileSnapshot(`../../${DOCS}`)
    })
  },
)

/** What is served, by the routes of OpenAI. */
function servedBy({ paths }: Described): ReadonlyMap<string, Operation> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [placeless(method, path), operation] as const,
    ),
  )
  return new Map(operations)
}

/** Under what a route of the contract is served. */
function keyOf(route: string): string {
  const [method = '', path = ''] = route.split(' ')
  return placeless(method, `/v1${path}`)
}

/** The routes of the contract that are served and take something. */
function routesOf(
  contract: OpenAIContract,
  served: ReadonlyMap<string, Operation>,
  described: Described,
): readonly Route[] {
  return contract.routes(RESOURCES).flatMap(name => {
    const [method = '', path = ''] = name.split(' ')
    const wanted = contract.parameters(method, path)
    const operation = served.get(keyOf(name))
    return operation && wanted.length > 0
      ? [
          {
            name,
            wanted,
            known: parametersOf(operation),
            lacks: lacksOfRoute(contract, name, operation, described),
          },
        ]
      : []
  })
}

function lacksOfRoute(
  contract: OpenAIContract,
  name: string,
  { requestBody }: Operation,
  root: JsonSchema,
) {
  const [method = '', path = ''] = name.split(' ')
  return contract.bodies(method, path).flatMap(([type, wanted]) => {
    const schema = requestBody?.content[type]?.schema
    return schema ? lacksOf(wanted, { schema, root }) : []
  })
}

function findReason({ place, reason }: Lack): string | undefined {
  return reason ?? INNER.find(([pattern]) => pattern.test(place))?.[1]
}

/** What is said of it has to be so. */
function isTold(lack: Lack): boolean {
  return findReason(lack)?.startsWith('Refused') === lack.isRefused
}

/** Splits `tools[].type=mcp` into the place `tools[].type` and the value `mcp`, and omits the kinds of enclosing objects. */
function splitPlace(place: string): { readonly outer: string; readonly name: string } {
  const [, list, value] = /^([\w[\]]+)=(.*)$/.exec(place) ?? []
  if (list && value) return { outer: list, name: value }
  const [, around = '', tag, kind = ''] =
    /^(.*?)\.(type|role)=([^.]*)(?:\.role=[^.]*)?$/.exec(place) ?? []
  const [name = ''] = tag ? kind.split('|') : place.split('.').slice(-1)
  const outer = tag ? `${around}.${tag}` : place.slice(0, -name.length - 1)
  return { outer: outer.replaceAll(/\.(?:type|role)=[^.[]*/g, ''), name }
}

/** Ids in a path are called differently here and there. */
function placeless(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`
}

function parametersOf({ parameters = [], requestBody }: Operation): ReadonlyMap<string, Property> {
  const inQuery = parameters
    .filter(parameter => parameter.in === 'query')
    .map(({ name, schema }) => [name, schema] as const)
  const inBody = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries(schema.properties ?? {}),
  )
  return new Map([...inQuery, ...(inBody as [string, Property][])]) // JSON Schema's
}

/** Returns the table: one row per note, with the places that it applies to and their parameters. */
function formatTable(routes: readonly Route[]): readonly string[] {
  const notes = new Map<string, Map<string, Set<string>>>()
  const add = (note: string, place: string, name: string) => {
    const places = notes.get(note) ?? new Map<string, Set<string>>()
    notes.set(note, places.set(place, (places.get(place) ?? new Set()).add(name)))
  }
  for (const { name, known, lacks } of routes) {
    for (const [parameter, { description = '' }] of known) {
      const isNoted = NOTE.test(description) && !UNLISTED.test(description)
      if (isNoted && !PAGING.has(parameter)) add(description, name, parameter)
    }
    for (const lack of lacks) {
      const { outer, name: inner } = splitPlace(lack.place)
      add(findReason(lack) ?? '', outer, inner)
    }
  }
  const rows = [...notes].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return [
    '| result | parameters or values, and their place |',
    '|---|---|',
    ...rows.map(([note, places]) => `| ${note} | ${joinPlaces(places)} |`),
  ]
}

/** Joins places with the same names, as in "`user` in `POST /a`, `POST /b`". */
function joinPlaces(places: ReadonlyMap<string, ReadonlySet<string>>): string {
  const placesByNames = new Map<string, string[]>()
  for (const [place, names] of places) {
    const key = joinCodes(names)
    placesByNames.set(key, [...(placesByNames.get(key) ?? []), place])
  }
  return [...placesByNames].map(([names, where]) => `${names} in ${joinCodes(where)}`).join('; ')
}

function joinCodes(names: Iterable<string>): string {
  return [...names].map(name => `\`${name}\``).join(', ')
}
