import { expect, test } from 'vitest'
import type { Evidence } from '../../../src/agent/answers/evidence.ts'
import { nearestFirst } from '../../../src/agent/answers/nearest.ts'

const near = (name: string, missing: number, lift?: number) => ({ name, missing, lift }) as unknown as Evidence // what is looked at

const check = (own: readonly Evidence[], across: readonly Evidence[], expected: string) =>
  expect(nearestFirst(own, across).map(one => (one as unknown as { name: string }).name)).toEqual(expected.split(' '))

test('what shares words with the question comes before what is in the other language', () =>
  check([near('a', 0.6, 0.01), near('b', 1, 0.01)], [near('x', 1, 0.04)], 'a x b'))
test('of what shares none, the other language comes first where it is nearer by meaning', () =>
  check([near('a', 1, 0.05), near('b', 1, 0.03)], [near('x', 1, 0.03), near('y', 1, 0.02)], 'a x b y'))
test('without vectors the question’s own language comes first', () =>
  check([near('a', 1)], [near('x', 1), near('y', 1)], 'a x y'))
