import { afterAll, beforeAll, expect, test } from 'vitest'
import { findContract, OpenAIContract } from '../contract/openai-contract.ts'
import { startTravel, type Travel } from '../server/travel.ts'
import { CheckedFetch } from './checked-fetch.ts'
import { SCENARIOS } from './clients.ts'
import { replyTo } from './replies.ts'

const file = findContract()
let travel: Travel
let checked: CheckedFetch

beforeAll(async () => {
  travel = await startTravel(replyTo)
  checked = new CheckedFetch(`${travel.server.url}/v1`, file ? new OpenAIContract(file) : undefined)
})
afterAll(() => travel.close())

test.each(Object.keys(SCENARIOS))('%s', async name => {
  const { server, store } = travel
  await SCENARIOS[name]!({ baseURL: `${server.url}/v1`, store, fetch: checked.fetch })
})
test.skipIf(!file)(
  'all that they were answered is valid (needs ../shared/contract or $PASSIM_SHARED)',
  () => {
    expect(checked.problems).toEqual([])
    expect(checked.calls).toBeGreaterThan(50)
    expect(checked.events).toBeGreaterThan(50)
  },
)
