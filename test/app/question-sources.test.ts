import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { REQUEST_SHORTENED } from '../../src/agent/model.ts'
import type { Passim } from '../../src/app/passim.ts'
import { createApp } from '../../src/server.ts'
import { eventsOf } from '../fakes/answers.ts'
import { GatedEmbedder } from '../fakes/gated-embedder.ts'
import { oneStore } from '../fakes/one-store.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

const MAX_TOKENS = 8_000

let sandbox: Sandbox
let model: ScriptedModel
let embedder: GatedEmbedder
let passim: Passim
beforeEach(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([{ text: ['The heron is called Maren.'] }])
  embedder = new GatedEmbedder()
  passim = await sandbox.open({
    embedder,
    settings: { model: { url: model.url, name: 'scripted', maxInputTokens: MAX_TOKENS } },
  })
})
afterEach(async () => {
  embedder.open()
  await model.close()
  await sandbox.remove()
})

async function upload(name: string, text: string): Promise<string> {
  const app = createApp(oneStore(passim), { settings: passim.settings.server, log: () => {} })
  const form = new FormData()
  form.append('purpose', 'user_data')
  form.append('file', new File([text], name))
  const response = await app.request('/v1/files', { method: 'POST', body: form })
  return ((await response.json()) as { id: string }).id // the route answers so
}

const getPrompt = () =>
  model.requests
    .at(-1)
    ?.body.messages.map(({ content }) => content)
    .join()

describe('a file of a question', () => {
  const QUESTION = 'What is the heron called?'

  test('answers by its words before it has vectors, and says that it is read', async () => {
    const fileIds = [await upload('heron.txt', 'The heron is called Maren.')]
    embedder.shut()
    const events = await eventsOf(passim.ask({ question: QUESTION, fileIds }))
    expect(events.slice(0, 2)).toEqual([
      { type: 'notice', name: 'files', text: 'Reading heron.txt.' },
      { type: 'notice', name: 'files', text: 'Searching heron.txt.' },
    ])
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      result: { abstained: false, warnings: [{ code: 'words_only' }] },
    })
    expect(getPrompt()).toContain('The heron is called Maren.')
    expect(passim.isBusy).toBe(true)
    embedder.open()
    await expect.poll(() => passim.isBusy).toBe(false)
    const again = await eventsOf(passim.ask({ question: QUESTION, fileIds }))
    expect(again.filter(({ type }) => type === 'notice')).toEqual([])
    expect(again.at(-1)).not.toHaveProperty('result.warnings')
  })

  test('answers by its words, wherever it lies', async () => {
    const folder = await sandbox.write({ 'heron.txt': 'The heron is called Maren.' })
    const file = `${folder}/heron.txt`
    const content = [{ text: QUESTION }, { file }]
    embedder.shut()
    const runs = [
      passim.ask({ question: QUESTION, files: [file] }),
      passim
        .agent({ tools: [], citations: true, roots: [folder] })
        .run([{ role: 'user', content }]),
      passim.agent({ tools: [], roots: [folder] }).run([{ role: 'user', content }]),
    ]
    for (const run of runs) {
      expect(await eventsOf(run)).toContainEqual({
        type: 'notice',
        name: 'files',
        text: 'Reading heron.txt.',
      })
      expect(getPrompt()).toContain('The heron is called Maren.')
    }
    expect(passim.isBusy).toBe(true)
  })

  test('that waits for its vectors does not hold up the close', async () => {
    const fileIds = [await upload('heron.txt', 'The heron is called Maren.')]
    embedder.shut()
    await passim.ask({ question: QUESTION, fileIds }).result
    await passim.close()
    expect(embedder.stopped).toBe(1)
  })
})

describe('a question that is longer than the model reads', () => {
  const filler = Array.from({ length: 6_000 }, (_, at) => `Line ${at} of the log.`)
  const middle = filler.length / 2
  const log = filler.toSpliced(middle, 0, '', 'The heron is called Maren.', '').join('\n')

  test('is indexed, searched, and said to be', async () => {
    const question = `What is the heron called?\n\n${log}`
    const events = await eventsOf(passim.ask({ question, plain: true }))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'notice', text: expect.stringContaining('indexed') }),
    )
    expect(events.at(-1)).toMatchObject({
      result: { citations: [{ doc: 'Pasted text.txt' }], warnings: [{ code: 'question_indexed' }] },
    })
    const prompt = getPrompt()
    expect(prompt).toContain('The heron is called Maren.')
    expect(prompt).not.toContain(`Line ${middle + 200} `)
    expect(await passim.collections.listVisible()).toEqual([])
  })

  test('needs no other document', async () => {
    const run = passim.ask({ question: `What is the heron called?\n\n${log}` })
    expect((await run.result).citations).toMatchObject([{ doc: 'Pasted text.txt' }])
  })

  test('takes its place beside the documents that are named', async () => {
    await passim.index([await sandbox.write({ 'owl.txt': 'The owl is called Ada.' })])
    const question = `What are the heron and the owl called?\n\n${log}`
    await passim.ask({ question, documents: ['owl.txt'] }).result
    expect(getPrompt()).toContain('The heron is called Maren.')
    expect(getPrompt()).toContain('The owl is called Ada.')
  })
})

describe('of an agent', () => {
  const filler = Array.from({ length: 4_000 }, (_, at) => `Line ${at} of the log is empty.`)
  const log = filler.toSpliced(2_000, 0, '', 'The heron is called Maren.', '').join('\n')
  const question = `What is the heron called?\n\n${log}`

  test.each([false, true])(
    'a text that is longer than the model reads is a file, with citations: %s',
    async citations => {
      const agent = passim.agent({ tools: [], citations })
      const events = await eventsOf(agent.run(question))
      expect(events[0]).toMatchObject({
        type: 'notice',
        name: 'files',
        text: expect.stringContaining('longer than the model reads'),
      })
      expect(events.at(-1)).toMatchObject({ result: { warnings: [{ code: 'question_indexed' }] } })
      expect(getPrompt()).toContain('The heron is called Maren.')
      expect(getPrompt()).not.toContain('Line 100 of')
    },
  )

  test('such a text is searched by later questions, too', async () => {
    const agent = passim.agent({ tools: [] })
    const conversation = [
      { role: 'user', content: log },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'What is the heron called?' },
    ] as const
    const { warnings } = await agent.run(conversation).result
    expect(warnings).toMatchObject([{ code: 'question_indexed' }])
    expect(getPrompt()).toContain('The heron is called Maren.')
  })

  test('documents that are longer than the model reads are searched, not sent', async () => {
    await passim.index([await sandbox.write({ 'log.txt': log.slice(0, log.length * 0.8) })])
    const config = { maxInputTokens: 3_000 }
    const agent = passim.agent({ tools: [], collections: ['default'], config })
    await agent.run('What is the heron called?').result
    expect(getPrompt()).toContain('The heron is called Maren.')
    expect(getPrompt()?.length).toBeLessThan(12_000)
  })
})

test('what an earlier turn loses by the length of a request is a notice and a warning', async () => {
  const history = [
    { role: 'user', content: 'word '.repeat(9_000) },
    { role: 'assistant', content: 'Noted.' },
  ] as const
  const events = await eventsOf(passim.ask({ question: 'And now?', history, plain: true }))
  const lost = expect.stringMatching(/exceeded the 8000 tokens .*: .*(?:left out|shortened)/)
  expect(events).toContainEqual({ type: 'notice', name: 'model', text: lost })
  expect(events.at(-1)).toMatchObject({
    result: { warnings: [{ code: REQUEST_SHORTENED, message: lost }] },
  })
})
