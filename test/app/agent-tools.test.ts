import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callTool } from '../../src/agent/tool.ts'
import type { Passim } from '../../src/app.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'

const LONG = Array.from({ length: 100 }, (_, at) => `Paragraph ${at} tells of the number ${at}.`).join('\n\n')

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
  const tools = passim.tools({ tools: [...NAMES, 'doc_parser', 'simple_doc_parser', 'storage'], roots })
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
  const call = toolCall('retrieval', JSON.stringify({ query: 'nothingofthesort' }))
  expect(JSON.parse(await callTool(words.tools(), call)).results).toEqual([])
  expect(JSON.parse(await callTool(passim.tools(), call)).results.length).toBeGreaterThan(0) // by its vector
})

test('documents of one name are told apart by their folders', async () => {
  const { results } = JSON.parse(
    await ask('retrieval', {
      query: 'days of leave',
      files: ['staff/a/leave.md', 'staff/b/leave.md'].map(name => sandbox.path(name)),
    }),
  )
  expect(results.map((one: { source: string }) => one.source).toSorted()).toEqual(['a/leave.md', 'b/leave.md'])
})

test('the keywords of a query in JSON are searched as words', async () => {
  const query = JSON.stringify({ keywords_zh: ['保修期'], keywords_en: ['guarantee period'] })
  const { results } = JSON.parse(await ask('keyword_search', { query }))
  expect(results).toMatchObject([{ source: 'pump.md' }])
})

test('one bad file is told beside the results of the others', async () => {
  const folder = await sandbox.write({ 'good.md': 'The pump has a guarantee.', 'broken.pdf': '%PDF-1.4 broken' })
  const files = ['good.md', 'broken.pdf', 'missing.docx'].map(name => path.join(folder, name))
  const { results, failed } = JSON.parse(await ask('retrieval', { query: 'pump guarantee', files }, [folder]))
  expect(results).toMatchObject([{ source: 'good.md' }])
  expect(failed.map((one: { file: string }) => one.file)).toEqual(['broken.pdf', 'missing.docx'])
})

test('files outside of the roots are not read, nor shown to be there', async () => {
  const folder = await sandbox.write({ 'open/a.md': 'Open.', 'secret/b.md': 'The password is swordfish.' })
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
  expect(JSON.parse(await ask('doc_parser', { url: 'longer.md' }))).toMatchObject({ truncated: true })
  expect(await ask('simple_doc_parser', { url: 'longer.md' })).toMatch(/The document goes on/)
})

test('by default a model gets one tool to search and one to read', () =>
  expect(passim.tools().map(tool => tool.name)).toEqual(['retrieval', 'simple_doc_parser']))
