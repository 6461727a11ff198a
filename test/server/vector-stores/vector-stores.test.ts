import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { questionsOf } from '../../fakes/questions-of.ts'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api
let animals: { id: string; fileIds: string[] }

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  animals = await api.store({
    'fox.txt': 'The quick brown fox jumps.',
    'dog.md': '# Dogs\n\nThe lazy dog sleeps.',
    'empty.txt': '',
    'film.mp4': '\u0000\u0000\u0000\u0018ftypmp42',
  })
})
afterAll(() => sandbox.remove())

const path = (rest = '') => `/v1/vector_stores/${animals.id}${rest}`
const file = (at: number) => path(`/files/${animals.fileIds[at]}`)
const ids = (list: Record<string, unknown>) => (list.data as { id: string }[]).map(item => item.id)

describe('a vector store', () => {
  test('tells how far its files are', async () => {
    expect(await api.json('GET', path())).toMatchObject({
      ...{
        id: animals.id,
        object: 'vector_store',
        name: 'notes',
        status: 'completed',
        metadata: {},
      },
      file_counts: { in_progress: 0, completed: 2, failed: 2, cancelled: 0, total: 4 },
    })
  })
  test('is renamed and described', async () => {
    const { id } = await api.json('POST', '/v1/vector_stores', { metadata: { team: 'a' } })
    const changed = await api.json('POST', `/v1/vector_stores/${id}`, { name: '笔记' })
    expect(changed).toMatchObject({ id, name: '笔记', metadata: { team: 'a' } })
    expect(await api.json('POST', `/v1/vector_stores/${id}`, { metadata: null })).toMatchObject({
      metadata: {},
    })
  })
  test('is gone with everything in it once deleted, but for its files', async () => {
    const { id, fileIds } = await api.store({ 'gone.txt': 'Soon gone.' })
    expect(await api.json('DELETE', `/v1/vector_stores/${id}`)).toEqual({
      id,
      deleted: true,
      object: 'vector_store.deleted',
    })
    expect(await api.refusal('GET', `/v1/vector_stores/${id}`)).toMatchObject({ status: 404 })
    expect(await api.json('GET', `/v1/files/${fileIds[0]}`)).toMatchObject({ filename: 'gone.txt' })
  })
  test('says in a note, or is told later, what its index lies in; an engine that is not set up is refused', async () => {
    const made = (engine: string) =>
      api.refusal('POST', '/v1/vector_stores', { metadata: { passim_engine: engine } })
    expect(await made('weaviate')).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(await made('oracle')).toMatchObject({ status: 400, param: 'metadata.passim_engine' })
    const { id } = await api.json('POST', '/v1/vector_stores', {
      metadata: { passim_engine: 'lance' },
    })
    const move = `/api/collections/${id}/move`
    expect(await api.json('POST', move, { engine: 'lance' })).toMatchObject({ id, before: 'lance' })
    expect(await api.refusal('POST', move, { engine: 'weaviate' })).toMatchObject({ status: 400 })
  })
  test('with a file that is not there is not made', async () => {
    const before = ids(await api.json('GET', '/v1/vector_stores'))
    expect(
      await api.refusal('POST', '/v1/vector_stores', { file_ids: ['file-none'] }),
    ).toMatchObject({ status: 404 })
    expect(ids(await api.json('GET', '/v1/vector_stores'))).toEqual(before)
  })
  test('of a question is never shown', async () => {
    const hidden = await api.passim.collections.findOrCreate('files of a question', {
      hidden: true,
    })
    expect(ids(await api.json('GET', '/v1/vector_stores'))).not.toContain(hidden.id)
    expect(await api.refusal('GET', `/v1/vector_stores/${hidden.id}`)).toMatchObject({
      status: 404,
    })
  })
  test('that another is named after is still found under its id', async () => {
    await api.json('POST', '/v1/vector_stores', { name: animals.id })
    expect(await api.json('POST', path('/search'), { query: 'fox' })).toMatchObject({
      data: [{ filename: 'fox.txt' }, {}],
    })
  })
  test('does not take what it would forget', async () => {
    expect(await api.refusal('POST', '/v1/vector_stores', { colour: 1 })).toMatchObject({
      status: 400,
      param: 'colour',
    })
    expect(await api.refusal('POST', path(), { metadata: { a: 1 } })).toMatchObject({
      status: 400,
      param: 'metadata.a',
    })
  })
})

