import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue, findClosestIssue } from '../../src/errors/schema-issue.ts'

const item = z.union([
  z.object({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'system']),
    content: z.string(),
  }),
  z.object({ type: z.literal('call'), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('search'), queries: z.array(z.string()).max(2).optional() }),
])
const input = z.union([z.string().min(1), z.array(item).min(1).max(3)])

function check(value: unknown, place: string, message: RegExp): void {
  const issue = findClosestIssue(input.safeParse(value).error!.issues[0]!) // it does not fit
  expect([issue.path.join('.'), `${describeIssue(issue, false)}`]).toEqual([
    place,
    expect.stringMatching(message),
  ])
}

test('a value of no kind that it may be hears of all of them', () =>
  check(5, '', /a string or a list/))
test('a bound that alone is exceeded is named', () => {
  check('', '', /is empty/)
  check(Array(4).fill({ type: 'search' }), '', /at most 3 items/)
  check([{ type: 'search', queries: ['a', 'b', 'c'] }], '0.queries', /at most 2 items/)
})
test('what is missing is named as the kind that its tag names, though other kinds lack less', () => {
  check([{ type: 'call', name: 'f' }], '0.arguments', /a string/)
})
test('a tag that there is none of hears of all tags', () => {
  check([{ type: 'other' }], '0.type', /message, call, search/)
})
test('a union that explains itself does so for a tag that there is none of, and for nothing else', () => {
  const named = z.object({
    type: z.literal('a'),
    name: z.string(),
    size: z.enum(['s', 'l']).optional(),
  })
  const explained = z.union([named, z.object({ type: z.literal('b'), count: z.int() })], {
    error: 'things are a or b',
  })
  const found = (value: unknown) => findClosestIssue(explained.safeParse(value).error!.issues[0]!) // it does not fit
  expect(found({ type: 'c' })).toMatchObject({ path: ['type'], message: 'things are a or b' })
  expect(found({ type: 'a' })).toMatchObject({
    path: ['name'],
    message: expect.stringContaining('expected string'),
  })
  expect(found({ type: 'a', name: 'x', size: 'm' })).toMatchObject({ path: ['size'] })
})
test('a wrong value of a kind that is told by its other fields is named', () => {
  check([{ role: 'robot', content: 'Hi' }], '0.role', /user, system/)
})
test('a wrong value that only one kind has is named before what another kind lacks', () => {
  const withReference = z.union([
    z.object({ type: z.literal('reference').optional(), id: z.string() }),
    item,
  ])
  const { issues } = withReference.safeParse(
    { role: 'robot', content: 'Hi' },
    { reportInput: true },
  ).error! // it does not fit
  expect(findClosestIssue(issues[0]!)).toMatchObject({ path: ['role'] })
})
test('a text that does not match hears of the pattern, also if the library says nothing', () => {
  const name = z.string().regex(/^[a-z]{1,9}$/)
  const describe = (options: { error?: () => string }) =>
    `${describeIssue(name.safeParse('a b', options).error!.issues[0]!, false)}` // it does not fit
  expect(describe({})).toBe('has to match the pattern /^[a-z]{1,9}$/')
  expect(describe({ error: () => '' })).toBe(describe({}))
})
