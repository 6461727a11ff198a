import { readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool, type Tool } from '../../../src/agent/tool.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { toolCall } from '../../fakes/scripted-chat-model.ts'
import { Sandbox } from '../../fakes/store.ts'

const LONG = Array.from(
  { length: 100 },
  (_, at) => `Paragraph ${at} tells of the number ${at}.`,
).join('\n\n')

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ settings: { agent: { maxToolTokens: 1_500 } } })
  const folder = await sandbox.write({
    'staff/a/leave.md': '# Leave\n\nEmployees receive 24 days of leave.',
    'staff/b/leave.md': '# Leave\n\nInterns receive 12 days of leave.',
    'staff/pump.md': '# 水泵\n\n水泵的保修期为三年。',
    'staff/long.md': `# Long\n\n${LONG}`,
    'staff/longer.md': `# Longer\n\n${LONG}\n\n${LONG.replaceAll('tells', 'speaks')}`,
  })
  await passim.index([path.join(folder, 'staff')])
})
afterAll(() => sandbox.remove())

const NAMES = ['retrieval', 'keyword_search', 'vector_search', 'hybrid_search', 'front_page_search']

/** What a tool over the store answers, as JSON. */
async function ask(name: string, args: object, roots: readonly string[] = []) {
  const tools = passim.tools({
    tools: [...NAMES, 'doc_parser', 'simple_doc_parser', 'storage'],
    roots,
  })
  return await callTool(tools, toolCall(name, JSON.stringify(args)))
}

test.each(NAMES)('%s finds, with source, score and document', async name => {
  const { results } = JSON.parse(await ask(name, { query: '保修期', files: ['pump.md'] }))
  expect(results).toMatchObject([
    {
      source: 'pump.md',
      title: '水泵',
      text: expect.stringContaining('三年'),
      document_id: expect.stringMatching(/^doc_/),
    },
  ])
})

test('retrieval searches by what agent.searchers says', async () => {
  const words = await sandbox.open({ settings: { agent: { searchers: ['keyword_search'] } } })
  const call = toolCall(
    'retrieval',
    JSON.stringify({ query: 'number 57 tells', files: ['long.md'] }),
  )
  const scores = async (tools: readonly Tool[]) =>
    JSON.parse(await callTool(tools, call)).results.map(scoreOf)
  expect(await scores(words.tools())).toEqual(
    await scores(words.tools({ tools: ['keyword_search'] }).map(asRetrieval)),
  )
  expect(await scores(words.tools())).not.toEqual(await scores(passim.tools()))
})

const scoreOf = ({ score }: { score: number }) => score
const asRetrieval = (tool: Tool): Tool => ({ ...tool, name: 'retrieval' })

test('a search that finds nothing says so, in the language of the query', async () => {
  expect(JSON.parse(await ask('keyword_search', { query: 'zebra' }))).toEqual({
    results: [],
    note: 'The documents hold nothing that bears on this.',
  })
  expect(JSON.parse(await ask('keyword_search', { query: '斑马' })).note).toBe(
    '文档中没有与此相关的内容。',
  )
})

describe('with front_page_search among the searchers', () => {
  const searchers = ['keyword_search', 'front_page_search']
  const find = async (args: object, config: object = {}) => {
    const tools = passim.tools({ tools: [{ name: 'retrieval', searchers, ...config }] })
    const answer = JSON.parse(await callTool(tools, toolCall('retrieval', JSON.stringify(args))))
    return answer.results.map((one: { text: string; source: string }) => one.text)
  }
  test('the beginning of a single document comes first, then what is found in it', async () => {
    const [first, ...found] = await find(
      { query: 'Paragraph 99 tells', files: ['longer.md'] },
      { maxTokens: 4_000 },
    )
    expect(first).toMatch(/^Longer/)
    expect(found.join('\n')).toContain('Paragraph 99 tells')
  })
  test('a beginning that takes more than a quarter of the room is left out', async () => {
    const [first] = await find(
      { query: 'Paragraph 99 tells', files: ['longer.md'] },
      { maxTokens: 1_500 },
    )
    expect(first).not.toMatch(/^Longer/)
  })
  test('several documents are searched as without it', async () => {
    const args = { query: '保修期' }
    expect(await find(args)).toEqual(await find(args, { searchers: ['keyword_search'] }))
    expect(await find(args)).toEqual([expect.stringContaining('三年')])
  })
})

