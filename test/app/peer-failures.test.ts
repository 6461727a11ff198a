import { rm, writeFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textContent } from '../../src/agent/message.ts'
import { callTool } from '../../src/agent/tool.ts'
import { defineTool } from '../../src/agent/tools/define-tool.ts'
import type { ToolSpec } from '../../src/agent/tools/tool-registry.ts'
import type { Passim } from '../../src/app/passim.ts'
import { messagesOf } from '../fakes/answers.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'
import { xlsx } from '../fixtures/xlsx.ts'

/** What Qwen-Agent 0.0.34 was seen to get wrong, one by one, on a real store and through the tools and agents of a program. */
let sandbox: Sandbox
let server: ScriptedModel
let passim: Passim
const script: ScriptedReply[] = []
beforeAll(async () => {
  sandbox = await Sandbox.make()
  server = await startScriptedModel(script)
  const folder = await sandbox.write({
    'pump.md': 'The retrieval settings are here. The pump is blue.',
    'other.md': 'Something else.',
    '文档.md': '这里讲检索和水泵的保修期。',
    'a/leave.md': 'Employees receive 24 days of leave.',
    'b/leave.md': 'Interns receive 12 days of leave.',
  })
  const model = { url: server.url, name: 'scripted', cache: { maxBytes: 1_000_000 } }
  passim = await sandbox.open({
    settings: { model, agent: { roots: [folder], contextTokens: 200 } },
  })
  await passim.index([folder])
})
afterAll(async () => {
  await server.close()
  await sandbox.remove()
})

const told = async (tool: ToolSpec, args: object) => {
  const [made] = passim.tools({ tools: [tool] })
  return await callTool([made!], toolCall(made!.name, JSON.stringify(args)))
}
const find = async (args: object, tool: ToolSpec = 'keyword_search') =>
  JSON.parse(await told(tool, args))
const read = (name: string) => told('simple_doc_parser', { url: sandbox.path(name) })
const put = async (name: string, bytes: string | Buffer) => {
  await writeFile(sandbox.path(name), bytes)
  return sandbox.path(name)
}

/** What the model is asked while this is done. */
async function asked(replies: readonly ScriptedReply[], work: () => Promise<unknown>) {
  const before = server.requests.length
  script.length = 0
  script.push(...Array.from({ length: before }, (): ScriptedReply => ({ text: [''] })), ...replies)
  await work()
  return server.requests.slice(before).map(request => request.body)
}

describe('files', () => {
  test('a file that was overwritten is read anew, one that was deleted is gone', async () => {
    const file = await put('code.txt', 'The code is swordfish.')
    expect(await read('code.txt')).toContain('swordfish')
    await writeFile(file, 'The code is herring.')
    expect(await read('code.txt')).toBe('The code is herring.')
    await rm(file)
    expect(await read('code.txt')).toMatch(/There is no file code\.txt/)
  })
  test('one bad file does not end a retrieval, and a missing one is named', async () => {
    const files = [
      sandbox.path('pump.md'),
      await put('broken.pdf', '%PDF-1.4 broken'),
      sandbox.path('gone.txt'),
    ]
    const { results, failed } = await find({ query: 'pump', files })
    expect(results).toMatchObject([{ source: 'pump.md' }])
    expect(failed.map((one: { file: string }) => one.file)).toEqual(['broken.pdf', 'gone.txt'])
  })
  test('a long paragraph keeps its full stops, and no chunk is longer than the limit', async () => {
    const text = Array.from(
      { length: 120 },
      (_, at) => `This is sentence number ${at} of one paragraph.`,
    ).join(' ')
    await passim.collections.create({ name: 'small', chunking: { tokens: 50, overlap: 0.15 } })
    await passim.index([await put('long.txt', text)], { collection: 'small' })
    const { raw } = JSON.parse(
      await told({ name: 'doc_parser', collections: ['small'] }, { url: 'long.txt' }),
    )
    expect(Math.max(...raw.map((chunk: { token: number }) => chunk.token))).toBeLessThanOrEqual(50)
    const whole = await told(
      { name: 'simple_doc_parser', collections: ['small'] },
      { url: 'long.txt' },
    )
    expect(whole.match(/\./g)).toHaveLength(120)
  })
  test('parts of an HTML page do not run together', async () => {
    await put(
      'page.html',
      '<h1>Title</h1><p>Para</p><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
    )
    expect(await read('page.html')).not.toMatch(/TitlePara|Para1|12/)
  })
  test('a workbook is read without anything to install', async () => {
    await put(
      'prices.xlsx',
      xlsx([
        {
          name: 'Prices',
          rows: [
            ['Name', 'Price'],
            ['Cup', 9],
          ],
        },
      ]),
    )
    expect(await read('prices.xlsx')).toMatch(/Cup.*9/)
  })
  test('texts of Chinese and Japanese encodings are read as what they say', async () => {
    await put('gbk.txt', iconv.encode('水泵的保修期为三年，密封圈不在保修范围之内。', 'gbk'))
    await put('cp932.csv', iconv.encode('品名,価格\nポンプの本体,百二十円です\n', 'cp932'))
    expect([await read('gbk.txt'), await read('cp932.csv')]).toEqual([
      '水泵的保修期为三年，密封圈不在保修范围之内。',
      expect.stringMatching(/ポンプの本体.*百二十円です/),
    ])
  })
  test('a PDF is cut alike in every process', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => ({
      ...{ text: `Line ${at} tells of pumps.`, x: 72, y: 72 + at * 24 + (at % 3) * 6 },
      ...{ size: 10 + (at % 3), font: at % 2 ? ('bold' as const) : ('regular' as const) },
    }))
    const file = await put('report.pdf', pdf([lines, lines]))
    const chunks = async (home: string) => {
      const fresh = await sandbox.open({ home: sandbox.path(home) })
      await fresh.index([file])
      const [tool] = fresh.tools({ tools: ['doc_parser'] })
      return await callTool([tool!], toolCall('doc_parser', '{"url": "report.pdf"}'))
    }
    const first = await chunks('one')
    expect(first).toContain('Line 7')
    expect(await chunks('two')).toBe(first)
  })
})

