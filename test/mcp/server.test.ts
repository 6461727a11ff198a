import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Passim } from '../../src/app/passim.ts'
import { serveMcpHttp } from '../../src/mcp/http.ts'
import { explainFaults } from '../../src/mcp/offer.ts'
import { CLI } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
let service: Awaited<ReturnType<typeof serveMcpHttp>>
let client: Client
beforeAll(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({
    'docs/leave.md': '# Leave\n\nEmployees receive 24 days of leave.',
    'docs/long.md': `# Long\n\n${'All work and no play. '.repeat(6000)}`,
    'more/pump.md': '水泵的保修期为三年。',
  })
  passim = await sandbox.open({ settings: { agent: { roots: [sandbox.path('more')] } } })
  await passim.index([sandbox.path('docs')])
  service = await serveMcpHttp(passim, { port: 0 })
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(service.url)))
})
afterAll(async () => {
  await client.close()
  await service.close()
  await sandbox.remove()
})

/** The structured result, which the text repeats. */
async function call(name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [first] = content
  expect(isError).toBeFalsy()
  expect(JSON.parse(first?.type === 'text' ? first.text : '')).toEqual(structuredContent)
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests check
  return structuredContent as any
}

/** What the client is told of a failure. */
async function failure(name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  expect(isError).toBe(true)
  return content.map(part => (part.type === 'text' ? part.text : '')).join()
}

