import { createPseudoRandom } from '../../src/search/evaluation/metrics.ts'
import { openKeyed } from './keyed.ts'
import {
  ID,
  listRequests,
  NOTHING,
  type Request,
  readNormal,
  type Seen,
  signToken,
} from './reader-requests.ts'

const SECRET = 'a secret of the gateway, of more than 32 bytes'

const WORDS = [...'printer paper drum toner hall leave days lease rent 打印机 纸张 租金'.split(' ')]
/** Only in documents that no compared reader sees. */
const SECRET_WORDS = ['merger', 'salary', 'printers', '并购']
const COLLECTIONS = ['wiki', 'more', 'plain']
/** Made by documents that no compared reader sees. */
const SECRET_COLLECTIONS = ['vault', 'attic']
const NAMES = ['user:ann', 'user:bob', 'group:hr', 'group:it', '*']
const TEAMS = ['x', 'y']
const SECRET_ATTRIBUTES = [
  { team: 'z', readers: 'user:eve group:board', codename: 'merger' },
  { team: 'z' },
  { team: 'z', readers: 'group:board', year: '2031' },
]
/** Access of keys. */
const KEYS = [
  { filter: 'team=x' },
  { filter: 'team!=z' },
  { collections: ['wiki', 'vault'], filter: 'team=y' },
  { collections: ['plain'] },
]
const FILTERS = [undefined, undefined, 'team=x', 'team!=x']
const SCOPES = [undefined, ['wiki', 'vault'], ['plain', 'more']]

/** All routes in one set of so many. */
const EVERY_ROUTE = 32
/** Routes of another set. */
const ROUTES = 4
const START = Date.UTC(2026, 5, 1)
const STEP_MS = 61_000

type Service = Awaited<ReturnType<typeof openKeyed>>
type Content = { readonly [kind: string]: unknown }
type Given = { readonly collection: string; readonly content: Content; readonly attributes: object }
type Reader = { readonly about: string; readonly tokens: readonly string[] }
type Difference = { readonly set: number; readonly request: string; readonly answers: string[] }

export type Walk = {
  readonly sets: number
  readonly answers: number
  readonly states: number
  readonly differences: readonly Difference[]
}

type WalkOptions = {
  readonly sets: number
  readonly seed: number
  /** Sets per state of the documents. */
  readonly setsPerState?: number
  readonly onState?: (walk: Walk) => void
  /** Default: 20. */
  readonly maxDifferences?: number
}

/**
 * Changes two stores at random, which differ in documents that the compared readers do not see,
 * and compares what random readers get for random questions. Sets the clock of the process, so
 * that times are compared, too.
 */
export async function walkSets(options: WalkOptions): Promise<Walk> {
  const tokens = { algorithm: 'HS256' as const, key: SECRET }
  const server = { tokens, requestsPerMinute: 1_000_000, maxOpenStores: 24 }
  const { now } = Date
  let clock = START
  Date.now = () => clock
  const services = [await openKeyed(server), await openKeyed(server)] as const
  try {
    const tick = () => (clock += STEP_MS)
    return await new Walker(services, tick, options).run()
  } finally {
    Date.now = now
    for (const service of services) await service.close()
  }
}

class Walker {
  readonly #services: readonly Service[]
  readonly #tick: () => void
  readonly #options: WalkOptions
  readonly #random: () => number
  /** By collection and id; the same in both stores. */
  readonly #common = new Map<string, Given>()
  /** By collection and id, of each store. */
  readonly #secret = [new Map<string, Given>(), new Map<string, Given>()] as const
  readonly #admins: string[] = []
  readonly #keys: Reader[] = []
  readonly #differences: Difference[] = []
  #sets = 0
  #answers = 0
  #states = 0

  constructor(services: readonly Service[], tick: () => void, options: WalkOptions) {
    this.#services = services
    this.#tick = tick
    this.#options = options
    this.#random = createPseudoRandom(options.seed)
  }

