import { beforeEach, expect, test } from 'vitest'
import { createEmptyCatalog, STORE_FORMAT } from '../../../../src/app/stores/store.ts'
import { Collections } from '../../../../src/ingest/store/catalog/collections.ts'
import { CollectionCache } from '../../../../src/ingest/store/catalog/searched-collections.ts'
import type { Catalog } from '../../../../src/ingest/store/catalog.ts'

const input = {
  name: 'papers',
  embedderId: 'none',
  chunking: { tokens: 300, overlap: 0 },
  dimensions: 0,
}

let catalog: Catalog
let collections: Collections
let searched: CollectionCache
let asked: string[]

beforeEach(async () => {
  catalog = await createEmptyCatalog(STORE_FORMAT)
  collections = new Collections(catalog)
  asked = []
  const noted = <Key extends 'findById' | 'findByName' | 'list'>(name: Key) =>
    ((...given: [string]) => {
      asked.push(name)
      return (collections[name] as (...given: [string]) => unknown)(...given)
    }) as Collections[Key] // it passes on whatever it gets
  searched = new CollectionCache(catalog, {
    findById: noted('findById'),
    findByName: noted('findByName'),
    list: noted('list'),
  })
})

test('a collection is read once while nothing is written, and again then', async () => {
  const { id } = await collections.create(input)
  for (let at = 0; at < 3; at++) {
    expect(await searched.findById(id)).toMatchObject({ name: 'papers' })
    expect(await searched.findByName('papers')).toMatchObject({ id })
    expect(await searched.list()).toMatchObject([{ id }])
  }
  expect(asked).toEqual(['findById', 'findByName', 'list'])
  await collections.update(id, { name: 'articles' })
  expect(await searched.findById(id)).toMatchObject({ name: 'articles' })
  expect(await searched.findByName('papers')).toBeUndefined()
})

test('one that was not there is looked for each time, and one that must have changed is read again', async () => {
  const { id } = await collections.create(input)
  for (let at = 0; at < 2; at++) expect(await searched.findById('vs_other')).toBeUndefined()
  await searched.findById(id)
  await searched.reloadById(id)
  expect(asked).toEqual(['findById', 'findById', 'findById', 'findById'])
})
