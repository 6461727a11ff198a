import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveMcpHttp } from '../../src/mcp/http.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let model: ScriptedModel
let service: Awaited<ReturnType<typeof serveMcpHttp>>
let client: Client
/** Speaks the protocol of 2025. */
let old: Client
beforeAll(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({
    'docs/leave.md': '# Leave\n\nEmployees receive 24 days of leave.',
    'docs/假期.md': '# 假期\n\n员工每年有二十天带薪年假，需提前两周申请。',
    'docs/long.md': `# Long\n\n${'All work and no play. '.repeat(6000)}\n\n\`\`\`\nThe end.`,
    'more/a.md': 'The pump has a warranty of three years.',
    'more/b.md': 'The fan has a warranty of two years.',
  })
  model = await startScriptedModel([
    { text: Array.from({ length: 60 }, () => 'Employees receive 24 days. ') },
  ])
  const settings = {
    model: { url: model.url, name: 'scripted' },
    agent: { roots: [sandbox.path('more')] },
  }
  const passim = await sandbox.open({ settings })
  await passim.index([sandbox.path('docs')])
  service = await serveMcpHttp(passim, { port: 0 })
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(service.url)))
  old = new Client({ name: 'old', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await old.connect(new StreamableHTTPClientTransport(new URL(service.url)))
})
afterAll(async () => {
  await client.close()
  await old.close()
  await service.close()
  await sandbox.remove()
  await model.close()
})

type Told = {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

function grows(told: readonly Told[]): void {
  expect(told.length).toBeGreaterThan(1)
  for (const [at, { progress }] of told.slice(1).entries())
    expect(progress).toBeGreaterThan(told[at]!.progress)
}

describe('progress', () => {
  const call = {
    name: 'ask',
    arguments: { question: 'How many days of leave do employees receive?' },
  }

  test('of an answer grows with what was found and written, for either generation of the protocol', async () => {
    const [told, toldOld]: [Told[], Told[]] = [[], []]
    await client.callTool(call, { onprogress: progress => told.push(progress) })
    await old.callTool(call, { onprogress: progress => toldOld.push(progress) })
    for (const heard of [told, toldOld]) {
      grows(heard)
      expect(heard[0]?.message).toMatch(/^Found \d+ passages\.$/)
      expect(heard.at(-1)?.message).toMatch(/^Wrote \d+ characters\.$/)
    }
  })
  test('of indexing counts documents, up to all of them', async () => {
    const told: Told[] = []
    const paths = [sandbox.path('more')]
    await client.callTool(
      { name: 'index', arguments: { paths } },
      { onprogress: progress => told.push(progress) },
    )
    grows(told)
    expect(told.at(-1)).toMatchObject({
      progress: 2,
      total: 2,
      message: expect.stringMatching(/^2 of 2: [ab]\.md$/),
    })
    expect(JSON.stringify(told)).not.toContain(sandbox.folder)
  })
})

describe('prompts', () => {
  const get = async (name: string, args: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: args })
    const [{ role, content } = { role: '', content: undefined }] = messages
    expect([messages.length, role, content?.type]).toEqual([1, 'user', 'text'])
    return content?.type === 'text' ? content.text : ''
  }

  test('are listed with their arguments', async () => {
    const { prompts } = await old.listPrompts()
    const listed = prompts.map(({ name, arguments: args = [] }) => [
      name,
      ...args.map(one => one.name),
    ])
    expect(listed).toEqual([
      ['ask', 'question'],
      ['summarise', 'document', 'about'],
      ['compare', 'first', 'second', 'about'],
    ])
  })
  test('ask hands over the passages that bear on the question, each to be opened', async () => {
    const text = await get('ask', { question: 'How many days of leave do employees receive?' })
    expect(text).toMatch(/^Answer a question .*Question: How many days/s)
    expect(text).toContain('Employees receive 24 days of leave.')
    const uri = text.match(/passim:\S+\/passages\/\d+-\d+/)?.[0] ?? ''
    expect((await old.readResource({ uri })).contents).toMatchObject([
      { uri, mimeType: 'text/plain' },
    ])
    expect(await get('ask', { question: '员工有几天年假？' })).toMatch(
      /^请根据我的文档回答问题.*问题：员工有几天年假？/s,
    )
  })
  test('summarise and compare hand over documents in fences, in the language of what is asked', async () => {
    expect(await get('summarise', { document: '假期.md' })).toMatch(
      /^请概括下面这份文档。.*提前两周申请/s,
    )
    expect(await get('summarise', { document: '假期.md', about: 'pay' })).toMatch(
      /^Summarise .*with regard to this: pay/s,
    )
    const both = await get('compare', { first: 'leave.md', second: '假期.md' })
    expect(both).toMatch(/^Compare the two documents below\..*24 days of leave.*提前两周申请/s)
  })
  test('a long document is handed over in part, with the way to its rest', async () => {
    const text = await get('summarise', { document: 'long.md' })
    expect(text).toMatch(
      /first 100000 of \d+ characters\. For the rest, call the tool fetch with id \S+ and start 100000/,
    )
  })
  test('a document that there is none of is the mistake of the caller', async () => {
    await expect(get('summarise', { document: 'gone.md' })).rejects.toThrow(
      /no document gone\.md.*\(not_found\)/,
    )
  })
  test('names of documents can be completed', async () => {
    const ref = { type: 'ref/prompt' as const, name: 'summarise' }
    const { completion } = await client.complete({
      ref,
      argument: { name: 'document', value: 'LE' },
    })
    expect(completion.values).toEqual(['leave.md'])
  })
})

