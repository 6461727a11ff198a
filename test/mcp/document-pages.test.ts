import { expect, test } from 'vitest'
import { readDocumentsAfter } from '../../src/mcp/document-pages.ts'
import { Sandbox } from '../fakes/store.ts'

test('documents of two collections of one name are listed once each', async () => {
  const sandbox = await Sandbox.make()
  try {
    const passim = await sandbox.open()
    const { signal } = new AbortController()
    const ids: string[] = []
    for (const id of ['first', 'second']) {
      const collection = await passim.collections.create({ name: 'same' }, 'repeatable')
      await passim.documentPuts.putContent(collection, { id, text: `The ${id} text.` }, signal)
      ids.push(collection.id)
    }
    const listed: (string | undefined)[] = []
    for await (const { externalId } of readDocumentsAfter(passim, { collections: ids }))
      listed.push(externalId)
    expect(listed).toEqual(['first', 'second'])
  } finally {
    await sandbox.remove()
  }
})
