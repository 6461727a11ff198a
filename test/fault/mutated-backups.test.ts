import { expect, test } from 'vitest'
import { importMutated } from '../fakes/import-mutated.ts'

/** `test/soak/mutated-backups.ts` imports 500. */
const COUNT = 40

test('a backup that was changed is imported whole or refused with a word, and nothing outside of its home is touched', async () => {
  const problems = []
  for await (const outcome of importMutated(COUNT, 1)) if (outcome.problem) problems.push(outcome)
  expect(problems).toEqual([])
})
