import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DoctorReport } from '../../src/wire/checks.ts'
import type { DocumentJson } from '../../src/wire/document.ts'
import type { ErrorJson } from '../../src/wire/error.ts'
import type { JobListJson } from '../../src/wire/job.ts'
import { startScriptedModel } from '../fakes/scripted-model-server.ts'
import { openKeyed } from './keyed.ts'

type Service = Awaited<ReturnType<typeof openKeyed>>

const BROWSER_IN_CHINA = 'zh-CN,zh;q=0.9,en;q=0.8'

let service: Service
let token: string
let model: Awaited<ReturnType<typeof startScriptedModel>>

beforeAll(async () => {
  model = await startScriptedModel([{ status: 400, body: '{"error":{"message":"no"}}' }])
  service = await openKeyed({}, {}, { url: model.url, name: 'scripted' })
  token = await service.token('default', 'admin')
})
afterAll(async () => {
  await service.close()
  await model.close()
})

async function request(language: string | undefined, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(language !== undefined && { 'accept-language': language }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const method = body ? 'POST' : 'GET'
  return await service.app.request(path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function readError(language: string | undefined, path: string, body?: object) {
  const response = await request(language, path, body)
  return { ...((await response.json()) as ErrorJson).error, response }
}

test.each([
  [BROWSER_IN_CHINA, 'zh'],
  ['zh-Hant-TW', 'zh'],
  ['fr, zh;q=0.5', 'zh'],
  ['en;q=0.5, zh', 'zh'],
  ['en-US,en;q=0.9,zh;q=0.8', 'en'],
  ['zh;q=0', 'en'],
  ['fr', 'en'],
  ['', 'en'],
  [undefined, 'en'],
])('messages for %s are in %s', async (accepted, language) => {
  const { message, code, response } = await readError(accepted, '/api/jobs/job_1')
  expect(message).toBe(
    language === 'zh'
      ? '没有任务 job_1。可用 GET /api/jobs 查看全部任务。'
      : 'There is no job job_1. GET /api/jobs lists them.',
  )
  expect(code).toBe('not_found')
  expect(response.headers.get('content-language')).toBe(language === 'zh' ? 'zh' : null)
  expect(response.headers.get('vary')).toContain('Accept-Language')
})

const MANY_KEYS = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, '']))
const MANY_ITEMS = Array(21).fill({ type: 'message', role: 'user', content: 'a' })
const OVERLAPPING = {
  type: 'static',
  static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 150 },
}

test.each([
  ['/v1/files', { purpose: 'x' }, /^上传的内容不是有效的 multipart\/form-data/],
  ['/v1/vector_stores/vs_1', undefined, /^没有 ID 或名称为 vs_1 的文档集。$/],
  ['/v1/chat/completions', { messages: [], audio: {} }, /^不支持 audio：回答只有文字，没有音频。$/],
  ['/v1/responses', { input: 7 }, /^input 必须是文字或列表。$/],
  ['/api/search', { query: 'a', limit: 0 }, /^limit 不能少于 1。$/],
  ['/api/search?x=1', { query: 'a', nothing: 1 }, /^未知参数：nothing。$/],
  ['/api/search', { query: 'a', attributes: 1 }, /^未知参数：attributes。$/],
  ['/v1/vector_stores/notes', undefined, /^没有 ID 或名称为 notes 的文档集。$/],
  ['/v1/conversations', { metadata: { a: 'x'.repeat(513) } }, /^metadata\.a：超过 512 个字符，/],
  ['/v1/conversations', { metadata: { ['x'.repeat(65)]: '' } }, /：有一个名称超过 64 个字符。$/],
  ['/v1/conversations', { metadata: MANY_KEYS }, /^metadata：超过 16 个键。$/],
  ['/v1/conversations', { items: MANY_ITEMS }, /^items：超过 20 个条目，/],
  [
    '/v1/vector_stores',
    { chunking_strategy: OVERLAPPING },
    /：不能超过 max_chunk_size_tokens 的一半。$/,
  ],
  ['/api/nowhere', undefined, /^没有路由 GET \/api\/nowhere。/],
])(
  'a refusal of %s is in Chinese, its code and parameter as ever',
  async (path, body, expected) => {
    const chinese = await readError(BROWSER_IN_CHINA, path, body)
    const english = await readError('en', path, body)
    expect(chinese.message).toMatch(expected)
    expect(english.message).not.toMatch(/\p{Script=Han}/u)
    const { message: _, response: __, ...facts } = english
    expect(chinese).toMatchObject(facts)
  },
)

async function read<Body>(language: string | undefined, path: string, body?: object) {
  return (await (await request(language, path, body)).json()) as Body
}

async function indexDamaged(): Promise<string> {
  const file = await service.upload(token, 'damaged.pdf', '%PDF-1.4 and nothing after it')
  const body = { name: 'papers', file_ids: [file] }
  const { id } = await read<{ id: string }>(undefined, '/v1/vector_stores', body)
  for (;;) {
    const { jobs } = await read<JobListJson>(undefined, '/api/jobs')
    if (jobs.some(({ state }) => state === 'failed')) return id
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

test('a failed document and its job are in Chinese, and in English as they are stored', async () => {
  const store = await indexDamaged()
  const readMessages = async (language: string) => {
    type Documents = { documents: DocumentJson[] }
    const { documents } = await read<Documents>(language, `/api/documents?collection=papers`)
    const { jobs } = await read<JobListJson>(language, '/api/jobs')
    type Files = { data: { last_error: { message: string } }[] }
    const { data } = await read<Files>(language, `/v1/vector_stores/${store}/files`)
    return [documents[0]?.error?.message, jobs[0]?.error?.message, data[0]?.last_error.message]
  }
  const chinese = await readMessages(BROWSER_IN_CHINA)
  const english = await readMessages('en')
  expect(chinese).toEqual(Array(3).fill(expect.stringMatching(/^无法读取 damaged\.pdf：/)))
  expect(english).toEqual(Array(3).fill(expect.stringMatching(/^Cannot read damaged\.pdf: /)))
})

test('a failed answer of a conversation is in Chinese, stored and streamed', async () => {
  const { id } = await read<{ id: string }>(undefined, '/v1/conversations', {})
  const body = { question: 'What is it?', conversation: id, stream: true }
  const streamed = await (await request(BROWSER_IN_CHINA, '/api/ask', body)).text()
  expect(streamed).toMatch(/"message":"http:[^"]* 上的模型 scripted/)
  const turns = await (await request(BROWSER_IN_CHINA, `/api/conversations/${id}`)).text()
  expect(turns).toMatch(/"message":"http:[^"]* 上的模型 scripted/)
  expect(await (await request('en', `/api/conversations/${id}`)).text()).toMatch(
    /"message":"The model scripted at http:/,
  )
})

test('checks of the service are in Chinese', async () => {
  const { checks } = await read<DoctorReport>('zh', '/api/checks')
  const details = checks.map(({ detail }) => detail).join('\n')
  expect(details).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/)
})