describe('over HTTP, with the current client', () => {
  test('fetch leaves out a chunk that is switched off, also where a part begins', async () => {
    const part = (word: string) =>
      `## ${word}\n\n${`${word} has a part of its own. `.repeat(70)}\n\n`
    const { document } = await passim.documents.put({
      ...{
        id: 'parts',
        collection: 'default',
        markdown: part('Tea') + part('Salt') + part('Milk'),
      },
    })
    const { chunks } = await passim.chunks.list(document.id)
    const off = chunks.filter(({ text }) => text.includes('Salt'))
    for (const { id } of off) await passim.chunks.update(document.id, id, { isExcluded: true })
    const { text, metadata } = await call('fetch', { id: document.id })
    expect(text).toContain('Tea has')
    expect(text).toContain('Milk has')
    expect(text).not.toContain('Salt has')
    const start = off[0]!.charStart + 5
    const rest = await call('fetch', { id: document.id, start })
    expect(rest.text).not.toContain('Salt has')
    expect(rest.metadata).toEqual(metadata)
    await passim.delete(document.id, { now: true })
  })

  test('wrong arguments are refused in words of our own, at every tool', async () => {
    expect(await failure('ask', {})).toMatch(/: question is missing: it has to be a string$/)
    expect(await failure('fetch', { id: '' })).toMatch(/: id is empty$/)
    expect(await failure('search', { query: 'hotel', collection: 'x' })).toMatch(
      /: arguments has no field collection$/,
    )
    expect(await explainFaults(z.object({}))['~standard'].validate('hotel')).toEqual({
      issues: [{ message: 'arguments has to be an object' }],
    })
    const { tools } = await client.listTools()
    for (const { name, inputSchema } of tools) {
      const wrong = Object.keys(inputSchema.properties ?? {}).map(key => [key, {}])
      expect(await failure(name, Object.fromEntries(wrong))).not.toMatch(/invalid input|expected/i)
    }
  })

  test('the tools say what they do, and that they only read', async () => {
    const { tools } = await client.listTools()
    const hints = tools.map(tool => [
      tool.name,
      tool.annotations?.readOnlyHint,
      tool.outputSchema?.type,
    ])
    expect(hints).toEqual([
      ['search', true, 'object'],
      ['fetch', true, 'object'],
      ['ask', true, 'object'],
      ['converse', false, 'object'],
      ['list_documents', true, 'object'],
      ['get_synonyms', true, 'object'],
      ['set_synonyms', false, 'object'],
      ['index', false, 'object'],
    ])
  })
  test('search gives one result a document, and fetch its text by the id', async () => {
    const { results } = await call('search', { query: 'days of leave' })
    expect(results[0]).toMatchObject({ title: 'Leave', text: expect.stringContaining('24 days') })
    expect(results[0].url).toBe(`passim://documents/${results[0].id}`)
    expect(await call('fetch', { id: results[0].id })).toMatchObject({
      id: results[0].id,
      title: 'Leave',
      text: 'Leave\n\nEmployees receive 24 days of leave.',
      metadata: { name: 'leave.md' },
    })
  })
  test('synonyms that are set are searched, until they are removed', async () => {
    const set = await call('set_synonyms', { text: 'furlough, leave' })
    expect(set).toMatchObject({ groups: 1, text: 'furlough, leave' })
    expect(await call('get_synonyms')).toEqual(set)
    const { results } = await call('search', { query: 'furlough' })
    expect(results[0]).toMatchObject({ title: 'Leave' })
    expect(await failure('set_synonyms', { text: 'alone' })).toContain('line 1')
    expect(await failure('get_synonyms', { collection: 'others' })).toContain('(not_found)')
    expect(await call('set_synonyms', { text: '' })).toMatchObject({ groups: 0 })
  })
  test('a long document is fetched in parts', async () => {
    const first = await call('fetch', { id: 'long.md' })
    const second = await call('fetch', { id: 'long.md', start: first.metadata.next })
    expect(second.metadata.next).toBeUndefined()
    expect(first.text.length + second.text.length).toBe(first.metadata.characters)
  })
  test('ask answers with citations that were checked', async () => {
    const { answer, mode, citations } = await call('ask', {
      question: 'How many days of leave do employees receive?',
    })
    expect([mode, answer]).toEqual(['extractive', expect.stringContaining('24 days')])
    expect(citations[0]).toMatchObject({
      name: 'leave.md',
      quote_verified: true,
      verified: true,
      support: 'stated',
    })
  })
  test('converse goes on with what was asked before', async () => {
    const first = await call('converse', {
      question: 'How many days of leave do employees receive?',
    })
    const { conversation } = first
    expect(first.answer).toContain('24 days')
    expect((await call('converse', { question: 'And interns?', conversation })).conversation).toBe(
      conversation,
    )
    expect((await passim.conversations.get(conversation)).turns).toBe(2)
    expect(await failure('converse', { question: 'Who?', conversation: 'conv_gone' })).toMatch(
      /conv_gone.*not_found/,
    )
  })
  test('documents are listed in parts, and are resources', async () => {
    const { documents, has_more } = await call('list_documents', { limit: 1 })
    expect([documents[0].name, documents[0].status, has_more]).toEqual([
      'leave.md',
      'completed',
      true,
    ])
    const rest = await call('list_documents', { after: documents[0].id })
    expect(rest.documents.map((one: { name: string }) => one.name)).toContain('long.md')
    const { resources } = await client.listResources()
    expect(resources.map(resource => resource.name)).toContain('leave.md')
    const { contents } = await client.readResource({ uri: documents[0].url })
    expect(contents).toMatchObject([
      { mimeType: 'text/plain', text: expect.stringContaining('24 days') },
    ])
  })
  test('files are indexed under the allowed folders, and nowhere else', async () => {
    const { documents } = await call('index', { paths: [sandbox.path('more/pump.md')] })
    expect(documents).toEqual([{ name: 'pump.md', status: 'indexed' }])
    for (const path of ['/etc/passwd', sandbox.path('more/../docs/leave.md'), '/no/such/file']) {
      const told = await failure('index', { paths: [path] })
      expect(told).toMatch(/outside of the folders .* \(forbidden_source\)/)
      expect(told).not.toContain(sandbox.folder)
    }
  })
  test('a long resource says where its rest is, and one that is not there is told without paths', async () => {
    const { documents } = await call('list_documents')
    const { id } = documents.find((document: { name: string }) => document.name === 'long.md')
    const { contents } = await client.readResource({ uri: `passim://documents/${id}` })
    expect(contents).toHaveLength(2)
    expect(contents[1]).toMatchObject({
      text: expect.stringMatching(`call fetch with id ${id} and start 100000`),
    })
    await expect(client.readResource({ uri: 'passim://documents/gone' })).rejects.toThrow(
      /no document gone.*\(not_found\)/,
    )
  })
  test('a list does not start over when the document it was to go on from is gone', async () => {
    expect(await failure('list_documents', { after: 'gone' })).toContain('(invalid_input)')
  })
  test('a wrong call is told, and does not end the connection', async () => {
    expect(await failure('fetch', { id: 'doc_none' })).toMatch(/There is no document doc_none/)
    expect(await failure('ask', { question: 'Who?', documents: ['none.pdf'] })).toMatch(
      /^There is no document .*none\.pdf\. \(not_found\)$/,
    )
    expect(await failure('search', { query: 7 })).toMatch(/query/)
    expect((await call('list_documents')).documents.length).toBeGreaterThan(1)
  })
})

test('pages of other hosts are refused, and so is another path', async () => {
  const ask = (url: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body: '{}', headers })
  expect((await ask(service.url, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await ask(service.url.replace('/mcp', '/other'), {})).status).toBe(404)
})

test('a port that is taken is told with the way out', async () => {
  const port = Number(new URL(service.url).port)
  await expect(serveMcpHttp(passim, { port })).rejects.toMatchObject({
    code: 'conflict',
    message: /--port/,
  })
})

test('over stdio, with the current client, from the command line', async () => {
  const [command = '', ...args] = CLI
  const env = { PASSIM_HOME: sandbox.path('stdio-home') }
  const transport = new StdioClientTransport({
    command,
    args: [...args, 'mcp'],
    env,
    stderr: 'pipe',
  })
  const local = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await local.connect(transport, { timeout: 60_000 })
  const { tools } = await local.listTools()
  expect(tools.map(tool => tool.name)).toEqual([
    'search',
    'fetch',
    'ask',
    'converse',
    'list_documents',
    'get_synonyms',
    'set_synonyms',
  ])
  const { content, isError } = await local.callTool({ name: 'search', arguments: { query: 'x' } })
  expect([isError, content]).toEqual([
    true,
    [{ type: 'text', text: expect.stringMatching(/no collection default/) }],
  ])
  await local.close()
}, 90_000)
