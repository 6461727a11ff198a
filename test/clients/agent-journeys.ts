import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMCPClient } from '@ai-sdk/mcp'
import { Agent, fileSearchTool, OpenAIProvider, Runner, type Tool, tool } from '@openai/agents'
import { z } from 'zod'
import {
  type ClientJourneys,
  JOURNEY_ANSWER,
  JOURNEY_QUESTION,
  JOURNEY_SOURCE,
  type JourneyPlace,
} from './journeys.ts'

function openRunner({ url }: JourneyPlace): Runner {
  const modelProvider = new OpenAIProvider({
    baseURL: `${url}/v1`,
    apiKey: 'none',
    useResponses: true,
  })
  return new Runner({ modelProvider, tracingDisabled: true })
}

function createAgent({ store }: JourneyPlace, ...tools: readonly Tool[]): Agent {
  return new Agent({
    name: 'traveller',
    model: 'thinker',
    tools: [fileSearchTool(store), ...tools],
  })
}

/** OpenAI's Agents SDK, over /v1/responses. */
const openaiAgents: ClientJourneys = {
  client: '@openai/agents',
  async answer(place) {
    const result = await openRunner(place).run(createAgent(place), JOURNEY_QUESTION)
    assert.equal(result.finalOutput, JOURNEY_ANSWER)
    assert.ok(JSON.stringify(result.rawResponses).includes(JOURNEY_SOURCE))
  },
  async call(place) {
    const calls: string[] = []
    const lookUp = tool({
      name: 'look_up',
      description: 'Looks up a place.',
      parameters: z.object({ place: z.string() }),
      execute: input => {
        calls.push(input.place)
        return 'open'
      },
    })
    const result = await openRunner(place).run(createAgent(place, lookUp), JOURNEY_QUESTION)
    assert.equal(result.finalOutput, JOURNEY_ANSWER)
    assert.deepEqual(calls, place.mayCall ? ['Rome'] : [])
  },
  async cut(place) {
    const open = async () =>
      await openRunner(place).run(createAgent(place), JOURNEY_QUESTION, { stream: true })
    for await (const text of (await open()).toTextStream()) if (text !== '') break
    const again = await open()
    await again.completed
    assert.equal(again.finalOutput, JOURNEY_ANSWER)
  },
}

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

type Ask = (place: JourneyPlace, question: string, signal?: AbortSignal) => Promise<string>

function createMcpJourneys(client: string, ask: Ask): ClientJourneys {
  return {
    client,
    async answer(place) {
      const answered = await ask(place, JOURNEY_QUESTION)
      assert.ok(answered.includes(JOURNEY_ANSWER))
      assert.ok(answered.includes(JOURNEY_SOURCE))
    },
    async call(place) {
      assert.ok((await ask(place, `Search: ${JOURNEY_QUESTION}`)).includes(JOURNEY_ANSWER))
    },
    async cut(place) {
      const left = new AbortController()
      const asked = ask(place, JOURNEY_QUESTION, left.signal).catch(() => undefined)
      left.abort()
      await asked
      assert.ok((await ask(place, JOURNEY_QUESTION)).includes(JOURNEY_ANSWER))
    },
  }
}

/** The MCP client of the AI SDK. */
const aiMcp: ClientJourneys = createMcpJourneys('@ai-sdk/mcp', askOverMcp)

/** Folder of the program, which looks for its package.json from the current directory. */
const INSPECTOR = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector-cli/build', import.meta.url),
)

/** Calls the tool and returns what the inspector prints. */
async function inspect({ url, store }: JourneyPlace, question: string, signal?: AbortSignal) {
  const address = `${url}/mcp?collection=${store}`
  const call = ['--method', 'tools/call', '--tool-name', 'ask', '--tool-arg']
  const args = ['index.js', address, '--transport', 'http', ...call, `question=${question}`]
  const options = { cwd: INSPECTOR, ...(signal && { signal }) }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return JSON.stringify(JSON.parse(stdout))
}

/** The command line of the MCP inspector, over /mcp. Cut by ending its process. */
const inspector: ClientJourneys = createMcpJourneys('@modelcontextprotocol/inspector-cli', inspect)

export const AGENT_JOURNEYS: readonly ClientJourneys[] = [openaiAgents, aiMcp, inspector]
