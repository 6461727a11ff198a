import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Keys } from '../../src/app/tenants/keys.ts'
import { mcpService } from '../../src/mcp.ts'
import { pythonPackages } from '../clients/python-packages.ts'
import { replyTo } from '../clients/replies.ts'
import { startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { startServer } from '../server/running.ts'

const packages = await pythonPackages(
  fileURLToPath(new URL('schemathesis-requirements.txt', import.meta.url)),
)
const reason = 'reason' in packages ? ` (not run: ${packages.reason})` : ''
/** Sequences follow the links of the description. An address that is not there is a failure of somebody else's server. */
const CONFIG = `
[phases.stateful]
max-steps = 12
inference.algorithms = []
generation.mode = "positive"
generation.max-examples = 100
[[operations]]
include-path = "/api/documents"
checks.not_a_server_error.expected-statuses = ["2xx", "4xx", 502]
`
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
]

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null

/**
 * Makes the description strict and readable for schemathesis: only statuses that are listed
 * count, a pair or a box is an array of equal items, and events are not validated, since it
 * takes their schema for that of the frame around them.
 */
function adapt(value: Json): Json {
  if (Array.isArray(value)) return value.map(adapt)
  if (typeof value !== 'object' || value === null) return value
  const { prefixItems, ...rest } = value
  const entries = Object.entries(rest).map(([key, inner]): [string, Json] => {
    if (key === 'responses') return [key, withoutDefault(adapt(inner))]
    if (key === 'text/event-stream') return [key, {}]
    return [key, adapt(inner)]
  })
  if (Array.isArray(prefixItems)) entries.push(['items', adapt(prefixItems[0] ?? null)])
  return Object.fromEntries(entries)
}

function withoutDefault(responses: Json): Json {
  if (typeof responses !== 'object' || responses === null || Array.isArray(responses))
    return responses
  const { default: _, ...listed } = responses
  return listed
}

test.skipIf('reason' in packages)(
  `schemathesis finds no status and no answer that the description does not have${reason}`,
  async () => {
    if ('reason' in packages) return
    const model = await startScriptedModel(replyTo)
    const settings = {
      model: { url: model.url, name: 'scripted' },
      server: { requestMs: 20_000 }, // of streams that wait for events
      sources: { papers: { type: 'folder', path: '/nowhere/papers', everyMinutes: 0 } },
    } as const
    const place = await Sandbox.make()
    const keys = await Keys.open({ home: place.home })
    const { key, token } = await keys.create({ name: 'test', tenant: 'default', scope: 'admin' })
    const revoke = keys.revoke.bind(keys)
    keys.revoke = id => revoke(id === key.id ? 'own' : id) // lists have it, and sequences try their ids
    const server = await startServer({ settings }, { keys, mcp: mcpService() })
    try {
      const hotels = { 'hotel.md': 'Hotels cost at most 120 euros a night.' }
      await server.passim.index([await server.sandbox.write(hotels)])
      const written = (await (await fetch(`${server.url}/openapi.json`)).json()) as Json
      const folder = await server.sandbox.write({ 'schemathesis.toml': CONFIG })
      const description = path.join(folder, 'openapi.json')
      await writeFile(description, JSON.stringify(adapt(written)))
      const args = [
        ...['--config-file', path.join(folder, 'schemathesis.toml'), 'run', description],
        ...['--header', `Authorization: Bearer ${token}`],
        ...['--url', server.url, '--seed', process.env.PASSIM_TEST_SEED ?? '1', '-n', '10'],
        ...['--checks', CHECKS.join(','), '--continue-on-failure', '--no-color'],
        ...['--suppress-health-check', 'all', '--warnings', 'off', '--request-timeout', '30'],
      ]
      const told = await promisify(execFile)('schemathesis', args, {
        cwd: folder,
        env: { ...process.env, ...packages.env },
        maxBuffer: 64 * 2 ** 20,
      }).then(
        ({ stdout }) => ({ failures: '', stdout }),
        ({ stdout }: { stdout: string }) => ({ failures: stdout, stdout }),
      )
      expect(server.log.filter(line => !line.includes(' MCP: '))).toEqual([])
      expect(told.failures).toBe('')
      expect(told.stdout).toContain('Stateful')
    } finally {
      await server.close()
      await keys.close()
      await place.remove()
      await model.close()
    }
  },
  2_400_000,
)
