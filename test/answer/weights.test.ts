import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SUPPORT_FEATURES } from '../../src/answer/citations/judgement.ts'
import {
  STATED,
  SUPPORT_BIAS,
  SUPPORT_WEIGHTS,
} from '../../src/answer/citations/support-weights.ts'
import { EvidenceRanker } from '../../src/answer/evidence/evidence.ts'
import { FEATURES } from '../../src/answer/evidence/features.ts'
import { ACROSS, THRESHOLD, WITHIN } from '../../src/answer/evidence/weights.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

const evidence = readFileSync('docs/decisions/answers-without-a-model.md', 'utf8')
const claims = readFileSync('docs/decisions/claims.md', 'utf8')
const answers = readFileSync('docs/answers.md', 'utf8')

test('the table of features in the decision has the weights that are in use', () => {
  const rows = [...evidence.matchAll(/^\| `(\w+)` \| (-?[\d.]+) \| (-?[\d.]+) \| .+ \|$/gm)].map(
    ([, name, within, across]) => [name, Number(within), Number(across)],
  )
  expect(rows).toEqual(FEATURES.map(name => [name, WITHIN.weights[name], ACROSS.weights[name]]))
})

test('the decision has the biases and the threshold that are in use', () => {
  expect(evidence).toContain(`the biases are ${WITHIN.bias} and ${ACROSS.bias},`)
  expect(evidence).toContain(`one threshold, ${THRESHOLD},`)
})

test('and so has the table of what claims are held by', () => {
  const rows = [...claims.matchAll(/^\| `(\w+)` \| (-?[\d.]+) \| (?!-?[\d.]+ \|)/gm)]
  expect(rows.map(([, name, weight]) => [name, Number(weight)])).toEqual(
    SUPPORT_FEATURES.map(name => [name, SUPPORT_WEIGHTS[name]]),
  )
  expect(claims).toContain(`a bias of ${SUPPORT_BIAS} and a threshold of ${STATED}`)
})

test('the table of strictness in docs/answers.md has the least confidence that each lets through', () => {
  const [strictness, least] = ['strictness', 'least `confidence` of an answer'].map(name => {
    const row = answers.split('\n').find(line => line.startsWith(`| ${name} |`))
    return row?.split('|').slice(2, -1).map(Number)
  })
  expect(strictness).toEqual([0.3, 0.5, 0.7])
  expect(least).toEqual(strictness!.map(one => Number(leastConfidence(one).toFixed(2))))
})

function leastConfidence(strictness: number): number {
  const ranker = new EvidenceRanker({ reader: new MemorySearcher([]), strictness })
  return (
    Array.from({ length: 9_999 }, (_, at) => (at + 1) / 10_000).find(score =>
      ranker.isEnough({ score }),
    ) ?? 1
  )
}
