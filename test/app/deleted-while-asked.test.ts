import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { PresentDocuments } from '../../src/ingest/store/document-reader.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeEach(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const lamp = (number: number) =>
    `The lamp number ${number} of the harbour burns ${number + 3} hours a night.`
  await passim.index([
    await sandbox.write({ 'one.txt': lamp(1), 'two.txt': lamp(2), 'three.txt': lamp(3) }),
  ])
})
afterEach(() => sandbox.remove())

test('a document that is deleted between its search and the answer is not cited, and the others are', async () => {
  const run = passim.ask({ question: 'How many hours a night do the lamps of the harbour burn?' })
  let isThere = true
  for await (const event of run.events) {
    if (event.type !== 'retrieval' || !isThere) continue
    isThere = false
    await passim.delete('two.txt')
  }
  const { abstained, citations } = await run.result
  expect(abstained).toBe(false)
  expect(new Set(citations.map(({ doc }) => doc))).toEqual(new Set(['one.txt', 'three.txt']))
})

test('what else cannot be read of a document that is there is told', async () => {
  const document = await passim.show('one.txt')
  const { id } = document
  const broken = new PresentDocuments({
    find: async documentId => (documentId === id ? document : undefined),
    read: () => Promise.reject(new Error('disk')),
    readTables: () => Promise.reject(new Error('disk')),
    listExcluded: async () => [],
    readBlocks: async function* () {
      yield await Promise.reject(new Error('disk'))
    },
  })
  const read = async (documentId: string) => {
    const blocks: unknown[] = []
    for await (const block of broken.readBlocks(documentId)) blocks.push(block)
    return [await broken.read(documentId, 0, 1), await broken.readTables(documentId), blocks]
  }
  expect(await read('gone')).toEqual(['', [], []])
  await expect(read(id)).rejects.toThrow('disk')
  await expect(broken.read(id, 0, 1)).rejects.toThrow('disk')
  await expect(broken.readTables(id)).rejects.toThrow('disk')
})
