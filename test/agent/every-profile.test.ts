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
  return await listTests(/^(?:agent\/(?!models|truncation)|app\/)/, ['/scripted-chat-model.ts'])
}

/** Tests of the form and number of requests and replies, and of keys, which these servers have in another. */
const OF_FORMS =
  /\/links|openai-answers-client|reasoning|model-failures|upstream-errors|description|call-deltas|last-turn|follow-ups|model-setting/

/** Tests whose models call tools. */
const OF_TOOLS =
  /ask|nulls|ui-chat|openai-conversations|tool-sources|resumed-sources|outside-tools|thread/

/** Returns the tests of answers over HTTP with scripted models. */
async function listAnswerTests(hasTools: boolean): Promise<readonly string[]> {
  const found = await listTests(/^server\/[\w-]+\.test/, [
    'startScriptedModel',
    'startTravel',
    'startHooked',
  ])
  return found.filter(
    file => !OF_FORMS.test(file) && !/nodes/.test(file) && (hasTools || !OF_TOOLS.test(file)),
  )
}

async function listTests(place: RegExp, uses: readonly string[]): Promise<readonly string[]> {
  const all = await readdir(`${ROOT}test`, { recursive: true })
  const found = all
    .filter(file => file.endsWith('.test.ts') && place.test(file))
    .map(file => `test/${file}`)
  const texts = await Promise.all(found.map(async file => await readFile(ROOT + file, 'utf8')))
  return found.filter((_, index) => uses.some(use => texts[index]?.includes(use)))
}

/** Runs tests with the habits of a kind of server. Returns the names of those that failed, and how many passed. */
async function runWithHabits(
  name: string,
  files: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const { PASSIM_TEST_SUITE: _, ...env } = process.env
  const options = { cwd: ROOT, env: { ...env, PASSIM_TEST_PROFILE: name, ...more } }
  const { stdout } = await run('npx', ['vitest', 'run', '--reporter=json', ...files], {
    ...options,
    maxBuffer: 2 ** 26,
  }).catch(error => error)
  const { numPassedTests: passed, testResults } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  const failed = testResults.flatMap(
    ({ assertionResults }: { assertionResults: readonly { status: string; fullName: string }[] }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )
  return { failed, passed }
}

test.each(MODEL_PROFILES.filter(({ name }) => !WITHOUT_TOOLS.has(name)))(
  'agents work with the habits of $name',
  async ({ name }) => {
    const files = await listAgentTests()
    expect(files.length).toBeGreaterThan(10)
    // their servers serve adapters without adaptations, and the form of requests
    const { failed, passed } = await runWithHabits(name, files, { PASSIM_TEST_PLAIN_SERVERS: '1' })
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(200)
  },
  600_000,
)

test.each(MODEL_PROFILES)(
  'answers over HTTP work with the habits of $name',
  async ({ name }) => {
    const hasTools = !WITHOUT_TOOLS.has(name)
    const files = await listAnswerTests(hasTools)
    expect(files.length).toBeGreaterThan(hasTools ? 15 : 5)
    const { failed, passed } = await runWithHabits(name, files)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(hasTools ? 100 : 25)
  },
  600_000,
)
