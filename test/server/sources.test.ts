import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>
beforeAll(async () => {
  const papers = { type: 'folder', path: '/nowhere/papers', everyMinutes: 0 } as const
  const theirs = { ...papers, tenant: 'acme' }
  service = await openKeyed({ ingest: false }, {}, undefined, { sources: { papers, theirs } })
})
afterAll(() => service.close())

test('an administrator lists the sources and runs one', async () => {
  const token = await service.token('default', 'admin')
  const listed = await (await service.call(token, 'GET', '/api/sources')).json()
  const source = { id: 'sync_papers', name: 'papers', type: 'folder', collection: 'default' }
  expect(listed).toEqual({
    sources: [{ ...source, everyMinutes: 0, state: 'new', done: 0, failures: [] }],
    hasMore: false,
    last: 'sync_papers',
  })
  const requested = await service.call(token, 'POST', '/api/sources/papers/run')
  expect(await requested.json()).toMatchObject({ ...source, state: 'queued' })
  const jobs = await (await service.call(token, 'GET', '/api/jobs')).json()
  expect(jobs).toMatchObject({
    jobs: [{ id: 'sync_papers', source: 'source papers', state: 'queued' }],
    unattended: 0,
  })
  expect((await service.call(token, 'POST', '/api/sources/theirs/run')).status).toBe(404)
})

test('other keys see no sources', async () => {
  for (const [tenant, scope] of [
    ['default', 'write'],
    ['acme', 'admin'],
  ] as const) {
    const token = await service.token(tenant, scope)
    expect((await service.call(token, 'GET', '/api/sources')).status).toBe(403)
  }
})