describe('settings beside the name of a tool', () => {
  const call = async (spec: { name: string; [setting: string]: unknown }, args: object) => {
    const told = await callTool(
      passim.tools({ tools: [spec] }),
      toolCall(spec.name, JSON.stringify(args)),
    )
    return told.startsWith('{') ? JSON.parse(told) : told
  }
  const query = 'tells of the number'
  test.each(NAMES.slice(0, 4))('limit the hits of %s', async name => {
    expect((await call({ name, topK: 1 }, { query })).results).toHaveLength(1)
    const { results } = await call({ name }, { query })
    expect(results.length).toBeGreaterThan(1)
    const few = (await call({ name, max_ref_token: 500 }, { query })).results
    expect([few.length > 0, few.length < results.length]).toEqual([true, true])
    const best = Math.max(...results.map(scoreOf))
    const good = (await call({ name, minScore: best - 1e-4 }, { query })).results
    expect(good.every((one: { score: number }) => one.score >= best - 2e-4)).toBe(true)
    expect(good.length).toBeLessThanOrEqual(results.length)
    expect((await call({ name, minScore: best + 1 }, { query })).results).toEqual([])
  })
  test('limit what doc_parser and simple_doc_parser read', async () => {
    expect(await call({ name: 'doc_parser', maxTokens: 500 }, { url: 'longer.md' })).toMatchObject({
      truncated: true,
    })
    expect(
      await call({ name: 'simple_doc_parser', max_ref_token: 500 }, { url: 'longer.md' }),
    ).toMatch(/goes on/)
    expect(
      await call({ name: 'doc_parser', maxTokens: 50_000 }, { url: 'longer.md' }),
    ).not.toHaveProperty('truncated')
  })
  test('choose the documents and the searchers', async () => {
    await passim.index([sandbox.path('staff/pump.md')], { collection: 'pumps' })
    const { results } = await call(
      { name: 'hybrid_search', collections: ['pumps'] },
      { query: 'leave 水泵' },
    )
    expect(results.map((one: { source: string }) => one.source)).toEqual(['pump.md'])
    const ranked = async (config: object) =>
      (await call({ name: 'retrieval', ...config }, { query })).results.map(scoreOf)
    expect(await ranked({ rag_searchers: ['keyword_search'] })).toEqual(
      await (await call({ name: 'keyword_search' }, { query })).results.map(scoreOf),
    )
  })
  test('choose the folder of storage, and how much it takes', async () => {
    const root = sandbox.path('kept')
    const spec = { name: 'storage', root, maxValueBytes: 5, maxScanned: 1, timeoutMs: 60_000 }
    expect(await call(spec, { operate: 'put', key: 'a', value: 'short' })).toBe(
      'Successfully saved a.',
    )
    expect(await call(spec, { operate: 'put', key: 'b', value: 'too long' })).toMatch(
      /at most 5 bytes/,
    )
    await call(spec, { operate: 'put', key: 'b', value: 'b' })
    expect(await call(spec, { operate: 'scan' })).toMatch(/1 more/)
    expect(await readFile(path.join(root, 'a.value'), 'utf8')).toBe('short')
  })
  test('that there are not are refused by name, with those that there are', () => {
    const make = (spec: { name: string; [setting: string]: unknown }) => () =>
      passim.tools({ tools: [spec] })
    expect(make({ name: 'retrieval', topk: 3 })).toThrow(
      /retrieval has no setting topk\. It has: .*topK/,
    )
    expect(make({ name: 'keyword_search', searchers: [] })).toThrow(
      /keyword_search has no setting searchers/,
    )
    expect(make({ name: 'storage', maxValueBytes: 'x' })).toThrow(
      'Setting maxValueBytes of the tool storage has to be a number.',
    )
    expect(() => passim.agent({ tools: [{ name: 'doc_parser', pages: 3 }] })).toThrow(
      /doc_parser has no setting pages/,
    )
  })
})

test('the parsers of documents read file_path as url', async () => {
  const named = await ask('simple_doc_parser', { file_path: 'pump.md' })
  expect(named).toContain('三年')
  expect(await ask('doc_parser', { file_path: 'pump.md' })).toContain('三年')
  expect(await ask('simple_doc_parser', { file_path: 'gone.md', url: 'pump.md' })).toBe(named)
})

test('documents of one name are told apart by their folders', async () => {
  const { results } = JSON.parse(
    await ask('retrieval', {
      query: 'days of leave',
      files: ['staff/a/leave.md', 'staff/b/leave.md'].map(name => sandbox.path(name)),
    }),
  )
  expect(results.map((one: { source: string }) => one.source).toSorted()).toEqual([
    'a/leave.md',
    'b/leave.md',
  ])
})

