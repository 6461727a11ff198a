import type { OpenAIContract } from '../contract/openai-contract.ts'
import { eventsIn } from '../server/sse.ts'

/** Routes of the contract by a pattern of their paths, those with fewer parameters first. */
type Pattern = { readonly method: string; readonly route: string; readonly path: RegExp }

/** A fetch that holds all that a client is answered to OpenAI's contract; nothing is changed on the way. */
export class CheckedFetch {
  readonly #contract: OpenAIContract | undefined
  readonly #patterns: readonly Pattern[]
  readonly #prefix: string
  /** How many answers there were, and events in those that were streams. */
  calls = 0
  events = 0
  /** What the contract has no schema for. */
  unknown = 0
  readonly problems: string[] = []

  constructor(base: string, contract: OpenAIContract | undefined) {
    this.#contract = contract
    this.#prefix = new URL(base).pathname
    const routes = contract?.routes(['/']) ?? []
    this.#patterns = routes
      .map(name => {
        const [method = '', route = ''] = name.split(' ')
        return { method, route, path: new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`) }
      })
      .toSorted((a, b) => a.route.split('{').length - b.route.split('{').length)
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
    const bytes = await response.arrayBuffer()
    this.calls++
    if (this.#contract)
      this.#check(`${method} ${url.pathname.slice(this.#prefix.length)}`, response, bytes)
    return new Response(response.status === 204 ? null : bytes, response)
  }

  #check(name: string, response: Response, bytes: ArrayBuffer): void {
    const contract = this.#contract! // asked before
    const [method = '', path = ''] = name.split(' ')
    const found = this.#patterns.find(
      pattern => pattern.method === method && pattern.path.test(path),
    )
    const type = response.headers.get('content-type') ?? ''
    const text = new TextDecoder().decode(bytes)
    const note = (problems: readonly string[]) =>
      this.problems.push(...problems.map(problem => `${name} ${response.status}: ${problem}`))
    if (!response.ok) return void note(contract.problemsOfError(JSON.parse(text)))
    if (!found || name.startsWith('DELETE /responses')) return void this.unknown++
    if (type.includes('event-stream')) {
      for (const { data } of eventsIn(text)) {
        this.events++
        note(contract.problemsOfEvent(method, found.route, asPublished(data)))
      }
    } else if (type.includes('json'))
      note(contract.problems(method, found.route, asPublished(JSON.parse(text))))
  }
}

/**
 * What the published schemas say nothing of, as they would have it: thoughts, a field that other servers have and that the
 * schema leaves room for, and vectors in base64, which OpenAI's own client asks for.
 */
function asPublished(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner) => {
    if (key === 'reasoning_content') return undefined
    return key === 'embedding' && typeof inner === 'string' ? numbersIn(inner) : inner
  })
}

function numbersIn(base64: string): readonly number[] {
  const bytes = Buffer.from(base64, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}