describe('a file of a vector store', () => {
  test('of which nothing can be read is no processed file, and says why', async () => {
    const upload = (at: number) => api.json('GET', `/v1/files/${animals.fileIds[at]}`)
    expect([await upload(0), await upload(2), await upload(3)]).toMatchObject([
      { status: 'processed' },
      { status: 'error', status_details: 'The file is empty: it has no bytes.' },
      { status: 'error', status_details: expect.stringContaining('no parser for video/mp4') },
    ])
    const { data } = await api.json('GET', '/v1/files')
    const listed = data as { id: string; status: string }[] // as of OpenAI's list
    expect(listed.find(({ id }) => id === animals.fileIds[3])?.status).toBe('error')
  })
  test('says how it was cut', async () => {
    expect(await api.json('GET', file(0))).toMatchObject({
      ...{
        id: animals.fileIds[0],
        object: 'vector_store.file',
        vector_store_id: animals.id,
        status: 'completed',
      },
      ...{ last_error: null, usage_bytes: 26 },
      chunking_strategy: {
        type: 'static',
        static: { max_chunk_size_tokens: 400, chunk_overlap_tokens: 60 },
      },
    })
  })
  test('is cut as asked', async () => {
    const fileId = await api.upload('cut.txt', 'One. Two. Three.')
    const { id } = await api.json('POST', '/v1/vector_stores', { name: 'cut' })
    const chunking_strategy = {
      type: 'static',
      static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 70 },
    }
    const added = await api.json('POST', `/v1/vector_stores/${id}/files`, {
      file_id: fileId,
      chunking_strategy,
    })
    expect(added).toMatchObject({ status: 'in_progress', chunking_strategy })
    await api.indexed(String(id))
  })
  test('is cut into passages longer than the embedder reads, when that is asked', async () => {
    const text = 'A sentence of six words here. '.repeat(300)
    const fileId = await api.upload('long.txt', text)
    const { id } = await api.json('POST', '/v1/vector_stores', { name: 'long' })
    const chunking_strategy = {
      type: 'static',
      static: { max_chunk_size_tokens: 4096, chunk_overlap_tokens: 0 },
    }
    await api.json('POST', `/v1/vector_stores/${id}/files`, { file_id: fileId, chunking_strategy })
    await api.indexed(String(id))
    expect(await api.json('GET', `/v1/vector_stores/${id}/files/${fileId}`)).toMatchObject({
      ...{ status: 'completed', chunking_strategy },
    })
    const { data } = await api.json('POST', `/v1/vector_stores/${id}/search`, {
      query: 'six words',
    })
    const found = (data as { content: { text: string }[] }[]).map(
      hit => hit.content[0]?.text.match(/words/g)?.length,
    )
    expect(found).toEqual([300])
  })
  test('with an impossible overlap is refused', async () => {
    const chunking_strategy = {
      type: 'static',
      static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 101 },
    }
    expect(
      await api.refusal('POST', path('/files'), { file_id: animals.fileIds[0], chunking_strategy }),
    ).toMatchObject({
      param: 'chunking_strategy.static.chunk_overlap_tokens',
    })
  })
  test('that is not there cannot be added', async () => {
    expect(await api.refusal('POST', path('/files'), { file_id: 'file-none' })).toMatchObject({
      status: 404,
    })
  })
  test('that failed says whose fault it was', async () => {
    expect(await api.json('GET', file(2))).toMatchObject({
      status: 'failed',
      last_error: { code: 'invalid_file' },
    })
    expect(await api.json('GET', file(3))).toMatchObject({
      status: 'failed',
      last_error: { code: 'unsupported_file' },
    })
  })
  test('in progress says when to ask again', async () => {
    const fileId = await api.upload('new.txt', 'Something new.')
    const { id } = await api.json('POST', '/v1/vector_stores', {})
    const response = await api.request('POST', `/v1/vector_stores/${id}/files`, { file_id: fileId })
    expect(response.headers.get('openai-poll-after-ms')).toBe('150')
    await api.indexed(String(id))
  })
  test('carries attributes, which its hits show', async () => {
    await api.json('POST', file(0), { attributes: { year: 1999, draft: false } })
    expect(await api.json('GET', file(0))).toMatchObject({
      attributes: { year: 1999, draft: false },
    })
    const found = await api.json('POST', path('/search'), { query: 'fox' })
    expect(found).toMatchObject({ data: [{ attributes: { year: 1999, draft: false } }, {}] })
    expect(await api.json('POST', file(0), { attributes: null })).toMatchObject({ attributes: {} })
  })
  test('shows its parsed text', async () => {
    expect(await api.json('GET', `${file(1)}/content`)).toEqual({
      object: 'vector_store.file_content.page',
      data: [{ type: 'text', text: 'Dogs\n\nThe lazy dog sleeps.' }],
      has_more: false,
      next_page: null,
    })
    expect(await api.refusal('GET', `${file(2)}/content`)).toMatchObject({ status: 404 })
  })
  test('is listed by status, page by page', async () => {
    const failed = await api.json('GET', path('/files?filter=failed&order=asc'))
    expect(ids(failed).toSorted()).toEqual(animals.fileIds.slice(2).toSorted())
    const first = await api.json('GET', path('/files?limit=3'))
    const rest = await api.json('GET', path(`/files?limit=3&after=${first.last_id}`))
    expect([first.has_more, rest.has_more]).toEqual([true, false])
    expect([...ids(first), ...ids(rest)].toSorted()).toEqual(animals.fileIds.toSorted())
  })
  test('once taken out is not found any more, but still there', async () => {
    const { id, fileIds } = await api.store({ 'secret.txt': 'A secret word: xylophone.' })
    const place = `/v1/vector_stores/${id}/files/${fileIds[0]}`
    expect(await api.json('DELETE', place)).toEqual({
      id: fileIds[0],
      deleted: true,
      object: 'vector_store.file.deleted',
    })
    expect(
      await api.json('POST', `/v1/vector_stores/${id}/search`, { query: 'xylophone' }),
    ).toMatchObject({ data: [] })
    expect(await api.refusal('GET', place)).toMatchObject({ status: 404 })
    expect((await api.request('GET', `/v1/files/${fileIds[0]}`)).status).toBe(200)
  })
  test('goes with its file', async () => {
    const { id, fileIds } = await api.store({ 'other.txt': 'Another word: zither.' })
    await api.json('DELETE', `/v1/files/${fileIds[0]}`)
    expect(await api.json('GET', `/v1/vector_stores/${id}`)).toMatchObject({
      file_counts: { total: 0 },
    })
    expect(
      await api.json('POST', `/v1/vector_stores/${id}/search`, { query: 'zither' }),
    ).toMatchObject({ data: [] })
  })
})

