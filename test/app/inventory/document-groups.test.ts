import { expect, test } from 'vitest'
import { countByGroup } from '../../../src/app/inventory/document-groups.ts'
import type { Document } from '../../../src/ingest/store/catalog/document.ts'

test('counting many documents leaves the thread to others', async () => {
  const documents = Array.from(
    { length: 100_000 },
    (_, index) => ({ source: `/team/${index % 500}/${index}.md`, attributes: {} }) as Document, // of these alone folders are made
  )
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const counts = await countByGroup(documents, { attributes: ['project'] }, [])
  clearImmediate(timer)
  expect(counts).toEqual([{ documents: 100_000 }])
  expect(turns).toBeGreaterThan(1)
})
