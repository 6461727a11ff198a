import { expect, test } from 'vitest'
import type { Evidence } from '../../../src/agent/answers/evidence.ts'
import { nearestFirst } from '../../../src/agent/answers/nearest.ts'

const near = (name: string, lift?: number) => ({ name, lift, isAcross: name > 'm' }) as unknown as Evidence // what is looked at

const check = (own: readonly Evidence[], across: readonly Evidence[], expected: string) =>
  expect(nearestFirst(own, across).map(one => (one as unknown as { name: string }).name)).toEqual(expected.split(' '))

test('where both languages are equally near, the question’s own comes first', () =>
  check([near('a', 0.03), near('b', 0.05)], [near('x', 0.03)], 'a b x'))
test('the other language comes first where it is nearer', () =>
  check([near('a', 0.02)], [near('x', 0.03), near('y', 0.02)], 'x y a'))
test('the other one has its turn after two', () =>
  check([near('a', 0.05), near('b', 0.04), near('c', 0.03)], [near('x', 0.03), near('y', 0.01)], 'a b x c y'))
test('without vectors the question’s own language comes first', () =>
  check([near('a')], [near('x'), near('y')], 'a x y'))
