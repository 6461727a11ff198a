import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import { callTool, type Tool } from '../../src/agent/tool.ts'
import type { Passim } from '../../src/app/passim.ts'
import { calls, ScriptedChatModel, says, toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'
import { WebServer } from '../fakes/web-server.ts'
import { picture } from '../fixtures/drawn.ts'

const NAME = 'image_search'
const RULE = 'Receipts of a journey are due within ten working days.'

/** A photo of a page with this line. */
async function photograph(text: string): Promise<Buffer> {
  const { width, height, pixels } = await picture([{ text, x: 30, y: 60, size: 14 }], 500, 120)
  return await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
}
const embed = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
const shown = (image: string): Message[] => [{ role: 'user', content: [{ text: '?' }, { image }] }]

let sandbox: Sandbox
let passim: Passim
let server: WebServer
let photo: Buffer
const spec = () => ({ name: NAME, key: 'secret', url: server.url('') })
const openTool = (collections: readonly string[]): Tool =>
  passim.tools({ tools: [spec()], collections })[0]!
beforeAll(async () => {
  sandbox = await Sandbox.make()
  server = await WebServer.start({})
  photo = await photograph(RULE)
  passim = await sandbox.open({ settings: { fetching: { allowPrivate: true } } })
  const [rules, other] = ['rules.md', 'other.md']
  await sandbox.write({ [rules]: `# Travel\n\n${RULE} Hotels cost at most 120 euros.` })
  await sandbox.write({ [other]: 'Trains are second class.' })
  await passim.index([sandbox.path(rules)], { collection: 'rules', withoutVectors: true })
  await passim.index([sandbox.path(other)], { collection: 'other', withoutVectors: true })
})
afterAll(async () => {
  await server.close()
  await sandbox.remove()
})

test('a picture is searched in documents by its words, which can be cited, and sent nowhere', async () => {
  const model = new ScriptedChatModel([
    calls(toolCall(NAME, '{"img_idx":0}')),
    says('Receipts are due within ten working days [1].'),
  ])
  const agent = passim.agent({ model, tools: [spec()], collections: ['rules'], citations: true })
  const { citations, messages } = await agent.run(shown(embed(photo))).result
  const result = messages.find(({ role }) => role === 'function')?.content
  expect(JSON.parse(String(result))).toMatchObject({
    documents: [
      { document: 'rules.md', text: expect.stringContaining('ten working days'), cite: 1 },
    ],
    note: expect.stringMatching(/Only documents were searched/),
  })
  expect(citations).toMatchObject([{ doc: 'rules.md', support: 'stated' }])
  expect(server.requests).toEqual([])
})

test('a picture without words is in no document', async () => {
  const blank = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const run = { messages: shown(embed(blank)) }
  expect(await openTool(['rules']).call({ img_idx: 0 }, undefined, run)).toMatchObject({
    documents: [],
  })
})

test('a linked picture is searched on the web, and in no collection but those of the tool', async () => {
  const similar = { title: 'A slip', link: 'https://a.example/p', imageUrl: 'https://a.example/i' }
  server.pages['/photo.png'] = { type: 'image/png', body: photo }
  server.pages['/lens'] = { type: 'application/json', body: JSON.stringify({ organic: [similar] }) }
  const run = { messages: shown(server.url('/photo.png')) }
  expect(await openTool(['other']).call({ img_idx: 0 }, undefined, run)).toEqual({
    documents: [],
    results: [{ title: 'A slip', url: 'https://a.example/i', page: 'https://a.example/p' }],
  })
})

test('a query and a picture exclude each other, and a missing picture is named', async () => {
  const fail = (args: object, messages: readonly Message[] = []) =>
    callTool([openTool(['rules'])], toolCall(NAME, JSON.stringify(args)), { messages })
  expect(await fail({})).toMatch(/give query or img_idx/)
  expect(await fail({ query: 'x', img_idx: 0 })).toMatch(/give query or img_idx/)
  expect(await fail({ img_idx: 0 })).toMatch(/no picture in this conversation/)
})
