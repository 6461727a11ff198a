import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FORMATS } from '../../src/app/stores/store.ts'
import { VIEW_TABLES } from '../../src/ingest/store/catalogs/visible-catalog.ts'
import { OPEN_PATHS } from '../../src/server/http/access.ts'
import { chooseDraws } from '../suites.ts'
import { walkSets } from './interference.ts'
import { openKeyed } from './keyed.ts'
import {
  type Claims,
  encode,
  getNowSeconds,
  HOUR,
  listRequests,
  NOTHING,
  normalize,
  type Request,
  signToken as sign,
} from './reader-requests.ts'

const SECRET = 'a secret of the gateway, of more than 32 bytes'

const signToken = (claims: Claims, secret = SECRET, header?: object) => sign(claims, secret, header)

let service: Awaited<ReturnType<typeof openKeyed>>
beforeEach(async () => {
  const tokens = { algorithm: 'HS256' as const, key: SECRET, audience: 'passim' }
  service = await openKeyed({ tokens, requestsPerMinute: 1_000_000 })
})
afterEach(() => service.close())

type Given = {
  readonly id: string
  readonly text: string
  readonly attributes?: object
  readonly note?: string
}

async function put(tenant: string, collection: string, given: readonly Given[]): Promise<void> {
  const { passim, release } = await service.stores.acquire(tenant)
  try {
    for (const { attributes = {}, note, ...one } of given) {
      const { document } = await passim.documents.put({
        ...one,
        title: one.id,
        collection,
        attributes: { ...attributes },
      })
      const [chunk] = note ? (await passim.chunks.list(document.id)).chunks : []
      if (!chunk) continue
      await passim.chunks.update(document.id, chunk.id, { note })
      await expect.poll(() => passim.isBusy, { timeout: 60_000, interval: 10 }).toBe(false)
    }
  } finally {
    release()
  }
}

const read = async (token: string, method: string, path: string, body?: object) =>
  await service.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    ...(body && { body: JSON.stringify(body) }),
  })

async function searchTitles(
  token: string,
  query: string,
  mode = 'hybrid',
): Promise<readonly string[]> {
  const body = { query, mode, collections: ['wiki'] }
  const response = await read(token, 'POST', '/api/search', body)
  const { hits } = (await response.json()) as { hits: { title: string }[] }
  return hits.map(({ title }) => title).toSorted()
}

function mailWith(attached: string): string {
  const head = `From: ann@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b`
  const name = 'Content-Type: text/plain\nContent-Disposition: attachment; filename="note.txt"'
  return `${head}\n\n--b\nContent-Type: text/plain\n\nSee below.\n--b\n${name}\n\n${attached}\n--b--\n`
}

const WIKI: readonly Given[] = [
  { id: 'a', text: 'The printer jams.', attributes: { readers: 'user:ann, group:hr', team: 'it' } },
  { id: 'b', text: 'The printer hums.', attributes: { readers: 'user:bob', team: 'it' } },
  { id: 'c', text: 'The printer is grey.', attributes: { team: 'hr' } },
  { id: 'd', text: 'The printer is loud.', attributes: { readers: '*' } },
]

