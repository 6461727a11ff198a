import { expect, test } from 'vitest'
import { findTableDamage } from '../../../src/search/lance/table-damage.ts'

const failing = (errors: readonly Error[]) => {
  let opened = 0
  return async () => {
    const error = errors[opened++]
    if (error) throw error
    return undefined
  }
}

test('a table whose files upkeep takes away meanwhile is opened again before it is called damaged', async () => {
  expect(await findTableDamage(failing([new Error('no such file')]))).toBeUndefined()
  expect(
    await findTableDamage(failing([new Error('no such file'), new Error('no such file\nat 1')])),
  ).toBe('no such file')
})
test('what the system refuses says nothing of the table', async () => {
  const refused = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  await expect(findTableDamage(failing([refused]))).rejects.toThrow('no space left')
})
test.each(['Too many open files (os error 24)', 'Generic S3 error: error sending request'])(
  'nor does what the engine is refused: %s',
  async message => {
    const refused = new Error(`lance error: ${message}`)
    await expect(findTableDamage(failing([refused]))).rejects.toThrow(message)
  },
)
test('who gives up is not told of damage', async () => {
  const signal = AbortSignal.abort()
  await expect(findTableDamage(failing([new Error('stopped')]), signal)).rejects.toThrow('stopped')
})
