import { expect, test } from 'vitest'
import { getFirst, getItem, getLast } from '../../src/system/items.ts'

test('items are found by place, whatever is stored in a list', () => {
  expect([getFirst([3, 4]), getItem(['a', ''], 1), getLast(new Uint8Array([1, 0]))]).toEqual([
    3,
    '',
    0,
  ])
})

test('a place outside of a list is an error that names the place', () => {
  for (const read of [() => getItem([1], 1), () => getItem([1], -1)])
    expect(read).toThrow(/^There is no item -?1 among 1\.$/)
  for (const read of [() => getFirst([]), () => getLast([])]) expect(read).toThrow(RangeError)
})
