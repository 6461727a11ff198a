import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from '../server/travel.ts'
import { CANCELS } from './cancels.ts'
import { ENDLESS } from './replies.ts'

describe.each<readonly [string, ScriptedReply]>([
  ['says nothing', { hang: true }],
  ['never ends', ENDLESS],
])('a model that %s is let go of when a client cancels', (_, reply) => {
  let travel: Travel
  beforeAll(async () => {
    travel = await startTravel([reply])
  })
  afterAll(() => travel.close())

  test.each(Object.entries(CANCELS))('%s', async (name, ask) => {
    const { server, store, model } = travel
    const at = model.requests.length
    const cancel = new AbortController()
    let hear = () => {}
    const heard = new Promise<void>(resolve => {
      hear = resolve
    })
    const place = { baseURL: `${server.url}/v1`, store, fetch }
    const asking = ask(place, cancel.signal, hear)
    asking.catch(() => {}) // most throw when they are cancelled
    const asked = await model.request(at)
    if (reply === ENDLESS && name.includes('streamed')) await heard
    cancel.abort()
    await asked.closed
    await asking.catch(() => {})
    expect(model.requests).toHaveLength(at + 1)
  })
})