describe('a signed token', () => {
  beforeEach(async () => put('default', 'wiki', WIKI))

  test('sees documents that name its user, a group of it, or everyone', async () => {
    const see = async (claims: Claims) =>
      await searchTitles(signToken({ aud: 'passim', ...claims }), 'printer')
    expect(await see({ sub: 'ann' })).toEqual(['a', 'd'])
    expect(await see({ sub: 'bob' })).toEqual(['b', 'd'])
    expect(await see({ sub: 'an', groups: ['hr', 'it'] })).toEqual(['a', 'd'])
    expect(await see({ sub: 'bob', filter: 'team=it' })).toEqual(['b'])
    const elsewhere = signToken({ sub: 'ann', aud: 'passim', collections: ['mine'] })
    expect((await read(elsewhere, 'GET', '/api/collections/wiki')).status).toBe(404)
  })

  test('shares the copy of the index with others who see the same', async () => {
    const see = async (sub: string, groups: readonly string[]) =>
      await searchTitles(signToken({ sub, groups, aud: 'passim' }), 'printer')
    expect(await see('zoe', ['hr', 'all'])).toEqual(['a', 'd'])
    const before = service.stores.size
    expect(await see('yan', ['hr'])).toEqual(['a', 'd'])
    expect(service.stores.size).toBe(before)
    expect(await see('bob', ['hr'])).toEqual(['a', 'b', 'd'])
    expect(service.stores.size).toBe(before + 1)
  })

  test('sees a change of readers with the next request', async () => {
    const token = signToken({ sub: 'ann', aud: 'passim' })
    expect(await searchTitles(token, 'printer')).toEqual(['a', 'd'])
    await put('default', 'wiki', [
      { ...WIKI[0]!, attributes: { readers: 'user:bob' } },
      { ...WIKI[1]!, attributes: { readers: 'user:ann' } },
    ])
    expect(await searchTitles(token, 'printer')).toEqual(['b', 'd'])
  })

  /** Searches until the new text is found. Returns whether the old one was found before. */
  async function watchText(
    token: string,
    { old, fresh }: { readonly old: string; readonly fresh: string },
    replace: () => Promise<void>,
  ): Promise<boolean> {
    const isPut = replace()
    let hasSeenOld = false
    await expect
      .poll(
        async () => {
          hasSeenOld ||= (await searchTitles(token, old, 'keyword')).length > 0
          return await searchTitles(token, fresh, 'keyword')
        },
        { timeout: 30_000, interval: 1 },
      )
      .not.toEqual([])
    await isPut
    return hasSeenOld
  }

  const LONG = `${'Other words of the scanner. '.repeat(2_000)}It is quiet.`
  const replaceText = async (given: Given, attributes: object) =>
    await put('default', 'wiki', [{ ...given, text: LONG, attributes }])

  test.each<[string, Claims, Given, object]>([
    ['by its readers', { sub: 'ann' }, WIKI[1]!, { readers: '*' }],
    ['by a filter', { sub: 'ann', filter: 'team=it' }, WIKI[3]!, { readers: '*', team: 'it' }],
  ])(
    'never sees the text that a document had before it became visible %s',
    async (_, claims, given, attributes) => {
      const token = signToken({ aud: 'passim', ...claims })
      const old = given.text.split(' ').at(-1)!.slice(0, -1)
      expect(
        await watchText(token, { old, fresh: 'quiet' }, () => replaceText(given, attributes)),
      ).toBe(false)
    },
  )

  test('never sees it beside attributes that change again before the text is indexed', async () => {
    const token = signToken({ sub: 'ann', aud: 'passim' })
    const replace = async () => {
      const key = await service.token('default')
      for (const readers of ['user:bob', '*']) {
        const body = { title: 'b', text: LONG, attributes: { readers } }
        const answer = await read(key, 'PUT', '/api/collections/wiki/documents/b', body)
        expect(answer.ok).toBe(true)
      }
    }
    expect(await watchText(token, { old: 'hums', fresh: 'quiet' }, replace)).toBe(false)
  })

  test('sees the old text until the new one if both are for it', async () => {
    const token = signToken({ sub: 'ann', aud: 'passim' })
    const attributes = { readers: 'group:hr, user:ann', team: 'hr' }
    expect(
      await watchText(token, { old: 'jams', fresh: 'quiet' }, () =>
        replaceText(WIKI[0]!, attributes),
      ),
    ).toBe(true)
    expect(await searchTitles(token, 'jams', 'keyword')).toEqual([])
  })

  test('never sees an old attachment of a mail that became visible', async () => {
    const token = signToken({ sub: 'ann', aud: 'passim' })
    const { passim, release } = await service.stores.acquire('default')
    const file = path.join(service.home, 'mail.eml')
    const putMail = async (text: string, readers: string) => {
      await writeFile(file, mailWith(text))
      await passim.documents.put({ id: 'm', file, collection: 'wiki', attributes: { readers } })
    }
    try {
      await putMail('A heron.', 'user:bob')
      const replace = async () => await putMail(`${'Bread. '.repeat(9_000)}A crane.`, '*')
      expect(await watchText(token, { old: 'heron', fresh: 'crane' }, replace)).toBe(false)
    } finally {
      release()
    }
  })

  test('stores, changes and manages nothing', async () => {
    const token = signToken({ sub: 'ann', aud: 'passim' })
    const hidden = { title: 'x', text: 'x' }
    const tries = [
      read(token, 'POST', '/api/collections/wiki/documents', hidden),
      read(token, 'POST', '/v1/conversations', {}),
      read(token, 'POST', '/api/ask', { question: 'printer?', conversation: 'conv_1' }),
      read(token, 'GET', '/api/keys'),
    ]
    for (const answer of await Promise.all(tries)) expect([403, 404]).toContain(answer.status)
  })

  test('is refused if it is wrong in whatever way', async () => {
    const ann = { sub: 'ann', aud: 'passim' }
    const wrong: Readonly<Record<string, string>> = {
      'it has expired': signToken({ ...ann, exp: getNowSeconds() - 1 }),
      'it is not valid yet': signToken({ ...ann, nbf: getNowSeconds() + HOUR }),
      'it is for another audience': signToken({ ...ann, aud: 'else' }),
      'its signature is wrong': signToken(ann, `${SECRET}!`),
      'sub is missing': signToken({ aud: 'passim' }),
      'its algorithm is none': `${encode({ alg: 'none' })}.${encode(ann)}.AA`,
      crit: signToken(ann, SECRET, { alg: 'HS256', crit: ['b64'] }),
    }
    for (const [reason, token] of Object.entries(wrong)) {
      const answer = await read(token, 'GET', '/api/collections')
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(await answer.text()).toContain(reason)
    }
    expect((await service.app.request('/api/collections')).status).toBe(401)
  })
})

