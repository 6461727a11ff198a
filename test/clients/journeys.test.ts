import { expect, test } from 'vitest'
import { MODEL_PROFILES } from '../fakes/model-profiles.ts'
import { runProfile } from './journey-table.ts'
import { CLIENT_JOURNEYS } from './journeys.ts'

test.each(MODEL_PROFILES)('every client gets through its journeys on $name', async profile => {
  const cells = await runProfile(profile)
  expect(cells).toHaveLength(3 * CLIENT_JOURNEYS.length)
  expect(cells.filter(({ problem }) => problem !== undefined)).toEqual([])
})
