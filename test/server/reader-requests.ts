import { createHmac } from 'node:crypto'
import { once } from 'node:events'

/** Ids of a document that the reader sees. */
export type Seen = { readonly id: string; readonly fileId: string; readonly jobId: string }

export const NOTHING: Seen = { id: 'doc_0', fileId: 'file_0', jobId: 'job_0' }

/** Routes that a reader may use. */
export function listRequests(
  name: string,
  word: string,
  { id, fileId, jobId }: Seen,
): readonly Request[] {
  const search = (more: object) =>
    ['POST', '/api/search', { query: word, collections: [name], ...more }] as const
  const asked = { messages: [{ role: 'user', content: `What is ${word}?` }], model: name }
  const rpc = (method: string, params: object) =>
    ['POST', `/mcp?collection=${name}`, { jsonrpc: '2.0', id: 1, method, params }] as const
  const call = (tool: string, args: object) => rpc('tools/call', { name: tool, arguments: args })
  const paths = [
    ...['', '/text', '/blocks', '/chunks', '/tables', '/file', '/pages/1', '/pages/1.png'].map(
      part => `/api/documents/${id}${part}`,
    ),
    ...['', '/chunks'].map(part => `/api/collections/${name}/documents/d0${part}`),
    `/api/collections/${name}/synonyms`,
    ...['', '/events'].map(part => `/api/jobs/${jobId}${part}`),
    ...['', '/content'].flatMap(part => [
      `/v1/files/${fileId}${part}`,
      `/v1/vector_stores/${name}/files/${fileId}${part}`,
    ]),
    ...['/v1/batches', '/api/judgements', `/v1/models/${name}`],
    '/api/events?after=oldest&types=document.completed',
    ...[
      `/api/citations/${id}?start=0&end=9`,
      `/api/documents?collection=${name}`,
      '/api/collections',
    ],
    ...[
      `/api/collections/${name}`,
      `/api/collections/${name}/documents`,
      `/api/jobs?collection=${name}`,
    ],
    ...['/api/deletions', '/api/conversations', '/api/threads', '/v1/models', '/v1/files'],
    ...['/v1/vector_stores', `/v1/vector_stores/${name}`, `/v1/vector_stores/${name}/files`],
  ]
  return [
    ...paths.map(path => ['GET', path] as const),
    ...[search({ explain: true }), search({ mode: 'keyword' }), search({ mode: 'vector' })],
    ...[search({ mode: 'front-page' }), search({ precise: true }), search({ query: `${word}x` })],
    ...[
      search({ filter: 'team=x' }),
      search({ query: `"${word}"` }),
      search({ documents: ['d0'] }),
    ],
    ['POST', '/api/ask', { question: `What is ${word}?`, collections: [name] }],
    ['POST', '/api/ask', { question: 'How many documents are there?', collections: [name] }],
    ['POST', '/api/find', { text: `${word} ${word}`, collections: [name] }],
    ['POST', '/v1/chat/completions', asked],
    ['POST', '/v1/completions', { prompt: word, model: name }],
    ['POST', '/v1/responses', { input: word, model: name, store: false }],
    ['POST', `/v1/vector_stores/${name}/search`, { query: word }],
    [
      'POST',
      '/retrieval',
      { knowledge_id: name, query: word, retrieval_setting: { top_k: 5, score_threshold: 0 } },
    ],
    ['POST', '/v1/embeddings', { model: 'passim-embedder', input: word }],
    ...['/v1/rerank', '/v2/rerank'].map(
      path => ['POST', path, { query: word, documents: [word, 'x'] }] as const,
    ),
    ['POST', '/v1/responses/input_tokens', { input: word, model: name }],
    ...[call('search', { query: word }), call('list_documents', {}), call('fetch', { id })],
    ...[call('ask', { question: `What is ${word}?` }), call('get_synonyms', {})],
    ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map(method =>
      rpc(method, {}),
    ),
    ...[rpc('skills/list', {}), rpc('resources/read', { uri: `passim://documents/${id}` })],
  ]
}

export type Request = readonly [method: string, path: string, body?: object]

export const ID = /\b[a-z]+[_-][0-9a-f]{16,}(?:_\d+|i\d+)?\b/g
const TIME = /\b1\d{9}(?:\d{3})?\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g
const SECONDS = /(?<="seconds\\?":)[\d.e-]+/g

/** Long enough for an event that is due; a stream that stays silent is read. */
const SILENCE_MS = 60

async function readEvents({ body }: Response): Promise<string> {
  let text = ''
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const silence = AbortSignal.timeout(SILENCE_MS)
    const next = await Promise.race([reader.read(), once(silence, 'abort')])
    if (!('value' in next) || next.done) break
    text += next.value
  }
  await reader.cancel()
  return text
}

/** Comments of a stream that waits, as a busy machine does. */
const KEEPALIVE = /^:.*\n+/gm

/** Numbers ids in their order. */
export async function readNormal(response: Response, isEndless = false): Promise<string> {
  const ids = new Map<string, string>()
  const all = isEndless ? readEvents(response) : response.text()
  const text = (await all).replaceAll(ID, id => {
    ids.set(id, ids.get(id) ?? `id${ids.size}`)
    return ids.get(id)! // just set
  })
  return `${response.status} ${text.replaceAll(SECONDS, 'time').replaceAll(KEEPALIVE, '')}`
}

/** Also hides times, which differ between stores whose clock differs. */
export async function normalize(response: Response): Promise<string> {
  return (await readNormal(response)).replaceAll(TIME, 'time')
}

export const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

export function getNowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

export const HOUR = 3600

export type Claims = Readonly<Record<string, unknown>>

export function signToken(
  claims: Claims,
  secret: string,
  header: object = { alg: 'HS256' },
): string {
  const text = `${encode(header)}.${encode({ exp: getNowSeconds() + HOUR, ...claims })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
