import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FEATURES } from '../../src/answer/evidence/features.ts'
import { BIAS, THRESHOLD, WEIGHTS } from '../../src/answer/evidence/weights.ts'

const text = readFileSync('ARCHITECTURE.md', 'utf8')

test('the table of features in ARCHITECTURE.md has the weights that are in use', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| (-?[\d.]+) \| .+ \|$/gm)].map(([, name, weight]) => [
    name,
    Number(weight),
  ])
  expect(rows).toEqual(FEATURES.map(name => [name, WEIGHTS[name]]))
})

test('ARCHITECTURE.md has the bias and the threshold that are in use', () => {
  expect(text).toContain(`the bias is ${BIAS},`)
  expect(text).toContain(`one threshold, ${THRESHOLD},`)
})
