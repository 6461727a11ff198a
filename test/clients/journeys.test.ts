import { afterAll, expect, test } from 'vitest'
import { MODEL_PROFILES } from '../fakes/model-profiles.ts'
import { AGENT_JOURNEYS } from './agent-journeys.ts'
import { journeysOf, runProfile } from './journey-table.ts'
import { CLIENT_JOURNEYS } from './journeys.ts'
import { startPythonJourneys } from './python-journeys.ts'

const python = await startPythonJourneys()
afterAll(() => python.close())

const clients = [...CLIENT_JOURNEYS, ...AGENT_JOURNEYS, ...python.clients]

test.each(MODEL_PROFILES)(
  'every client gets through its journeys on $name',
  async profile => {
    const cells = await runProfile(profile, clients)
    expect(cells).toHaveLength(clients.flatMap(journeysOf).length)
    expect(clients.length + python.missing.length).toBeGreaterThanOrEqual(22)
    expect(cells.filter(({ problem }) => problem !== undefined)).toEqual([])
  },
  240_000, // the first imports every package for Python
)

test.for(python.missing)('$client gets through its journeys', ({ reason }, { skip }) =>
  skip(`not run: ${reason}`),
)
