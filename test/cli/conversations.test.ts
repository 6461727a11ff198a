import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli, startCli } from '../fakes/cli.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from '../server/api.ts'

const script: ScriptedReply[] = []
let sandbox: Sandbox
let model: ScriptedModel

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(script)
  const docs = await sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros.' })
  await runCli(sandbox.home, ['index', docs, '--no-vectors'], environment())
})
afterAll(async () => {
  await model.close()
  await sandbox.remove()
})

const environment = () => ({ PASSIM_MODEL_URL: model.url, PASSIM_MODEL: 'scripted' })
const run = (...args: readonly string[]) => runCli(sandbox.home, args, environment())
const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).stdout)
const answer = 'Hotels cost at most 120 euros [1].'

test('a question goes on with the last conversation, which is listed, shown, exported and deleted', async () => {
  script.push({ text: [answer] }, { text: [answer] })
  const first = await json('ask', 'What do hotels cost?', '--continue')
  expect(first).toMatchObject({ answer, turn: 1, conversation: expect.stringMatching(/^conv_/) })
  const id = first.conversation
  expect(await json('ask', 'Hotels: sure?', '--continue')).toMatchObject({
    turn: 2,
    conversation: id,
  })
  expect(await json('conversations', 'list')).toMatchObject({
    conversations: [{ id, turns: 2, title: 'What do hotels cost?' }],
  })
  expect(await json('conversations', 'show', id)).toMatchObject({
    turns: [
      { turn: 1, answer },
      { turn: 2, answer },
    ],
  })
  const file = sandbox.path('travel.md')
  expect((await run('conversations', 'export', id, file)).code).toBe(0)
  expect(await readFile(file, 'utf8')).toMatch(
    /^# What do hotels cost\?\n\n## What do[\s\S]*- \[1\] hotel\.md: “Hotels cost/,
  )
  expect((await run('conversations', 'export', id, file)).code).toBe(3)
  expect((await run('conversations', 'delete', id)).code).toBe(2)
  expect(await json('conversations', 'delete', id, '--yes')).toEqual({ deleted: id })
  expect((await run('conversations', 'show', id)).code).toBe(1)
})

test('an answer is kept for --continue, which says what it goes on with, and not with --no-keep', async () => {
  script.length = 0
  script.push(...Array.from({ length: model.requests.length + 5 }, () => ({ text: [answer] })))
  const { conversation: earlier } = await json('ask', 'What do hotels cost?')
  const { conversation } = await json('ask', 'What do hotels cost a night?')
  expect(await json('conversations')).toEqual({ conversations: [] })
  expect((await run('conversations', 'show', earlier)).code).toBe(1) // the last one alone is kept
  expect(await json('ask', 'And in Rome?', '--no-keep')).not.toHaveProperty('conversation')
  const { stdout, stderr } = await run('ask', 'Hotels: sure?', '--continue', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ conversation, turn: 2 })
  expect(stderr).toContain(`Continuing ${conversation}: What do hotels cost a night?`)
  expect(await json('conversations', 'show', conversation)).toMatchObject({
    turns: [{ answer }, { answer }],
  })
  expect(await json('conversations')).toMatchObject({
    conversations: [{ id: conversation, turns: 2 }],
  })
  await json('ask', 'What do hotels cost?')
  expect(await json('conversations')).toMatchObject({ conversations: [{ id: conversation }] })
  await json('conversations', 'delete', conversation, '--yes')
})

test('a conversation continues in the collections of its last question, until others are named', async () => {
  const rules = await sandbox.write({ 'rules/office.md': 'The office closes at noon.' })
  await run('index', rules, '-c', 'rules', '--no-vectors')
  const find = async (...args: readonly string[]) => {
    const { stdout, stderr } = await run('ask', ...args, '--extractive', '--json')
    const { citations } = JSON.parse(stdout)
    return { stderr, documents: citations.map(({ doc }: { doc: string }) => doc) }
  }
  const office = 'When does the office close?'
  expect(await find(office, '-c', 'rules')).toMatchObject({ documents: ['office.md'] })
  const next = await find(office, '--continue')
  expect(next).toMatchObject({ documents: ['office.md'] })
  expect(next.stderr).toMatch(/Continuing conv_\w+ in rules: When does/)
  expect(await find('What do hotels cost?', '--continue', '-c', 'default')).toMatchObject({
    documents: ['hotel.md'],
  })
  expect(await find('What do hotels cost?', '--continue')).toMatchObject({
    documents: ['hotel.md'],
  })
  const { child, ended } = startCli(sandbox.home, ['chat', '--continue', '--extractive'])
  child.stdin?.end('What do hotels cost?\n')
  expect((await ended).stderr).toMatch(/Continuing conv_\w+ in default: When does/)
  for (const { id } of (await json('conversations')).conversations)
    await json('conversations', 'delete', id, '--yes')
  await run('collections', 'delete', 'rules', '--yes')
})