describe('search', () => {
  test('what matches nothing is not filled up with the first document', async () => {
    const searchers = ['keyword_search', 'front_page_search'] // the default of the peer
    expect((await find({ query: 'zebra' }, { name: 'retrieval', searchers })).results).toEqual([])
  })
  test('a keyword of several words matches', async () =>
    expect(
      (await find({ query: '{"keywords_en": ["retrieval settings"]}' })).results[0],
    ).toMatchObject({
      source: 'pump.md',
    }))
  test('Traditional characters find Simplified ones', async () =>
    expect((await find({ query: '檢索' })).results[0]).toMatchObject({ source: '文档.md' }))
  test('documents of one base name are told apart', async () => {
    const [body] = await asked([{ text: ['ok'] }], () =>
      messagesOf(
        passim.agent({ files: ['a', 'b'].map(name => sandbox.path(`${name}/leave.md`)) }),
        [{ role: 'user', content: 'How long?' }],
      ),
    )
    expect(body?.messages[0]?.content.match(/\(\w\/leave\.md\)/g)).toEqual([
      '(a/leave.md)',
      '(b/leave.md)',
    ])
  })
})

describe('agents', () => {
  const fail = defineTool({
    name: 'fail',
    description: '',
    parameters: [],
    call: () => Promise.reject(new TypeError(`cannot read ${import.meta.filename}`)),
  })
  const USER = (content: string) => ({ role: 'user', content }) as const

  test('the cache of answers knows the models apart', async () => {
    const say = async (model: string) =>
      (await messagesOf(passim.agent({ model }), [USER('Who?')])).map(textContent)
    const said: unknown[] = []
    await asked([{ text: ['one'] }, { text: ['two'] }], async () => {
      for (const model of ['first', 'second', 'first']) said.push(await say(model))
    })
    expect(said).toEqual([['one'], ['two'], ['one']])
  })
  test('an empty answer is asked for once', async () => {
    const bodies = await asked([{ text: [''] }], async () => {
      const answer = messagesOf(passim.agent({ tools: [fail] }), [USER('Say nothing')])
      await expect(answer).rejects.toMatchObject({ code: 'model_unavailable' })
    })
    expect(bodies).toHaveLength(1)
  })
  test('no stack and no path of the server is given to the model', async () => {
    const bodies = await asked(
      [{ calls: [{ name: 'fail', arguments: {} }] }, { text: ['ok'] }],
      () => messagesOf(passim.agent({ tools: [fail] }), [USER('Fail')]),
    )
    expect(bodies[1]?.messages.at(-1)?.content).toBe(
      'An error occurred when calling tool fail: TypeError: cannot read peer-failures.test.ts',
    )
  })
  test('storage keys do not leave their folder, and no file outside of the roots is read', async () => {
    expect(await told('storage', { operate: 'put', key: '../../x', value: 'x' })).toMatch(
      /leads out of the storage/,
    )
    expect(await told('doc_parser', { url: '/etc/passwd' })).toMatch(
      /outside of the folders that may be read/,
    )
  })
  test('keywords are not asked for where everything fits', async () => {
    const bodies = await asked([{ text: ['ok'] }], () =>
      messagesOf(passim.agent({ files: [sandbox.path('pump.md')] }), [USER('Which pump?')]),
    )
    expect(bodies).toHaveLength(1)
  })
  test('a follow-up is searched in the context of the conversation', async () => {
    const long = Array.from({ length: 60 }, (_, at) => `第${at}条：其他设备的说明文字。`).join(
      '\n\n',
    )
    const file = await put('手册.md', `# 手册\n\n水泵的保修期为三年。\n\n${long}`)
    const talk = [
      USER('水泵是什么颜色？'),
      { role: 'assistant', content: '蓝色。' } as const,
      USER('那它呢，保修多久？'),
    ]
    const replies = [{ text: ['水泵的保修期是多久？'] }, { text: ['三年。'] }]
    const bodies = await asked(replies, () => messagesOf(passim.agent({ files: [file] }), talk))
    expect(bodies[0]?.messages[1]?.content).toMatch(
      /user: 水泵是什么颜色？\nassistant: 蓝色。\nuser: 那它呢/,
    )
    expect(bodies[1]?.messages[0]?.content).toContain('水泵的保修期为三年')
  })
})
