import { afterAll, beforeAll, expect, test } from 'vitest'
import { MODEL_PROFILES } from '../fakes/model-profiles.ts'
import { AGENT_JOURNEYS } from './agent-journeys.ts'
import { runProfile } from './journey-table.ts'
import { CLIENT_JOURNEYS } from './journeys.ts'
import { type PythonJourneys, startPythonJourneys } from './python-journeys.ts'

let python: PythonJourneys
beforeAll(async () => {
  python = await startPythonJourneys()
}, 600_000)
afterAll(() => python.close())

test.each(MODEL_PROFILES)(
  'every client gets through its journeys on $name',
  async profile => {
    const clients = [...CLIENT_JOURNEYS, ...AGENT_JOURNEYS, ...python.clients]
    const cells = await runProfile(profile, clients)
    expect(cells).toHaveLength(3 * clients.length)
    expect(clients.length).toBeGreaterThan(16)
    expect(cells.filter(({ problem }) => problem !== undefined)).toEqual([])
  },
  120_000,
)
