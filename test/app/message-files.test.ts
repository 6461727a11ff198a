import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { textContent } from '../../src/agent/message.ts'
import { callTool } from '../../src/agent/tool.ts'
import type { Passim } from '../../src/app/passim.ts'
import { eventsOf } from '../fakes/answers.ts'
import { ScriptedChatModel, says, toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'
import { WebServer } from '../fakes/web-server.ts'

let sandbox: Sandbox
let site: WebServer
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  site = await WebServer.start({
    '/leave.html': { body: '<h1>Leave</h1><p>Employees receive 24 days of leave.</p>' },
    '/tape.bin': {
      type: 'application/octet-stream',
      body: new Uint8Array([0, 1, 2, 255, 254, 0, 7]),
    },
  })
  passim = await sandbox.open({ settings: { fetching: { allowPrivate: true, maxBytes: 2_000 } } })
})
afterAll(async () => {
  await site.close()
  await sandbox.remove()
})
beforeEach(() => site.requests.splice(0))

const data = (type: string, text: string) =>
  `data:${type};base64,${Buffer.from(text).toString('base64')}`

/** What the model is told when these files come with a question, and what the user is. */
async function ask(files: readonly string[], from: Passim = passim) {
  const model = new ScriptedChatModel([says('ok')])
  const content = [{ text: 'How many days?' }, ...files.map(file => ({ file }))]
  const events = await eventsOf(from.agent({ model }).run([{ role: 'user', content }]))
  const [system, user] = model.requests[0]!.messages.map(textContent)
  return {
    system,
    user: user ?? system,
    notice: events
      .map(event => (event.type === 'notice' && event.name === 'memory' ? event.text : ''))
      .join(''),
  }
}

describe('a URL in a message', () => {
  test('joins the memory under its name', async () => {
    const { system, user, notice } = await ask([site.url('/leave.html')])
    expect(system).toMatch(/## The content from \[file\]\(leave\.html\):\n\n```\nLeave/)
    expect(system).toContain('24 days of leave')
    expect([user, notice]).toEqual(['(Uploaded [file](leave.html)) How many days?', ''])
    expect((await passim.collections.list()).map(collection => collection.name)).toEqual([])
  })
  test('of nothing, of what is no document, and of another protocol are named to the user', async () => {
    const { notice } = await ask([
      site.url('/gone.pdf'),
      site.url('/tape.bin'),
      'ftp://127.0.0.1/a.txt',
      'file:///etc/passwd',
    ])
    expect(notice.split('\n')).toEqual([
      'These files cannot be read:',
      expect.stringMatching(/gone\.pdf: .*404/),
      expect.stringMatching(/tape\.bin: /),
      expect.stringMatching(/only http and https URLs are read/),
      expect.stringMatching(/only http and https URLs are read/),
    ])
  })
  test('of a private address is not fetched unless that is allowed', async () => {
    const careful = await sandbox.open({ home: sandbox.path('careful') })
    const { notice, system } = await ask([site.url('/leave.html')], careful)
    expect(notice).toMatch(/leave\.html: .*not.*public/s)
    expect([system?.includes('24 days'), site.requests]).toEqual([false, []])
  })
  test('is not fetched where no URL may be', async () => {
    const closed = await sandbox.open({
      home: sandbox.path('closed'),
      settings: { agent: { urls: 'none' }, fetching: { allowPrivate: true } },
    })
    expect((await ask([site.url('/leave.html')], closed)).notice).toMatch(
      /the setting agent\.urls allows no URL/,
    )
    expect(site.requests).toEqual([])
  })
})

describe('a URL that a model gives to a tool', () => {
  const call = (from: Passim) =>
    callTool(
      from.tools(),
      toolCall('simple_doc_parser', JSON.stringify({ url: site.url('/leave.html') })),
    )
  test('is not fetched, for a document may have asked for it', async () => {
    expect(await call(passim)).toMatch(/Will not fetch .*the setting agent.urls allows no URL/)
    expect(site.requests).toEqual([])
  })
  test('is fetched where the settings say so', async () => {
    const settings = { agent: { urls: 'tools' as const }, fetching: { allowPrivate: true } }
    expect(await call(await sandbox.open({ home: sandbox.path('tools'), settings }))).toMatch(
      /24 days of leave/,
    )
  })
})

describe('a data URI in a message', () => {
  test('joins the memory under its name, and again in the next turn', async () => {
    const uri = data(
      'text/markdown;name=Urlaub%20(neu).md',
      '# Leave\n\nEmployees receive 24 days of leave.',
    )
    for (const turn of [1, 2]) {
      const { system, user, notice } = await ask([uri])
      expect([turn, system]).toEqual([
        turn,
        expect.stringMatching(/\[file\]\(Urlaub neu \.md\):\n\n```\nLeave\n\nEmployees receive 24/),
      ])
      expect([user, notice]).toEqual(['(Uploaded [file](Urlaub neu .md)) How many days?', ''])
    }
  })
  test('without a name is called after its type, and need not be base64', async () => {
    const { system, user } = await ask([
      'data:text/html,%3Cp%3E24%20days%3C%2Fp%3E',
      data('text/csv', 'days\n24\n'),
    ])
    expect(user).toBe('(Uploaded [file](file.html) [file](file.csv)) How many days?')
    expect(system).toMatch(/file\.html\):\n\n```\n24 days\n```[\s\S]*file\.csv\):[\s\S]*24/)
  })
  test('of one name is told apart from another', async () => {
    const { system } = await ask([
      data('text/plain;name=a.txt', 'one'),
      data('text/plain;name=a.txt', 'two'),
    ])
    expect(new Set(system?.match(/\[file\]\([0-9a-f]{12}\/a\.txt\)/g)).size).toBe(2)
  })
  test('that is broken, empty, too large or of no readable type is named to the user, without its bytes', async () => {
    const { notice } = await ask([
      'data:text/plain;name=broken.txt;base64,%%%',
      'data:text/plain;name=empty.txt,',
      data('text/plain;name=large.txt', 'x'.repeat(2_001)),
      data('application/octet-stream;name=../../tape.xyz', '\u0000\u0001\u0002\u0000'),
      'data:nothing',
    ])
    expect(notice.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^- broken\.txt: .*not base64/),
      expect.stringMatching(/^- empty\.txt: .*empty/),
      expect.stringMatching(/^- large\.txt: .*more than 2000 bytes/),
      expect.stringMatching(/^- tape\.xyz: /),
      expect.stringMatching(/^- file\.txt: .*data URI/),
    ])
    expect(notice).not.toContain('xxxx')
  })
})
