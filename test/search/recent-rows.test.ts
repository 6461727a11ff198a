import { expect, test } from 'vitest'
import { RecentReads, RecentRows } from '../../src/search/recent-rows.ts'

/** How many of the vectors that were read are still there; each is read twice. */
function kept(dimensions: number, rows: number): number {
  const { vectors } = new RecentReads()
  const vector = new Float32Array(dimensions)
  for (let row = 0n; row < rows; row++) {
    vectors.add(1, row, vector)
    vectors.add(1, row, vector)
  }
  expect(vectors.get(1, BigInt(rows - 1))).toBe(vector)
  return Array.from({ length: rows }, (_, row) => vectors.get(1, BigInt(row))).filter(Boolean)
    .length
}

test('vectors are kept by their bytes, of long ones fewer', () => {
  expect(kept(384, 33_000)).toBe(32_768)
  const long = kept(4096, 33_000)
  expect(long * 4096 * 4).toBeLessThan(50 * 1024 * 1024)
  expect(long).toBeGreaterThan(3_000)
})

test('what one reader keeps goes before what another has read since', () => {
  const rows = new RecentRows<string>(3)
  rows.add(1, 0n, 'first')
  rows.add(2, 0n, 'of another')
  rows.add(2, 1n, 'of another')
  rows.add(1, 1n, 'last')
  expect([rows.get(1, 0n), rows.get(1, 1n)]).toEqual(['first', 'last'])
  expect([rows.get(2, 0n), rows.get(2, 1n)]).toEqual([undefined, 'of another'])
})
