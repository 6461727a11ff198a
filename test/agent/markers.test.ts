import { expect, test } from 'vitest'
import { findMarkers, rewriteMarkers } from '../../src/agent/markers.ts'

function checkFound(text: string, expected: readonly (readonly [number, string])[]) {
  expect(findMarkers(text).map(({ id, claim }) => [id, claim])).toEqual(expected)
}

function checkRewritten(text: string, expected: string) {
  expect(rewriteMarkers(text, id => id <= 3)).toBe(expected)
}

test('a marker belongs to the sentence in front of it', () =>
  checkFound('Rain fell. Snow followed [2].', [[2, 'Snow followed']]))
test('a marker after the full stop belongs to the sentence that ended', () =>
  checkFound('Rain fell. [1] Snow followed. [2]', [
    [1, 'Rain fell.'],
    [2, 'Snow followed.'],
  ]))
test('markers side by side share their claim', () =>
  checkFound('Rain fell [1][2].', [
    [1, 'Rain fell'],
    [2, 'Rain fell'],
  ]))
test('a list in one bracket is several markers', () =>
  checkFound('Rain [1, 2]', [
    [1, 'Rain'],
    [2, 'Rain'],
  ]))
test('Chinese brackets are markers', () => checkFound('下雨了【1】。', [[1, '下雨了']]))
test('a year in brackets is no marker', () => checkFound('As shown [2020].', []))
test('an index in code is no marker', () => checkFound('Use `list[0]` or\n```\na[1]\n```', []))

test('markers are written alike', () => checkRewritten('a 【1】 b [2, 3] c [^1]', 'a [1] b [2][3] c [1]'))
test('a marker of no source goes with its space', () =>
  checkRewritten('It rained [9]. It snowed [1][8].', 'It rained. It snowed [1].'))
