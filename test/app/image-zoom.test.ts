import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import { callTool, isToolContent, type Tool } from '../../src/agent/tool.ts'
import { defineTool } from '../../src/agent/tools/define-tool.ts'
import type { Passim } from '../../src/app/passim.ts'
import { calls, ScriptedChatModel, says, toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'
import { WebServer } from '../fakes/web-server.ts'

const NAME = 'image_zoom_in_tool'

/** Red on the left, blue on the right. */
const halves = async (width: number, height: number) => {
  const right = { create: { width: width / 2, height, channels: 3 as const, background: 'blue' } }
  return await sharp({ create: { width, height, channels: 3, background: 'red' } })
    .composite([{ input: right, left: width / 2, top: 0 }])
    .png()
    .toBuffer()
}
const embed = (bytes: Buffer, type = 'image/png') =>
  `data:${type};base64,${bytes.toString('base64')}`
const shown = (...images: string[]): Message[] => [
  { role: 'user', content: [{ text: 'Look.' }, ...images.map(image => ({ image }))] },
]

let sandbox: Sandbox
let passim: Passim
let tool: Tool
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  tool = passim.tools({ tools: [NAME] })[0]!
})
afterAll(() => sandbox.remove())

const zoom = async (messages: readonly Message[], args: object, using = tool) =>
  await readPicture(await using.call(args, undefined, { messages }))
const fail = (messages: readonly Message[], args: object, using = tool) =>
  callTool([using], toolCall(NAME, JSON.stringify(args)), { messages })

async function readPicture(answer: unknown) {
  const content = isToolContent(answer) ? answer.content : []
  const [image] = content.flatMap(item => ('image' in item ? [item.image] : []))
  const { data, info } = await sharp(Buffer.from(image?.split(',')[1] ?? '', 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { size: [info.width, info.height], colour: [...data.subarray(0, 3)], content }
}

test('a part of the last picture, or of one by its number, is enlarged', async () => {
  const [wide, small] = [embed(await halves(400, 200)), embed(await halves(40, 40))]
  const right = await zoom(shown(small, wide), { bbox_2d: [500, 0, 1000, 1000], label: 'sign' })
  expect(right).toMatchObject({ size: [1_200, 1_200], colour: [0, 0, 255] })
  expect(right.content[0]).toEqual({ text: 'sign: [500, 0, 1000, 1000] of picture 1.' })
  const first = await zoom(shown(small, wide), { bbox_2d: [0, 0, 500, 1000], img_idx: 0 })
  expect(first).toMatchObject({ size: [600, 1_200], colour: [255, 0, 0] })
  expect(await zoom(shown(wide), { bbox_2d: '[750, 0, 750.1, 1000]' })).toMatchObject({
    colour: [0, 0, 255],
  })
})

test('a photo is cut as it is seen, not as it is stored', async () => {
  const turned = await sharp(await halves(400, 200))
    .jpeg({ quality: 100 })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { colour } = await zoom(shown(embed(turned, 'image/jpeg')), { bbox_2d: [0, 0, 1000, 400] })
  expect(colour[0]).toBeGreaterThan(240)
  const below = await zoom(shown(embed(turned, 'image/jpeg')), { bbox_2d: [0, 600, 1000, 1000] })
  expect(below.colour[2]).toBeGreaterThan(240)
})

test('a model enlarges a picture that another tool showed in this answer', async () => {
  const image = embed(await halves(100, 100))
  const camera = defineTool({
    name: 'camera',
    description: 'Shows.',
    parameters: [],
    call: async () => ({ content: [{ image }] }),
  })
  const model = new ScriptedChatModel([
    calls(toolCall('camera')),
    calls(toolCall(NAME, '{"bbox_2d":[500,0,1000,1000],"label":"gate","img_idx":0}', 'c2')),
    says('Blue.'),
  ])
  const { messages } = await passim.agent({ model, tools: [camera, NAME] }).run('Look').result
  const result = messages.findLast(({ role }) => role === 'function')
  expect(await readPicture({ content: result?.content })).toMatchObject({ colour: [0, 0, 255] })
})

test('a picture that is missing, damaged or elsewhere is named to the model', async () => {
  const bbox_2d = [0, 0, 500, 500]
  const seen = shown(embed(await halves(40, 40)))
  expect(await fail([], { bbox_2d })).toMatch(/no picture in this conversation/)
  expect(await fail(seen, { bbox_2d, img_idx: 3 })).toMatch(/the numbers 0 to 0/)
  expect(await fail(seen, { bbox_2d: [5, 0, 5, 9] })).toMatch(/bbox_2d.*left < right/s)
  expect(await fail(shown(embed(Buffer.from('no'))), { bbox_2d })).toMatch(/cannot be read/)
  expect(await fail(shown('/etc/passwd'), { bbox_2d })).toMatch(/Will not read this picture/)
  expect(await fail(shown('http://127.0.0.1:9/a.png'), { bbox_2d })).toMatch(/127\.0\.0\.1/)
})

test('a linked picture is fetched by the rules of fetching', async () => {
  const body = await halves(40, 40)
  const server = await WebServer.start({ '/a.png': { type: 'image/png', body } })
  const own = await Sandbox.make()
  try {
    const linking = await own.open({ settings: { fetching: { allowPrivate: true } } })
    const using = linking.tools({ tools: [NAME] })[0]
    const part = await zoom(shown(server.url('/a.png')), { bbox_2d: [600, 0, 900, 900] }, using)
    expect(part.colour).toEqual([0, 0, 255])
  } finally {
    await server.close()
    await own.remove()
  }
})
