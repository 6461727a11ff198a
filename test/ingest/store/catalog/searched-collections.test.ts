import { beforeEach, expect, test } from 'vitest'
import { emptyCatalog, STORE_FORMAT } from '../../../../src/app/stores/store.ts'
import { Collections } from '../../../../src/ingest/store/catalog/collections.ts'
import { SearchedCollections } from '../../../../src/ingest/store/catalog/searched-collections.ts'
import type { Catalog } from '../../../../src/ingest/store/catalog.ts'

const input = {
  name: 'papers',
  embedderId: 'none',
  chunking: { tokens: 300, overlap: 0 },
  dimensions: 0,
}

let catalog: Catalog
let collections: Collections
let searched: SearchedCollections
let asked: string[]

beforeEach(async () => {
  catalog = await emptyCatalog(STORE_FORMAT)
  collections = new Collections(catalog)
  asked = []
  const noted = <Key extends 'byId' | 'byName' | 'list'>(name: Key) =>
    ((...given: [string]) => {
      asked.push(name)
      return (collections[name] as (...given: [string]) => unknown)(...given)
    }) as Collections[Key] // it passes on whatever it gets
  searched = new SearchedCollections(catalog, {
    byId: noted('byId'),
    byName: noted('byName'),
    list: noted('list'),
  })
})

test('a collection is read once while nothing is written, and again then', async () => {
  const { id } = await collections.create(input)
  for (let at = 0; at < 3; at++) {
    expect(await searched.byId(id)).toMatchObject({ name: 'papers' })
    expect(await searched.byName('papers')).toMatchObject({ id })
    expect(await searched.list()).toMatchObject([{ id }])
  }
  expect(asked).toEqual(['byId', 'byName', 'list'])
  await collections.update(id, { name: 'articles' })
  expect(await searched.byId(id)).toMatchObject({ name: 'articles' })
  expect(await searched.byName('papers')).toBeUndefined()
})

test('one that was not there is looked for each time, and one that must have changed is read again', async () => {
  const { id } = await collections.create(input)
  for (let at = 0; at < 2; at++) expect(await searched.byId('vs_other')).toBeUndefined()
  await searched.byId(id)
  await searched.byIdNow(id)
  expect(asked).toEqual(['byId', 'byId', 'byId', 'byId'])
})
