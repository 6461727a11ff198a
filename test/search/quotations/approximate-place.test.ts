import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PieceFinder } from '../../../src/search/quotations/approximate-place.ts'
import { foldText } from '../../../src/search/quotations/folded-text.ts'

const letters = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), { minLength, maxLength })
    .map(list => list.join(''))

test('a piece with slips is found where it stands, for any place and slips', () => {
  const slips = fc.array(fc.nat(28), { maxLength: 3 })
  fc.assert(
    fc.property(letters(200, 900), letters(30, 90), letters(200, 900), slips, (...drawn) => {
      const [before, piece, after, at] = drawn
      const changed = [...piece].filter((_, index) => !at.includes(index)).join('')
      const best = new PieceFinder(before + piece + after).find(changed)
      expect(best?.edits).toBeLessThanOrEqual(3)
      expect(Math.abs((best?.start ?? 0) - before.length)).toBeLessThanOrEqual(3)
    }),
  )
})

test('text that is not there is not found', () => {
  const finder = new PieceFinder('thenoticeperiodisthreemonthsfromtheendofaquarter'.repeat(20))
  expect(finder.find('ahotelinparismaycostonehundredandfortyeuros')).toBeUndefined()
})

test('a short piece with two slips is not found', () => {
  expect(new PieceFinder('paymentisduein30days').find('paymentisdxein3xdays')).toMatchObject({
    edits: 2,
  })
  expect(new PieceFinder('paymentisduein30days').find('due1n3x')).toBeUndefined()
})

test('folding leaves letters and digits in one form, with their offsets', () => {
  const { letters, offsets } = foldText('Ｃafé-\n軟體 １２')
  expect(letters).toBe('cafe软体12')
  expect(offsets).toEqual([0, 1, 2, 3, 6, 7, 9, 10])
})
