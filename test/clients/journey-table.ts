import { pathToFileURL } from 'node:url'
import { mcpService } from '../../src/mcp.ts'
import {
  MODEL_PROFILES,
  type ModelProfile,
  startProfile,
  WITHOUT_TOOLS,
} from '../fakes/model-profiles.ts'
import type { RecordedRequest } from '../fakes/scripted-model-server.ts'
import { startServer } from '../server/running.ts'
import { AGENT_JOURNEYS } from './agent-journeys.ts'
import {
  CLIENT_JOURNEYS,
  type ClientJourneys,
  JOURNEY_ANSWER,
  type JourneyPlace,
} from './journeys.ts'
import { startPythonJourneys } from './python-journeys.ts'

const JOURNEYS = ['answer', 'call', 'cut', 'rank'] as const

/** Outcome of a journey; `problem` is absent if it succeeded. */
export type Cell = {
  readonly client: string
  readonly profile: string
  readonly journey: (typeof JOURNEYS)[number]
  readonly problem?: string
}

/** Calls the client's function, or searches if told to, and then answers, in JSON if asked to. */
function reply({ body }: RecordedRequest) {
  if (body.response_format !== undefined) return { text: JSON.stringify({ text: JOURNEY_ANSWER }) }
  const tools = (body.tools ?? []) as readonly { readonly function: { readonly name: string } }[] // as OpenAI's
  const names = tools.map(({ function: { name } }) => name)
  const last = body.messages.findLastIndex(({ role }) => role === 'user')
  const hasResult = body.messages.slice(last).some(({ role }) => role === 'tool')
  if (!hasResult && names.includes('look_up')) return { name: 'look_up', call: { place: 'Rome' } }
  const isTold = JSON.stringify(body.messages[last]?.content ?? '').includes('Search: ')
  if (!hasResult && isTold && names.includes('search'))
    return { name: 'search', call: { query: 'hotels' } }
  return { text: JOURNEY_ANSWER }
}

/** Runs every client through every journey on a service whose model has the profile's habits. */
export async function runProfile(
  profile: ModelProfile,
  clients: readonly ClientJourneys[],
): Promise<readonly Cell[]> {
  const model = await startProfile(profile, reply)
  const server = await startServer(
    { settings: { model: { url: model.url, name: 'thinker', key: 'secret' } } },
    { mcp: mcpService() },
  )
  try {
    await server.sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' })
    await server.passim.index([server.sandbox.path('hotel.md')], { collection: 'travel' })
    const { id: store } = await server.passim.collections.get('travel')
    const mayCall = !WITHOUT_TOOLS.has(profile.name)
    const place = { url: server.url, store, mayCall }
    const cells: Cell[] = []
    for (const client of clients)
      for (const journey of journeysOf(client))
        cells.push(await runCell(client, journey, { place, profile: profile.name }))
    return cells
  } finally {
    await server.close()
    await model.close()
  }
}

/** Journeys that the service has routes for. */
export function journeysOf(client: ClientJourneys): readonly Cell['journey'][] {
  return JOURNEYS.filter(journey => client[journey] !== undefined)
}

type At = { readonly place: JourneyPlace; readonly profile: string }

async function runCell(
  client: ClientJourneys,
  journey: Cell['journey'],
  { place, profile }: At,
): Promise<Cell> {
  const cell = { client: client.client, profile, journey }
  try {
    await client[journey]?.(place)
    return cell
  } catch (error) {
    return { ...cell, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Formats a table with a row per profile and a column per client. */
function formatCells(cells: readonly Cell[]): string {
  const clients = [...new Set(cells.map(({ client }) => client))]
  const profiles = [...new Set(cells.map(({ profile }) => profile))]
  const toMark = (profile: string, client: string) =>
    JOURNEYS.map(journey => {
      const cell = cells.find(
        one => one.profile === profile && one.client === client && one.journey === journey,
      )
      if (!cell) return '–'
      return cell.problem === undefined ? '✓' : '✗'
    }).join(' ')
  const rows = profiles.map(profile => [profile, ...clients.map(client => toMark(profile, client))])
  const lines = [['profile', ...clients], ['---', ...clients.map(() => '---')], ...rows]
  return lines.map(line => `| ${line.join(' | ')} |`).join('\n')
}

/** Prints the table, and what failed: `npx tsx test/clients/journey-table.ts`. */
async function main(): Promise<void> {
  const python = await startPythonJourneys()
  const clients = [...CLIENT_JOURNEYS, ...AGENT_JOURNEYS, ...python.clients]
  const cells: Cell[] = []
  for (const profile of MODEL_PROFILES) cells.push(...(await runProfile(profile, clients)))
  python.close()
  console.log(`Each cell: ${JOURNEYS.join(', ')} (–: not served).\n\n${formatCells(cells)}`)
  for (const { client, reason } of python.missing) console.log(`Not run: ${client}, ${reason}`)
  const failed = cells.filter(({ problem }) => problem !== undefined)
  for (const cell of failed) console.log(JSON.stringify(cell))
  process.exitCode = failed.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
