import { expect, test } from 'vitest'
import { openKeyed } from './keyed.ts'

test('synonyms are read with any key and changed with one that may write, inside of a tenant', async () => {
  const service = await openKeyed()
  try {
    const writer = await service.token('default', 'write')
    const reader = await service.token('default', 'read')
    const stranger = await service.token('acme', 'write')
    const call = async (token: string, method: string, body?: object) => {
      const response = await service.call(token, method, `/api/collections/${id}/synonyms`, body)
      return { status: response.status, json: await response.json() }
    }
    const store = await service.call(writer, 'POST', '/v1/vector_stores', { name: 'papers' })
    const { id } = (await store.json()) as { id: string }
    const set = { text: 'fox, vixen\n# no more\n' }
    expect(await call(reader, 'PUT', set)).toMatchObject({ status: 403 })
    expect(await call(stranger, 'PUT', set)).toMatchObject({ status: 404 })
    const expected = { collection: 'papers', id, text: set.text, groups: 1 }
    expect(await call(writer, 'PUT', set)).toEqual({ status: 200, json: expected })
    expect(await call(reader, 'GET')).toEqual({ status: 200, json: expected })
    expect(await call(writer, 'PUT', { text: 'fox' })).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('line 1') } },
    })
    expect(await call(reader, 'DELETE')).toMatchObject({ status: 403 })
    expect(await call(writer, 'DELETE')).toMatchObject({ status: 200, json: { groups: 0 } })
    expect(await call(reader, 'GET')).toMatchObject({ json: { text: '' } })
  } finally {
    await service.close()
  }
})
