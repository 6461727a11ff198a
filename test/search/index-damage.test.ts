import { expect, test } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { toDamageError } from '../../src/search/index-damage.ts'

test.each([
  'lance error: Not found: /store/index/t.lance/data/1.lance',
  'lance error: LanceError(IO): file size is too small; expected a footer',
  'lance error: LanceError(IO): No such file or directory (os error 2)',
])('an index whose files are damaged is told by its collection: %s', message => {
  const told = toDamageError(new Error(message), 'papers')
  expect(told).toBeInstanceOf(AppError)
  expect(told).toMatchObject({
    code: 'store_mismatch',
    message: expect.stringContaining('papers'),
    advice: expect.stringContaining('verify --repair'),
  })
})
test('a failure that does not name the engine in words is known by its code', () => {
  const error = Object.assign(new Error('Invalid input, failed to decode a page'), {
    code: 'GenericFailure',
  })
  expect(toDamageError(error, 'papers')).toMatchObject({ code: 'store_mismatch' })
})
test.each([27, 28, 122])('a disk that takes no more is full: os error %i', number => {
  const error = new Error(`lance error: LanceError(IO): it cannot be written (os error ${number})`)
  expect(toDamageError(error, 'papers')).toMatchObject({
    code: 'disk_full',
    message: expect.stringContaining('papers'),
  })
})
test.each([
  'lance error: LanceError(IO): Read-only file system (os error 30)',
  'lance error: LanceError(IO): Input/output error (os error 5)',
  'lance error: LanceError(IO): Too many open files (os error 24)',
  'lance error: Commit conflict for version 7: two writers',
  'Something else',
])('what is wrong with the disk, or between two writers, is no damage: %s', message => {
  const error = new Error(message)
  expect(toDamageError(error, 'papers')).toBe(error)
})