test('a token can be signed with Ed25519, and no public key passes for a secret', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const own = await openKeyed({ tokens: { algorithm: 'EdDSA', key } })
  try {
    const text = `${encode({ alg: 'EdDSA' })}.${encode({ sub: 'ann', exp: getNowSeconds() + HOUR })}`
    const token = `${text}.${signBytes(null, Buffer.from(text), privateKey).toString('base64url')}`
    expect((await own.call(token, 'GET', '/api/collections')).status).toBe(200)
    const forged = signToken({ sub: 'ann' }, key)
    expect((await own.call(forged, 'GET', '/api/collections')).status).toBe(401)
  } finally {
    await own.close()
  }
})

test('a key with collections or a filter only reads', async () => {
  const create = { name: 'x', tenant: 'default', collections: ['wiki'] }
  await expect(service.keys.create({ ...create, scope: 'write' })).rejects.toThrow('only read')
  const { token } = await service.keys.create({ ...create, scope: 'read' })
  await put('default', 'wiki', WIKI)
  await put('default', 'other', WIKI)
  const answer = await read(token, 'GET', '/api/collections')
  const { collections } = (await answer.json()) as { collections: { name: string }[] }
  expect(collections.map(({ name }) => name)).toEqual(['wiki'])
  expect((await service.keys.list())[0]).toMatchObject({ collections: ['wiki'], scope: 'read' })
})

test('every table of a store is shown in part, empty in a view, or has no content', () => {
  const created = FORMATS.flat(2).flatMap(sql => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])
  const withoutContent = ['leases', 'store_identity', 'shared_places', 'receipt_keys']
  const ofStorage = ['shared_contents', 'shared_trash'] // read by SharedContents, which has the catalog of the store
  expect(new Set([...VIEW_TABLES, ...withoutContent, ...ofStorage])).toEqual(new Set(created))
})

/** Routes about ids of what others stored, and the public key of the store. */
const OF_OTHERS =
  /^GET \/(?:v1\/(?:batches|responses|conversations)\/|v1\/vector_stores\/[^/]+\/file_batches\/|api\/(?:conversations|answers|chat|threads)\/|api\/receipts\/key$)/