  async run(): Promise<Walk> {
    const { sets, setsPerState = 25, onState, maxDifferences = 20 } = this.#options
    await this.#start()
    while (this.#sets < sets && this.#differences.length < maxDifferences) {
      const changes = 1 + this.#draw(3)
      for (let change = 0; change < changes; change++) await this.#change()
      this.#states++
      this.#tick()
      for (let set = 0; set < setsPerState && this.#sets < sets; set++) {
        await this.#compare()
        this.#sets++
      }
      onState?.(this.#toWalk())
    }
    return this.#toWalk()
  }

  #toWalk(): Walk {
    const [sets, answers, states] = [this.#sets, this.#answers, this.#states]
    return { sets, answers, states, differences: this.#differences }
  }

  async #start(): Promise<void> {
    const tenant = 'default'
    for (const { keys } of this.#services)
      this.#admins.push((await keys.create({ name: 'x', tenant, scope: 'admin' })).token)
    for (const { filter: text, ...access } of KEYS) {
      const filter = text
        ? { filter: { type: toType(text), key: 'team', value: text.at(-1)! } }
        : {}
      const tokens = await Promise.all(
        this.#services.map(async ({ keys }) => {
          const made = await keys.create({ name: 'x', tenant, scope: 'read', ...access, ...filter })
          return made.token
        }),
      )
      this.#keys.push({ about: JSON.stringify({ text, ...access }), tokens })
    }
    for (const name of COLLECTIONS) {
      this.#tick()
      await this.#onAll(async service => {
        const { passim, release } = await service.stores.acquire(tenant)
        await passim.collections.create({ name })
        release()
      })
    }
  }

  #draw(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #choose<One>(all: readonly One[]): One {
    return all[this.#draw(all.length)]!
  }

  async #onAll(change: (service: Service, which: number) => Promise<void>): Promise<void> {
    for (const [which, service] of this.#services.entries()) await change(service, which)
  }

  async #change(): Promise<void> {
    this.#tick()
    const draw = this.#random()
    const common = [...this.#common.keys()]
    if (draw < 0.4) await this.#putCommon()
    else if (draw < 0.48 && common.length > 3) await this.#deleteCommon(this.#choose(common))
    else if (draw < 0.55 && common.length > 3) await this.#hide(this.#choose(common))
    else await this.#changeSecret(this.#draw(2))
  }

  async #putCommon(): Promise<void> {
    const collection = this.#choose(COLLECTIONS)
    const name = `${collection}/d${this.#draw(6)}`
    if (this.#secret.some(secret => secret.has(name))) return
    const readers = [this.#choose(NAMES), this.#choose(NAMES)].slice(this.#draw(2)).join(' ')
    const attributes = {
      team: this.#choose(TEAMS),
      ...(this.#draw(5) > 0 && { readers }),
      ...(this.#draw(2) === 0 && { year: `${2020 + this.#draw(5)}` }),
    }
    const given = { collection, content: this.#makeContent(WORDS), attributes }
    await this.#onAll(async service => await this.#put(service, name, given))
    this.#common.set(name, given)
  }

  async #deleteCommon(name: string): Promise<void> {
    await this.#onAll(async (_service, which) => await this.#delete(which, name))
    this.#common.delete(name)
  }

  /** Makes a document secret; from then on, the stores may differ in it. */
  async #hide(name: string): Promise<void> {
    const { collection, content } = this.#common.get(name)!
    if (collection === 'plain') return // whose key sees all of it
    const given = { collection, content, attributes: this.#choose(SECRET_ATTRIBUTES) }
    await this.#onAll(async service => await this.#put(service, name, given))
    for (const secret of this.#secret) secret.set(name, given)
    this.#common.delete(name)
  }

  async #changeSecret(which: number): Promise<void> {
    const secret = this.#secret[which]!
    const names = [...secret.keys()]
    if (names.length > 0 && this.#draw(4) === 0) {
      const name = this.#choose(names)
      await this.#delete(which, name)
      secret.delete(name)
      return
    }
    const isKnown = names.length > 0 && this.#draw(3) === 0
    const collection = this.#choose(['wiki', 'more', ...SECRET_COLLECTIONS])
    const name = isKnown ? this.#choose(names) : `${collection}/s${this.#draw(4)}`
    const copied = [...this.#common.values()]
    const given = {
      collection: name.split('/')[0]!,
      content:
        copied.length > 0 && this.#draw(4) === 0
          ? this.#choose(copied).content
          : this.#makeContent([...WORDS, ...SECRET_WORDS]),
      attributes: this.#choose(SECRET_ATTRIBUTES),
    }
    await this.#put(this.#services[which]!, name, given)
    secret.set(name, given)
  }

  #makeContent(words: readonly string[]): Content {
    const makeText = () =>
      `The ${Array.from({ length: 3 + this.#draw(20) }, () => this.#choose(words)).join(' ')}.`
    const draw = this.#draw(6)
    if (draw === 0)
      return { markdown: `# ${this.#choose(words)}\n\n${makeText()}\n\n## B\n\n${makeText()}` }
    if (draw === 1)
      return {
        records: [1, 2, 3].map(() => ({ item: this.#choose(words), price: this.#draw(100) })),
      }
    if (draw === 2) return { html: `<h1>${this.#choose(words)}</h1><p>${makeText()}</p>` }
    return { text: makeText() }
  }

  async #put(service: Service, name: string, given: Given): Promise<void> {
    const { collection, content, attributes } = given
    const { passim, release } = await service.stores.acquire('default')
    try {
      const id = name.split('/')[1]!
      const title = `${id} ${Object.keys(content)[0]}`
      const put = { id, title, collection, attributes: { ...attributes }, ...content }
      const { document } = await passim.documents.put(put)
      if (id.endsWith('2')) {
        const [chunk] = (await passim.chunks.list(document.id)).chunks
        const note = `Note on ${JSON.stringify(content).length}.`
        if (chunk) await passim.chunks.update(document.id, chunk.id, { note })
      }
      await waitForRest(() => passim.isBusy)
    } finally {
      release()
    }
  }

  async #delete(which: number, name: string): Promise<void> {
    const path = `/api/collections/${name.replace('/', '/documents/')}`
    const { status } = await this.#request(which, this.#admins[which]!, ['DELETE', path])
    if (status >= 300) throw new Error(`${status} for DELETE ${path}`)
    const { passim, release } = await this.#services[which]!.stores.acquire('default')
    await waitForRest(() => passim.isBusy)
    release()
  }

  async #request(which: number, token: string, request: Request): Promise<Response> {
    const [method, path, body] = request
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const { app } = this.#services[which]!
    return await app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  }

  #drawReader(): Reader {
    if (this.#draw(4) === 0) return this.#choose(this.#keys)
    const claims = {
      sub: this.#choose(['ann', 'bob', 'cas']),
      groups: ['hr', 'it', 'ops'].filter(() => this.#draw(3) === 0),
      ...toGiven('filter', this.#choose(FILTERS)),
      ...toGiven('collections', this.#choose(SCOPES)),
    }
    const token = signToken(claims, SECRET)
    return { about: JSON.stringify(claims), tokens: [token, token] }
  }

  #drawQuestion(word: string): string {
    const all = [...WORDS, ...SECRET_WORDS]
    return this.#choose([
      `What is ${word}?`,
      `How many documents mention ${word}?`,
      'How many documents are there?',
      'Which documents are there?',
      'Which documents are from 2031?',
      'What is the price of the printer?',
      `What does s${this.#draw(4)} say about ${this.#choose(all)}?`,
      `What does d${this.#draw(6)} say about ${this.#choose(all)}?`,
    ])
  }

  async #compare(): Promise<void> {
    const reader = this.#drawReader()
    const name = this.#choose([...COLLECTIONS, 'wiki', 'vault'])
    const all = [...WORDS, ...SECRET_WORDS]
    const count = 1 + this.#draw(3)
    const word = Array.from({ length: count }, () => this.#choose(all)).join(' ')
    const question = this.#drawQuestion(word)
    const isEvery = this.#draw(EVERY_ROUTE) === 0
    const seen = await Promise.all(
      reader.tokens.map(async (token, which) =>
        isEvery ? await this.#findSeen(which, token, name) : NOTHING,
      ),
    )
    const lists = seen.map(one => [...listRequests(name, word, one), ...ask(name, question)])
    const count0 = lists[0]!.length
    const chosen = isEvery
      ? Array.from({ length: count0 }, (_, index) => index)
      : Array.from({ length: ROUTES }, () => this.#draw(count0))
    for (const index of chosen) await this.#compareAnswers(reader, lists, index)
  }

  async #compareAnswers(
    { about, tokens }: Reader,
    lists: readonly (readonly Request[])[],
    index: number,
  ): Promise<void> {
    const answers: string[] = []
    for (const [which, token] of tokens.entries()) {
      const request = lists[which]![index]!
      const response = await this.#request(which, token, request)
      answers.push(await readNormal(response, request[1].startsWith('/api/events')))
    }
    this.#answers++
    if (answers[0] === answers[1]) return
    const [method, path, body] = lists[0]![index]!
    const request = `${method} ${path} ${JSON.stringify(body)} by ${about}`.replaceAll(ID, 'id')
    this.#differences.push({ set: this.#sets, request, answers })
  }

  /** Ids of the first document that the reader sees, or of one that exists in a store only. */
  async #findSeen(which: number, token: string, name: string): Promise<Seen> {
    const read = async (path: string) =>
      (await (await this.#request(which, token, ['GET', path])).json()) as Listed
    const { documents = [] } = await read(`/api/documents?collection=${name}`)
    const { jobs = [] } = await read(`/api/jobs?collection=${name}`)
    const [document] = documents
    const jobId = jobs.find(({ documentId }) => documentId === document?.id)?.id
    return document && jobId ? { ...document, jobId } : NOTHING
  }
}

type Listed = {
  readonly documents?: readonly { readonly id: string; readonly fileId: string }[]
  readonly jobs?: readonly { readonly id: string; readonly documentId: string }[]
}

function ask(name: string, question: string): readonly Request[] {
  const asked = { messages: [{ role: 'user', content: question }], model: name }
  return [
    ['POST', '/api/ask', { question, collections: [name] }],
    ['POST', '/api/ask', { question }],
    ['POST', '/api/search', { query: question, explain: true }],
    ['POST', '/v1/chat/completions', asked],
  ]
}

function toType(text: string): 'eq' | 'ne' {
  return text.includes('!') ? 'ne' : 'eq'
}

function toGiven<Value>(name: string, value: Value | undefined): object {
  return value === undefined ? {} : { [name]: value }
}

async function waitForRest(isBusy: () => boolean): Promise<void> {
  while (isBusy()) await new Promise(resolve => setTimeout(resolve, 1))
}
