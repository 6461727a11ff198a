import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { MODEL_PROFILES, WITHOUT_TOOLS } from '../fakes/model-profiles.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** Returns the tests of agents with scripted models, but for those of the adapters themselves and of counted tokens. */
async function listAgentTests(): Promise<readonly string[]> {
  const all = await readdir(`${ROOT}test`, { recursive: true })
  const found = all
    .filter(file => /^(?:agent|app)\/.*\.test\.ts$/.test(file))
    .filter(file => !/^agent\/(?:models|truncation)/.test(file))
    .map(file => `test/${file}`)
  const texts = await Promise.all(found.map(async file => await readFile(ROOT + file, 'utf8')))
  return found.filter((_, index) => texts[index]?.includes('/scripted-chat-model.ts'))
}

test.each(MODEL_PROFILES.filter(({ name }) => !WITHOUT_TOOLS.has(name)))(
  'agents work with the habits of $name',
  async ({ name }) => {
    const files = await listAgentTests()
    expect(files.length).toBeGreaterThan(10)
    const { PASSIM_TEST_SUITE: _, ...env } = process.env
    const options = { cwd: ROOT, env: { ...env, PASSIM_TEST_PROFILE: name } }
    const { stdout } = await run('npx', ['vitest', 'run', '--reporter=json', ...files], {
      ...options,
      maxBuffer: 2 ** 26,
    }).catch(error => error)
    const { numPassedTests, testResults } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    const failed = testResults.flatMap(
      ({
        assertionResults,
      }: {
        assertionResults: readonly { status: string; fullName: string }[]
      }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName }) => fullName),
    )
    expect(failed).toEqual([])
    expect(numPassedTests).toBeGreaterThan(200)
  },
  600_000,
)