test('every route is compared, empty for a reader, or refused', async () => {
  await put('default', 'wiki', WIKI)
  const { token } = await service.keys.create({
    ...{ name: 'x', tenant: 'default', scope: 'read', collections: ['wiki'] },
  })
  const compared = listRequests('wiki', 'x', NOTHING)
  const { paths } = JSON.parse(
    await readFile(new URL('openapi.json', import.meta.url), 'utf8'),
  ) as { paths: Readonly<Record<string, object>> }
  const missing: string[] = []
  for (const [template, operations] of Object.entries(paths)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    const path = template.replaceAll(/\{\w+\}/g, 'x')
    for (const method of Object.keys(operations).map(name => name.toUpperCase())) {
      const isCompared = compared.some(
        ([by, url]) => by === method && pattern.test(url.split('?')[0]!),
      )
      if (isCompared || OPEN_PATHS.has(template)) continue
      const { status } = await read(token, method, path, method === 'GET' ? undefined : {})
      const isHidden = OF_OTHERS.test(`${method} ${path}`)
      if (status !== 403 && !isHidden) missing.push(`${method} ${template}: ${status}`)
    }
  }
  expect(missing).toEqual([])
})

test('a hidden document, job or collection is answered like one that does not exist', async () => {
  await put('default', 'wiki', WIKI)
  await put('default', 'secret', WIKI)
  const { token: all } = await service.keys.create({ name: 'x', tenant: 'default', scope: 'admin' })
  const token = signToken({ sub: 'ann', aud: 'passim', collections: ['wiki'] })
  const list = async (path: string) => await (await read(all, 'GET', path)).json()
  const { documents } = (await list('/api/documents?collection=wiki')) as {
    documents: { id: string; title: string; fileId: string }[]
  }
  const { jobs } = (await list('/api/jobs?collection=wiki')) as {
    jobs: { id: string; documentId: string }[]
  }
  const hidden = documents.find(({ title }) => title === 'b')!
  const job = jobs.find(({ documentId }) => documentId === hidden.id)!
  const unknown = `${hidden.id.slice(0, -4)}0000`
  const answer = async (path: string) =>
    (await normalize(await read(token, 'GET', path))).replaceAll('secret', 'none')
  for (const part of [
    '',
    '/text',
    '/blocks',
    '/chunks',
    '/tables',
    '/file',
    '/pages/1',
    '/pages/1.png',
  ])
    expect(await answer(`/api/documents/${hidden.id}${part}`)).toBe(
      await answer(`/api/documents/${unknown}${part}`),
    )
  expect(await answer(`/api/citations/${hidden.id}?start=0&end=3`)).toMatch(/^404/)
  expect(await answer(`/api/jobs/${job.id}`)).toMatch(/^404/)
  expect(await answer(`/v1/files/${hidden.fileId}/content`)).toMatch(/^404/)
  expect(await answer(`/v1/vector_stores/wiki/files/${hidden.fileId}`)).toMatch(/^404/)
  for (const part of ['', '/chunks'])
    expect(await answer(`/api/collections/wiki/documents/b${part}`)).toMatch(/^404/)
  expect(await answer('/api/collections/secret')).toBe(await answer('/api/collections/none'))
})

