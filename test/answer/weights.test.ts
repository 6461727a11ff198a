import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SUPPORT_FEATURES } from '../../src/answer/citations/judgement.ts'
import { STATED, SUPPORT_BIAS, SUPPORT_WEIGHTS } from '../../src/answer/citations/support-weights.ts'
import { FEATURES } from '../../src/answer/evidence/features.ts'
import { ACROSS, THRESHOLD, WITHIN } from '../../src/answer/evidence/weights.ts'

const text = readFileSync('ARCHITECTURE.md', 'utf8')

test('the table of features in ARCHITECTURE.md has the weights that are in use', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| (-?[\d.]+) \| (-?[\d.]+) \| .+ \|$/gm)].map(
    ([, name, within, across]) => [name, Number(within), Number(across)],
  )
  expect(rows).toEqual(FEATURES.map(name => [name, WITHIN.weights[name], ACROSS.weights[name]]))
})

test('ARCHITECTURE.md has the biases and the threshold that are in use', () => {
  expect(text).toContain(`the biases are ${WITHIN.bias} and ${ACROSS.bias},`)
  expect(text).toContain(`one threshold, ${THRESHOLD},`)
})

test('and so has the table of what claims are held by', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| (-?[\d.]+) \| (?!-?[\d.]+ \|)/gm)]
  expect(rows.map(([, name, weight]) => [name, Number(weight)])).toEqual(
    SUPPORT_FEATURES.map(name => [name, SUPPORT_WEIGHTS[name]]),
  )
  expect(text).toContain(`a bias of ${SUPPORT_BIAS} and a threshold of ${STATED}`)
})
