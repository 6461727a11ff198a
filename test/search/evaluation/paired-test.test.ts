import { expect, test } from 'vitest'
import { comparePaired } from '../../../src/search/evaluation/paired-test.ts'

const values = (size: number, of: (index: number) => number) =>
  Array.from({ length: size }, (_, index) => of(index))

test('a gain on every query is no chance', () => {
  const { difference, ci95, p } = comparePaired(
    values(40, () => 0.6),
    values(40, () => 0.5),
  )
  expect(difference).toBeCloseTo(0.1)
  expect(ci95[0]).toBeGreaterThan(0)
  expect(p).toBeLessThan(0.001)
})
test('as many gains as losses are', () => {
  const { ci95, p } = comparePaired(
    values(40, index => index % 2),
    values(40, index => (index + 1) % 2),
  )
  expect(ci95[0]).toBeLessThan(0)
  expect(ci95[1]).toBeGreaterThan(0)
  expect(p).toBeGreaterThan(0.5)
})
test('a setting does not differ from itself', () => {
  const same = values(40, index => index / 40)
  expect(comparePaired(same, same)).toMatchObject({ difference: 0, ci95: [0, 0], p: 1 })
})
test('the same values give the same answer', () => {
  const [a, b] = [values(20, index => (index * 7) % 11), values(20, index => (index * 5) % 11)]
  expect(comparePaired(a, b)).toEqual(comparePaired(a, b))
  expect(comparePaired(b, a).difference).toBe(-comparePaired(a, b).difference)
})
