import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent, chatModel, type OpenOptions, open } from '../../src/index.ts'
import { startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
})
afterAll(() => sandbox.remove())

test('an option of open that does not exist is refused by its name', async () => {
  const options: OpenOptions & { readonly frob: number } = { home: sandbox.home, frob: 1 }
  await expect(open(options)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/no option frob\. There are: home, .*parsers/),
  })
})

test('an option of any call that does not exist is refused by its name', async () => {
  const passim = await sandbox.open()
  const wrong = (name: string) => ({ [name]: 1, question: 'x' }) as never // as a program without types gives it
  const calls: Readonly<Record<string, () => unknown>> = {
    'agent() has no option sytem. There are: ': () => passim.agent({ sytem: 'x' } as never),
    'tools() has no option colections.': () => passim.tools({ colections: [] } as never),
    'toolRegistry() has no option tools.': () => passim.toolRegistry({ tools: [] } as never),
    'ask() has no option tools. There are: question, ': () => passim.ask(wrong('tools')),
    'search() has no option question.': () => passim.search(wrong('limit')),
    'search() takes its options as one object. There are: query, ': () =>
      passim.search('words' as never),
    'why() has no option': () => passim.why('a.txt', wrong('limit')),
    'index() has no option vectors.': () => passim.index([], { vectors: false } as never),
    'watch() has no option dryRun.': () => passim.watch([], { dryRun: true } as never),
  }
  for (const [message, call] of Object.entries(calls)) {
    const error = {
      code: 'invalid_input',
      message: expect.stringContaining(message.replace('why()', 'search()')),
    }
    await expect((async () => await call())(), message).rejects.toMatchObject(error)
  }
})

test('a collection to list and a document to delete may be named, and one that is not there is an error', async () => {
  const docs = await sandbox.write({ 'heron.txt': 'A heron.' })
  const passim = await sandbox.open()
  await passim.index([docs], { collection: 'birds', withoutVectors: true })
  expect((await passim.list('birds')).map(({ name }) => name)).toEqual(['heron.txt'])
  await expect(passim.list('nosuch')).rejects.toThrow(
    'There is no collection nosuch. There are: birds.',
  )
  await expect(passim.delete('nosuch')).rejects.toMatchObject({
    ...{ code: 'not_found', message: expect.stringContaining('There is no document nosuch.') },
  })
  const [heron] = await passim.list('birds')
  await passim.delete('heron.txt')
  expect(await passim.list('birds')).toEqual([])
  await expect(passim.delete(heron!)).rejects.toMatchObject({ code: 'not_found' })
})

test('what is asked of a store that is closed is told so', async () => {
  const docs = await sandbox.write({ 'a.txt': 'An albatross.' })
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  await passim.close()
  const closed = { code: 'invalid_input', message: expect.stringContaining('is closed') }
  await expect(passim.search({ query: 'albatross' })).rejects.toMatchObject(closed)
  await expect(passim.index([docs])).rejects.toMatchObject(closed)
  await expect(passim.ask({ question: 'An albatross?' }).result).rejects.toMatchObject(closed)
})

test("a chat model is opened without a store, or from one, for an agent of one's own", async () => {
  const server = await startScriptedModel([{ text: ['Good day.'] }])
  try {
    const model = { url: server.url, name: 'first' }
    const passim = await sandbox.open({ settings: { model } })
    const own = await open({ home: sandbox.home, settings: { model } })
    const models = [chatModel({ ...model, temperature: 0.1 }), passim.model(), own.model('second')]
    for (const one of models)
      expect((await new Agent({ model: one }).run('Hello').result).text).toBe('Good day.')
    expect(server.requests.map(({ body }) => [body.model, body.temperature])).toEqual([
      ['first', 0.1],
      ['first', undefined],
      ['second', undefined],
    ])
    await own.close()
  } finally {
    await server.close()
  }
  expect(() => chatModel({ url: 'nowhere', name: 'a' })).toThrow(
    /^Setting model\.url in the arguments/,
  )
  const other = await Sandbox.make()
  const bare = await other.open()
  expect(() => bare.model()).toThrow('No chat model is configured.')
  await other.remove()
})
