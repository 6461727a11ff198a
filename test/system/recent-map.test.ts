import { expect, test } from 'vitest'
import { RecentMap } from '../../src/system/recent-map.ts'

test('the entry set last stays, and the oldest goes', () => {
  const map = new RecentMap<string, number>(2)
  for (const [value, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, value)
  expect(['a', 'b', 'c'].map(key => map.get(key))).toEqual([2, undefined, 3])
})

test('sizes are measured, and what was deleted or replaced has none', () => {
  const map = new RecentMap<string, string>(5, (value, key) => value.length + key.length)
  map.set('a', 'xxx')
  map.set('a', 'x')
  map.set('b', 'xx')
  expect(map.get('a')).toBe('x')
  map.delete('b')
  map.set('c', 'xx')
  expect(map.get('a')).toBe('x')
  map.set('d', 'x')
  expect(map.get('a')).toBeUndefined()
})

test('the newest stays though it is larger than the whole map', () => {
  const map = new RecentMap<string, number>(1, value => value)
  map.set('a', 1)
  map.set('b', 9)
  expect([map.get('a'), map.get('b')]).toEqual([undefined, 9])
})
