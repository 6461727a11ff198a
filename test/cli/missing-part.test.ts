import { expect, test } from 'vitest'
import { explainMissingPart } from '../../src/cli/missing-part.ts'

test('a program without the native part of its index says what to install, and that it is not able to', () => {
  const cause = new Error("Cannot find module '@lancedb/lancedb-linux-x64-gnu'\nRequire stack: …")
  const failure = explainMissingPart(new Error('Cannot find native binding.', { cause }))
  expect(failure).toMatchObject({ subject: 'store' })
  expect(failure!.message).toContain('npm install --no-save @lancedb/lancedb-linux-x64-gnu')
})

test('any other module that is missing is another matter', () => {
  expect(explainMissingPart(new Error("Cannot find module 'left-pad'"))).toBeUndefined()
})