test('a label means the same document whatever else was found, and can be given back to every tool', async () => {
  const found = async (files: readonly string[]) => {
    const { results } = JSON.parse(await ask('retrieval', { query: 'days of leave', files }))
    return results.map((one: { source: string }) => one.source)
  }
  expect(await found([sandbox.path('staff/b/leave.md')])).toEqual(['b/leave.md'])
  expect(await found(['b/leave.md'])).toEqual(['b/leave.md'])
  expect(await found(['a/leave.md', 'staff/b/leave.md'])).toHaveLength(2)
  const [collection] = await passim.collections.list()
  const { source } = await passim.scope.findDocument('b/leave.md', [collection!])
  expect(source).toBe(sandbox.path('staff/b/leave.md'))
  const text = await ask('simple_doc_parser', { url: 'b/leave.md' })
  expect(text).not.toBe(await ask('simple_doc_parser', { url: 'a/leave.md' }))
  for (const wrong of ['leave.md', 'c/leave.md', '/leave.md'])
    await expect(passim.scope.findDocument(wrong, [collection!]), wrong).rejects.toThrow(
      /are called|no document/,
    )
})

test('the keywords of a query in JSON are searched as words', async () => {
  const query = JSON.stringify({ keywords_zh: ['保修期'], keywords_en: ['guarantee period'] })
  const { results } = JSON.parse(await ask('keyword_search', { query }))
  expect(results).toMatchObject([{ source: 'pump.md' }])
})

test('one bad file is told beside the results of the others', async () => {
  const folder = await sandbox.write({
    'good.md': 'The pump has a guarantee.',
    'broken.pdf': '%PDF-1.4 broken',
  })
  const files = ['good.md', 'broken.pdf', 'missing.docx'].map(name => path.join(folder, name))
  const { results, failed } = JSON.parse(
    await ask('retrieval', { query: 'pump guarantee', files }, [folder]),
  )
  expect(results).toMatchObject([{ source: 'good.md' }])
  expect(failed.map((one: { file: string }) => one.file)).toEqual(['broken.pdf', 'missing.docx'])
})

test('files outside of the roots are not read, nor shown to be there', async () => {
  const folder = await sandbox.write({
    'open/a.md': 'Open.',
    'secret/b.md': 'The password is swordfish.',
  })
  await symlink(sandbox.path('secret/b.md'), sandbox.path('open/link.md'))
  const files = [
    sandbox.path('secret/b.md'),
    `${folder}/open/../secret/b.md`,
    sandbox.path('open/link.md'),
    '/no/such/file',
  ]
  const answer = await ask('retrieval', { query: 'password', files }, [sandbox.path('open')])
  const { results, failed } = JSON.parse(answer)
  expect(results).toEqual([])
  expect(failed).toHaveLength(4)
  for (const { error } of failed) expect(error).toMatch(/outside of the folders that may be read/)
  expect(answer).not.toContain(folder)
  expect(await ask('doc_parser', { url: '/etc/passwd' })).toMatch(/No folder may be read/)
})

test('a file that changed is read anew', async () => {
  const folder = await sandbox.write({ 'a.md': 'The code is swordfish.' })
  const file = path.join(folder, 'a.md')
  const find = async () =>
    JSON.parse(await ask('retrieval', { query: 'code', files: [file] }, [folder])).results[0].text
  expect(await find()).toContain('swordfish')
  await writeFile(file, 'The code is herring.')
  expect(await find()).toContain('herring')
})

test('doc_parser gives chunks with their place, simple_doc_parser the text, once', async () => {
  const { raw, title } = JSON.parse(await ask('doc_parser', { url: 'long.md' }))
  expect(title).toBe('Long')
  expect(raw.length).toBeGreaterThan(1)
  expect(raw[1].metadata).toEqual({ source: 'long.md', title: 'Long', chunk_id: 1 })
  expect(await ask('simple_doc_parser', { url: 'long.md' })).toBe(`Long\n\n${LONG}`)
})

test('a long document is cut where the tool ends, and says so', async () => {
  expect(JSON.parse(await ask('doc_parser', { url: 'longer.md' }))).toMatchObject({
    truncated: true,
  })
  expect(await ask('simple_doc_parser', { url: 'longer.md' })).toMatch(/The document goes on/)
})

test('by default a model gets one tool to search and one to read', () =>
  expect(passim.tools().map(tool => tool.name)).toEqual(['retrieval', 'simple_doc_parser']))
