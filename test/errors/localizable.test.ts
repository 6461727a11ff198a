import { expect, test } from 'vitest'
import {
  getMessages,
  localizable,
  packMessages,
  unpackMessages,
  withMessage,
} from '../../src/errors/localizable.ts'

const missing = localizable`the page ${undefined}`
const failure = withMessage(
  { code: 'corrupt' },
  localizable`Cannot read ${'a.pdf'}: ${[localizable`page ${3}`, missing]}.`,
  'Save it again.',
)

test('values come through JSON and stay apart from the sentence', () => {
  const packed = JSON.parse(JSON.stringify(packMessages(failure))) as typeof failure // as it was
  expect(packed.message).toBe('Cannot read a.pdf: page 3, the page .')
  const { message, advice } = getMessages(unpackMessages(packed))
  expect(message).toMatchObject({ template: 'Cannot read {0}: {1}.' })
  expect(`${message} ${advice}`).toBe('Cannot read a.pdf: page 3, the page . Save it again.')
})

test('values that cannot be read leave the English', () => {
  let deep: unknown = 'x'
  for (let depth = 0; depth < 10_000; depth++) deep = [deep]
  const strange = [
    7,
    {},
    { message: { template: 'a' } },
    { message: { template: 3, values: [] } },
    { message: { template: '{0}', values: [{ template: '{0}' }] } },
    { message: { template: '{0}', values: [deep] } },
  ]
  for (const said of strange) {
    const item = unpackMessages({ code: 'corrupt', message: 'It is damaged.', said })
    expect(item).toEqual({ code: 'corrupt', message: 'It is damaged.' })
    expect(getMessages(item).message).toBe('It is damaged.')
  }
})