describe('the place of a hit', () => {
  const search = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ query: 'fox', max_num_results: 1 })
    const response = await api.app.request(path('/search'), { method: 'POST', body, headers })
    return ((await response.json()) as { data: { attributes: object }[] }).data[0]?.attributes
  }
  test('is among the attributes where a client asks for it, and the user’s own come first', async () => {
    const place = { passim_char_start: 0, passim_char_end: 26, passim_chunk_id: expect.any(String) }
    expect(await search({})).toEqual({})
    expect(await search({ 'x-passim-spans': '1' })).toEqual(place)
    await api.json('POST', file(0), { attributes: { passim_char_start: 'mine' } })
    expect(await search({ 'x-passim-spans': '1' })).toEqual({ ...place, passim_char_start: 'mine' })
    const sixteen = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`k${at}`, at]))
    await api.json('POST', file(0), { attributes: sixteen })
    expect(await search({ 'x-passim-spans': '1' })).toEqual(sixteen)
    await api.json('POST', file(0), { attributes: null })
  })
})

describe('a search in a vector store', () => {
  const search = (body: object) => api.json('POST', path('/search'), body)

  test('gives passages with scores from 0 to 1', async () => {
    const { data, ...page } = await search({ query: 'lazy dogs' })
    expect(page).toEqual({
      ...{
        object: 'vector_store.search_results.page',
        search_query: ['lazy dogs'],
        has_more: false,
        next_page: null,
      },
    })
    const hits = data as { score: number; filename: string }[]
    expect(hits[0]).toEqual({
      ...{ file_id: animals.fileIds[1], filename: 'dog.md', attributes: {} },
      score: expect.any(Number),
      content: [{ type: 'text', text: 'Dogs\n\nThe lazy dog sleeps.' }],
    })
    for (const { score } of hits) expect(score >= 0 && score <= 1).toBe(true)
  })
  test('gives no more than asked for', async () => {
    expect(await search({ query: 'the', max_num_results: 1 })).toMatchObject({ data: [{}] })
  })
  test('leaves out what scores below the threshold', async () => {
    const { data } = await search({
      query: 'quick fox',
      ranking_options: { ranker: 'auto', score_threshold: 0.6 },
    })
    expect(data).toMatchObject([{ filename: 'fox.txt' }])
  })
  test('cuts by how likely a passage answers, whatever else was found', async () => {
    const ranking_options = { score_threshold: 0.5 }
    expect(await search({ query: 'xyzzy plugh', ranking_options })).toMatchObject({ data: [] })
    const { data } = await search({ query: 'quick fox' })
    const { hits } = await api.json('POST', '/api/search', {
      query: 'quick fox',
      collections: [animals.id],
    })
    const likely = (hits as { confidence: number }[]).map(({ confidence }) => confidence)
    expect((data as { score: number }[]).map(({ score }) => Number(score.toFixed(3)))).toEqual(
      likely,
    )
    const tools = [{ type: 'file_search', vector_store_ids: [animals.id], ranking_options }]
    const include = ['file_search_call.results']
    const { output } = await api.json('POST', '/v1/responses', {
      input: 'xyzzy plugh',
      tools,
      include,
    })
    expect(output).toMatchObject([{ type: 'file_search_call', results: null }, {}])
  })
  test('refuses what it does not know, for it may be meant to narrow the search', async () => {
    expect(await api.refusal('POST', path('/search'), { query: 'fox', filter: {} })).toMatchObject({
      param: 'filter',
    })
  })
  test('takes several queries, and gives each passage once', async () => {
    const { data, search_query } = await search({
      query: ['quick fox', 'lazy dog'],
      rewrite_query: false,
    })
    expect(search_query).toEqual(['quick fox', 'lazy dog'])
    expect((data as { filename: string }[]).map(hit => hit.filename).toSorted()).toEqual([
      'dog.md',
      'fox.txt',
    ])
  })
  test('in an empty store finds nothing', async () => {
    const { id } = await api.json('POST', '/v1/vector_stores', {})
    expect(
      await api.json('POST', `/v1/vector_stores/${id}/search`, { query: 'fox' }),
    ).toMatchObject({ data: [] })
  })
  test('finds only what its filters let through', async () => {
    await api.json('POST', file(0), { attributes: { year: 1999, kind: 'wild' } })
    await api.json('POST', file(1), { attributes: { year: 2020 } })
    const names = async (filters: object) => {
      const { data } = await search({ query: 'the fox and the dog', filters })
      return (data as { filename: string }[]).map(hit => hit.filename).toSorted()
    }
    const after = { type: 'gt', key: 'year', value: 2000 }
    expect(await names(after)).toEqual(['dog.md'])
    expect(
      await names({ type: 'or', filters: [after, { type: 'in', key: 'kind', value: ['wild'] }] }),
    ).toEqual([...['dog.md', 'fox.txt']])
    expect(
      await names({ type: 'and', filters: [after, { type: 'eq', key: 'kind', value: 'wild' }] }),
    ).toEqual([])
    const wrong = { query: 'fox', filters: { type: 'like', key: 'year', value: 1 } }
    expect(await api.refusal('POST', path('/search'), wrong)).toMatchObject({
      status: 400,
      param: 'filters',
    })
  })
  test('reads nothing from the catalog again that it has read since anything was written', async () => {
    const ask = () => api.request('POST', path('/search'), { query: 'fox' })
    const counts: number[] = []
    for (let time = 0; time < 5; time++) counts.push(await questionsOf(ask))
    expect(Math.min(...counts)).toBe(0)
    const { data } = await api.json('POST', path('/search'), { query: 'fox' })
    expect((data as object[])[0]).toMatchObject({ file_id: animals.fileIds[0] })
  })
  test('needs a query', async () => {
    expect(await api.refusal('POST', path('/search'), {})).toMatchObject({
      status: 400,
      param: 'query',
    })
    expect(await api.refusal('POST', path('/search'), { query: ' ' })).toMatchObject({
      status: 400,
    })
    expect(
      await api.refusal('POST', path('/search'), { query: 'x', max_num_results: 51 }),
    ).toMatchObject({
      status: 400,
    })
  })
})