test('a chat takes questions line by line, and shows sources, history and files of them', async () => {
  script.push({ text: [answer] }, { text: ['Yes, hotels cost at most 120 euros [1].'] })
  const { child, ended } = startCli(sandbox.home, ['chat'], environment())
  const file = sandbox.path('chat.md')
  child.stdin?.end(
    `/sources\nWhat do hotels cost?\nHotels: sure?\n/sources\n/sources 1\n/sources 7\n/history\n/save ${file}\n/save ${file}\n/what\n/quit\n`,
  )
  const { code, stdout, stderr } = await ended
  expect(code).toBe(0)
  expect(stdout).toContain(answer)
  expect(stdout).toContain('## What do hotels cost?') // of /history
  expect(stdout).toContain('“Hotels cost at most 120 euros.”')
  for (const told of [
    'There is no answer yet',
    'The answer has no source 7',
    'Unknown command /what',
    'already exists. Choose another file. (conflict)',
  ])
    expect(stderr).toContain(told)
  expect(await readFile(file, 'utf8')).toContain('## Hotels: sure?')
  const { conversations } = await json('conversations')
  expect(conversations).toMatchObject([{ turns: 2 }])
})

test('a chat that goes on shows the sources of the answer before it', async () => {
  const { child, ended } = startCli(sandbox.home, ['chat', '--continue'], environment())
  child.stdin?.end('/sources 1\n')
  const { code, stdout, stderr } = await ended
  expect([code, stderr]).toEqual([0, expect.stringContaining('Continuing conv_')])
  expect(stdout).toMatch(/^\[1\] hotel\.md\n {4}“Hotels cost at most 120 euros\.”/m)
})

test('an answer whose process is killed is resumed in another, and what was called is not called again', async () => {
  const at = script.push(
    { calls: [{ id: 'call_1', name: 'search', arguments: { query: 'price of a night' } }] },
    { raw: ': nothing\n\n', ending: 'hang' },
    { text: [answer] },
  )
  const { child, ended } = startCli(sandbox.home, ['chat'], environment())
  child.stdin?.write('What do hotels cost?\n')
  await model.request(at - 2)
  child.kill('SIGKILL')
  await ended
  const passim = await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } })
  const [conversation] = await passim.conversations.list({ limit: 1 })
  const id = conversation?.id ?? ''
  expect(await passim.conversationService.listTurns(id, { limit: 1 })).toMatchObject([
    { status: 'failed', failure: { code: 'cancelled' } },
  ])
  const { app } = new Api(passim)
  const told = await app.request(`/api/threads/${id}/messages`)
  const thread = (await told.json()) as { data: { content: object }[] }
  expect(thread.data.at(-1)?.content).toMatchObject({
    code: -1000,
    extra: { reason: 'interrupted' },
  })
  const run = await passim.conversationService.resume(id, {})
  const { signal } = new AbortController()
  const events: string[] = []
  for await (const { event } of passim.conversationService.readEvents(
    run.id,
    run.firstEvent - 1,
    signal,
  ))
    events.push(event.type)
  expect(events).toContain('finish')
  expect(events).not.toContain('tool-call')
  const { messages } = (await model.request(at - 1)).body
  expect(messages.slice(1).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(await passim.conversationService.listTurns(id, { limit: 9 })).toMatchObject([
    { turn: 1, status: 'completed', answer },
  ])
  await expect(passim.conversationService.resume(id, {})).rejects.toThrow('was not interrupted')
  const kinds = (await passim.conversations.items(id, { limit: 20, order: 'asc' })).map(
    ({ kind }) => kind,
  )
  expect(kinds).toEqual([
    'message',
    'search',
    'call',
    'search',
    'result',
    'status',
    'status',
    'message',
  ])
  await sandbox.close()
})

test('what does not go with a conversation is refused', async () => {
  expect((await run('ask', 'What?', '--continue', '--file', sandbox.path('hotel.md'))).code).toBe(2)
  expect((await run('chat', '--conversation', 'conv_none')).code).toBe(1)
})