describe('resources', () => {
  test('documents and passages have templates', async () => {
    const { resourceTemplates } = await old.listResourceTemplates()
    expect(resourceTemplates.map(({ name, uriTemplate }) => [name, uriTemplate])).toEqual([
      ['document', 'passim://documents/{id}'],
      ['passage', 'passim://documents/{id}/passages/{start}-{end}'],
    ])
  })
  test('what search and ask name can be opened as it is', async () => {
    const search = await client.callTool({ name: 'search', arguments: { query: 'days of leave' } })
    const { results } = search.structuredContent as { results: { passage: string; text: string }[] } // as its schema says
    const { contents } = await client.readResource({ uri: results[0]!.passage })
    expect(contents).toMatchObject([{ uri: results[0]!.passage, text: results[0]!.text }])
    const ask = await client.callTool({
      name: 'ask',
      arguments: { question: 'How many days of leave do we get?' },
    })
    for (const part of ask.content.slice(1)) {
      expect(part).toMatchObject({
        type: 'resource_link',
        uri: expect.stringMatching(/^passim:.*passages/),
      })
    }
  })
  test('a passage that is not there is told', async () => {
    const [document] = (await client.listResources()).resources
    for (const span of ['5-5', '90000-90010', '0-900000'])
      await expect(
        client.readResource({ uri: `${document?.uri}/passages/${span}` }),
      ).rejects.toThrow(/There is no passage/)
  })
  test('are listed in pages, up to the last', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, at) => [`many/${at}.md`, `Number ${at}.`]),
    )
    await sandbox.write(many)
    const passim = await sandbox.open()
    await passim.index([sandbox.path('many')], { withoutVectors: true })
    const first = await old.request({ method: 'resources/list' }) // one page: listResources() reads all
    const second = await old.listResources({ cursor: first.nextCursor })
    expect([first.resources.length, second.nextCursor]).toEqual([50, undefined])
    const uris = new Set([...first.resources, ...second.resources].map(({ uri }) => uri))
    expect(uris.size).toBe((await passim.list('default')).length)
    await expect(old.listResources({ cursor: 'gone' })).rejects.toThrow(/no longer listed/)
  })
})