describe('a file with an external_id', () => {
  const add = async (store: string, fileId: string, attributes: object) =>
    await api.request('POST', `/v1/vector_stores/${store}/files`, { file_id: fileId, attributes })
  const names = async (query: string, store: string) =>
    (await api.passim.search({ query, collections: [store], mode: 'keyword' })).map(hit => hit.text)

  test('replaces the one that has it, and the same bytes are not indexed again', async () => {
    const { id } = await api.store({})
    const [first, same, changed] = [
      await api.upload('price.md', 'The kiln costs 400 euros.'),
      await api.upload('price.md', 'The kiln costs 400 euros.'),
      await api.upload('price.md', 'The kiln costs 500 euros.'),
    ]
    await add(id, first, { external_id: 'p-1', year: 2025 })
    await api.indexed(id)
    expect(await (await add(id, same, { external_id: 'p-1', year: 2026 })).json()).toMatchObject({
      id: same,
      status: 'completed',
      attributes: { external_id: 'p-1', year: 2026 },
    })
    expect(await api.refusal('GET', `/v1/vector_stores/${id}/files/${first}`)).toMatchObject({
      status: 404,
    })
    await add(id, changed, { external_id: 'p-1' })
    await api.indexed(id)
    expect(await names('kiln', id)).toEqual(['The kiln costs 500 euros.'])
    expect(ids(await api.json('GET', `/v1/vector_stores/${id}/files`))).toEqual([changed])
    expect(await api.json('GET', `/api/collections/${id}/documents/p-1`)).toMatchObject({
      externalId: 'p-1',
      name: 'price.md',
    })
    expect(await api.json('GET', `/v1/files/${first}`)).toMatchObject({ id: first })
  })

  test('keeps its id: another, or one that two files of a request share, is refused', async () => {
    const { id } = await api.store({})
    const [one, two] = [await api.upload('a.md', 'One.'), await api.upload('b.md', 'Two.')]
    await add(id, one, { external_id: 7 })
    const path = `/v1/vector_stores/${id}/files/${one}`
    expect(await api.refusal('POST', path, { attributes: { external_id: '8' } })).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    expect(
      await api.json('POST', path, { attributes: { external_id: 7, team: 'it' } }),
    ).toMatchObject({ attributes: { external_id: 7, team: 'it' } })
    const files = [one, two].map(file_id => ({ file_id, attributes: { external_id: 'x' } }))
    expect(
      await api.refusal('POST', `/v1/vector_stores/${id}/file_batches`, { files }),
    ).toMatchObject({ status: 400, code: 'invalid_input' })
    expect((await add(id, two, { external_id: true })).status).toBe(400)
  })
})
