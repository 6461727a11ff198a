import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCli, startCli } from '../fakes/cli.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

const script: ScriptedReply[] = []
let sandbox: Sandbox
let model: ScriptedModel

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(script)
  const docs = await sandbox.write({
    'hotel.md': 'Hotels cost at most 120 euros.',
    '../home/config.yaml': 'model: { timeoutMs: 60000 }',
    '../home/hasty.yaml': 'model: { timeoutMs: 200 }',
  })
  await runCli(sandbox.home, ['index', docs, '--no-vectors'], environment())
})
afterAll(async () => {
  await model.close()
  await sandbox.remove()
})
beforeEach(() => void script.splice(0))

const environment = () => ({ PASSIM_MODEL_URL: model.url, PASSIM_MODEL: 'scripted' })
const asked = ['ask', 'What do hotels cost?']

/** The script is asked by the number of the request. */
const answerWith = (reply: ScriptedReply) => {
  script.push(...model.requests.map(() => reply), reply)
}
const ask = (...options: readonly string[]) =>
  runCli(sandbox.home, [...asked, ...options], environment())

test('a model that sends nothing is given up as not able, naming the setting', async () => {
  answerWith({ hang: true })
  const { code, stderr } = await ask('--config', sandbox.path('../home/hasty.yaml'))
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('model.timeoutMs') })
})
test('a model that takes no tools answers from the sources, and the setting for its calls is named', async () => {
  answerWith({ status: 400, body: '{"error":{"message":"scripted does not support tools"}}' })
  script.push({ text: ['At most 120 euros [1].'] })
  const { code, stdout, stderr } = await ask()
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('“Hotels cost at most 120 euros.”'),
  })
  expect(stderr).toContain('model.functionCalling')
})
test('an answer that the limit of tokens cut says so', async () => {
  answerWith({ text: ['Hotels cost at'], finish: 'length' })
  const { code, stdout } = await ask()
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/Hotels cost at\n\n.*token\s+limit/),
  })
})
test('an answer that the filter of its model stopped says so', async () => {
  answerWith({ text: ['Hotels cost at'], finish: 'content_filter' })
  expect((await ask()).stdout).toMatch(/Hotels cost at\n\n.*filter\s+stopped it/)
  answerWith({ finish: 'content_filter' })
  const { code, stderr } = await ask()
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining('its content filter stopped it'),
  })
})
test('an answer with effort shows its plan, its searches and its calls on the way', async () => {
  const replies: readonly ScriptedReply[] = [
    { text: ['{"questions": ["What may a room cost?", "Who pays?"]}'] },
    { calls: [{ name: 'search', arguments: { query: 'price of a night' } }] },
    { text: ['"at most 120 euros" [1]'] },
  ]
  script.push(...model.requests.map(() => replies[0]!), ...replies) // there are three
  const { code, stdout, stderr } = await ask('--effort', 'low')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('“at most 120 euros”'),
  })
  expect(stderr.split('\n').slice(0, 7)).toEqual([
    'Parts of the question:',
    ...['- What may a room cost?', '- Who pays?'],
    expect.stringMatching(/^Also searched: What may a room cost\? \(\d+ passages?\)$/),
    expect.stringMatching(/^Also searched: Who pays\? /),
    'Called search {"query":"price of a night"}',
    expect.stringMatching(/^Also searched: price of a night \(\d+ passages?\)$/),
  ])
  const wrong = await ask('--effort', 'much')
  expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('low, medium, high'),
  })
})
test('a query that is searched twice is named once', async () => {
  const search = { calls: [{ name: 'search', arguments: { query: 'price of a night' } }] }
  const replies: readonly ScriptedReply[] = [search, search, { text: ['"at most 120 euros" [1]'] }]
  script.push(...model.requests.map(() => replies[0]!), ...replies)
  const { stderr } = await ask()
  expect(stderr.match(/^Called search .*$/gm)).toHaveLength(2)
  expect(stderr.match(/^Also searched: .*$/gm)).toEqual([
    expect.stringMatching(/^Also searched: price of a night \(\d+ passages?\)$/),
  ])
})
test('an answer of one search shows no steps', async () => {
  answerWith({ text: ['"at most 120 euros" [1]'] })
  const { stderr } = await ask()
  expect(stderr).not.toMatch(/Searched|Parts|Calls/)
})
test('a question that is stopped promises nothing', async () => {
  answerWith({ hang: true })
  const at = model.requests.length
  const { child, ended } = startCli(sandbox.home, asked, environment())
  await model.request(at)
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
    code: 130,
    stderr: 'passim: Stopped.',
  })
})
