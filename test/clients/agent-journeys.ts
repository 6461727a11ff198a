import assert from 'node:assert/strict'
import { createMCPClient } from '@ai-sdk/mcp'
import {
  type ClientJourneys,
  JOURNEY_ANSWER,
  JOURNEY_QUESTION,
  JOURNEY_SOURCE,
  type JourneyPlace,
} from './journeys.ts'

async function askOverMcp(place: JourneyPlace, question: string, abortSignal?: AbortSignal) {
  const url = `${place.url}/mcp?collection=${place.store}`
  const client = await createMCPClient({ transport: { type: 'http', url } })
  try {
    const { ask } = await client.tools()
    const options = { toolCallId: '1', messages: [], ...(abortSignal && { abortSignal }) }
    return JSON.stringify(await ask?.execute({ question }, options))
  } finally {
    await client.close()
  }
}

/** The MCP client of the AI SDK. */
const aiMcp: ClientJourneys = {
  client: '@ai-sdk/mcp',
  async answer(place) {
    const answered = await askOverMcp(place, JOURNEY_QUESTION)
    assert.ok(answered.includes(JOURNEY_ANSWER))
    assert.ok(answered.includes(JOURNEY_SOURCE))
  },
  async call(place) {
    assert.ok((await askOverMcp(place, `Search: ${JOURNEY_QUESTION}`)).includes(JOURNEY_ANSWER))
  },
  async cut(place) {
    const left = new AbortController()
    const asked = askOverMcp(place, JOURNEY_QUESTION, left.signal).catch(() => undefined)
    left.abort()
    await asked
    assert.ok((await askOverMcp(place, JOURNEY_QUESTION)).includes(JOURNEY_ANSWER))
  },
}

export const AGENT_JOURNEYS: readonly ClientJourneys[] = [aiMcp]