test('a collection without a visible document is answered like one that does not exist', async () => {
  await put('default', 'wiki', WIKI)
  const { token: key } = await service.keys.create({
    ...{ name: 'x', tenant: 'default', scope: 'read', collections: ['wiki', 'vault'] },
    filter: { type: 'eq', key: 'team', value: 'it' },
  })
  const requests = (name: string): readonly Request[] => [
    ...['/api/collections', '/v1/vector_stores', '/v1/models'].map(path => ['GET', path] as const),
    ['GET', `/api/collections/${name}`],
    ['POST', '/api/search', { query: 'printer', collections: [name] }],
    ['POST', `/mcp?collection=${name}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ]
  const answer = async (token: string, name: string) =>
    await Promise.all(
      requests(name).map(async request =>
        (await normalize(await read(token, ...request))).replaceAll(name, 'none'),
      ),
    )
  const ann = signToken({ sub: 'ann', aud: 'passim' })
  const tokens = [
    ann,
    signToken({ sub: 'ann', aud: 'passim', collections: ['wiki', 'vault'] }),
    key,
  ]
  const before = await Promise.all(tokens.map(async token => await answer(token, 'vault')))
  await put('default', 'vault', [{ id: 'e', text: 'x', attributes: { readers: 'user:bob' } }])
  expect(await Promise.all(tokens.map(async token => await answer(token, 'vault')))).toEqual(before)
  expect(before.flat().join()).not.toContain('vault')
})

test('a hidden document does not move the time of use of its collection', async () => {
  await put('default', 'wiki', WIKI)
  const ann = signToken({ sub: 'ann', aud: 'passim' })
  const see = async () => await (await read(ann, 'GET', '/api/collections/wiki')).text()
  const before = await see()
  await put('default', 'wiki', [{ id: 'e', text: 'x', attributes: { readers: 'user:bob' } }])
  expect(await see()).toBe(before)
})

test('batches, files and conversations of other keys are answered like none', async () => {
  await put('default', 'wiki', WIKI)
  const { token: all } = await service.keys.create({ name: 'x', tenant: 'default', scope: 'write' })
  const { token } = await service.keys.create({
    ...{ name: 'y', tenant: 'default', scope: 'read', collections: ['wiki'] },
  })
  type Made = { id: string; status: string; output_file_id: string; conversation: string }
  const call = async (method: string, path: string, body?: object | FormData) => {
    const headers = { authorization: `Bearer ${all}` }
    const text = body instanceof FormData ? body : JSON.stringify(body)
    const response = await service.app.request(path, {
      ...{ method, headers },
      ...(body && { body: text }),
    })
    return (await response.json()) as Made
  }
  const body = { model: 'wiki', messages: [{ role: 'user', content: 'What jams?' }] }
  const url = '/v1/chat/completions'
  const line = JSON.stringify({ custom_id: 'a', method: 'POST', url, body })
  const form = new FormData()
  form.append('file', new File([line], 'requests.jsonl'))
  form.append('purpose', 'batch')
  const { id: input } = await call('POST', '/v1/files', form)
  const own = { input_file_id: input, endpoint: url, completion_window: '24h' }
  const { id: batch } = await call('POST', '/v1/batches', own)
  const find = async () => await call('GET', `/v1/batches/${batch}`)
  await expect.poll(async () => (await find()).status, { timeout: 30_000 }).toBe('completed')
  const { output_file_id: output } = await find()
  const asked = { question: 'What jams?', collections: ['wiki'], conversation: 'new' }
  const { conversation: conversationId } = await call('POST', '/api/ask', asked)
  const ids = [input, output, batch, conversationId]
  const paths = [
    ...[input, output].flatMap(id => [`/v1/files/${id}`, `/v1/files/${id}/content`]),
    ...[`/v1/batches/${batch}`, `/v1/conversations/${conversationId}/items`],
    ...['', '/events', '/links'].map(part => `/api/conversations/${conversationId}${part}`),
    ...['receipt', 'follow-ups'].map(part => `/api/answers/${conversationId}.1/${part}`),
  ]
  for (const path of paths) {
    const unknown = ids.reduce((text, id) => text.replace(id, `${id.slice(0, -4)}0000`), path)
    expect((await read(all, 'GET', path)).status).toBe(200)
    const answer = await normalize(await read(token, 'GET', path))
    expect(answer).toMatch(/^404/)
    expect(answer).toBe(await normalize(await read(token, 'GET', unknown)))
  }
  for (const path of ['/v1/batches', '/v1/files', '/api/conversations', '/api/judgements']) {
    const list = await (await read(token, 'GET', path)).text()
    for (const id of ids) expect(list).not.toContain(id)
  }
})

test('documents that a reader may not see change no byte of what it gets', async () => {
  const seed = Number(process.env.PASSIM_TEST_SEED ?? 58)
  const sets = chooseDraws(8, 160)
  const { differences, sets: compared } = await walkSets({ sets, seed })
  expect({ seed, differences }).toEqual({ seed, differences: [] })
  expect(compared).toBe(sets)
}, 300_000)
