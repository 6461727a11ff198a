import { expect, test } from 'vitest'
import { memoize } from '../../src/text/memoize.ts'

/** How often it was asked, and what it tells. */
function counted() {
  const told: string[] = []
  const lengthOf = memoize(text => told.push(text) && text.length)
  return { told, lengthOf }
}

test('a text is read once, and the same is told again', () => {
  const { told, lengthOf } = counted()
  expect([lengthOf('a'), lengthOf('bb'), lengthOf('a')]).toEqual([1, 2, 1])
  expect(told).toEqual(['a', 'bb'])
})

test('of more texts than are kept, the one that was not asked for longest is read anew', () => {
  const { told, lengthOf } = counted()
  const texts = Array.from({ length: 200 }, (_, at) => String(at).padStart(3_000, '-')) // 600,000 characters
  lengthOf('kept')
  for (const text of texts) {
    lengthOf(text)
    lengthOf('kept')
  }
  expect(told.length).toBe(201)
  lengthOf(texts.at(-1)!)
  expect(told.length).toBe(201)
  lengthOf(texts[0]!)
  expect(told.length).toBe(202)
})

test('a long text is never kept', () => {
  const { told, lengthOf } = counted()
  const long = 'x'.repeat(10_000)
  expect([lengthOf(long), lengthOf(long)]).toEqual([10_000, 10_000])
  expect(told.length).toBe(2)
})
