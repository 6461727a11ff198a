import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SearchTool } from '../../../src/agent/groundings/search-tool.ts'
import { Sources } from '../../../src/agent/groundings/sources.ts'
import type { KnowledgeBase } from '../../../src/agent/memory/knowledge-base.ts'
import { callTool, type Tool } from '../../../src/agent/tool.ts'
import { createDocParserTools } from '../../../src/agent/tools/doc-parser.ts'
import { createRetrievalTools, describeFailures } from '../../../src/agent/tools/retrieval.ts'
import { storageTool } from '../../../src/agent/tools/storage.ts'
import { toolCall } from '../../fakes/scripted-chat-model.ts'
import { Sandbox } from '../../fakes/store.ts'
import { wordCounter } from '../../fakes/word-counter.ts'

/** All that no model may see. */
const FAULT = new TypeError(
  "cannot open '/home/ada/My Files/plan.txt' with sk-abcdefgh12345678 at https://ada:pass@db.example/x\n    at read (/srv/app/x.js:1:2)",
)
const fail = () => Promise.reject(FAULT)
const knowledge: KnowledgeBase = {
  resolve: fail,
  findLabels: async () => new Map(),
  search: fail,
  // biome-ignore lint/correctness/useYield: it fails before it has anything
  async *readChunks() {
    throw FAULT
  },
}
const searcher = new SearchTool({
  searcher: { search: fail },
  sources: new Sources({ counter: wordCounter, maxTokens: 100 }),
  scope: { collectionIds: [] },
  language: 'en',
  limit: 1,
})

let sandbox: Sandbox
let storage: Tool
beforeAll(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({})
  const file = path.join(sandbox.folder, 'a file')
  await writeFile(file, '')
  storage = storageTool({ root: path.join(file, 'root') })
})
afterAll(() => sandbox.remove())

const tools = [
  ...createRetrievalTools({ knowledge }),
  ...createDocParserTools({ knowledge }),
  searcher,
]
test.each(tools.map(tool => tool.name))(
  '%s tells a model no stack, path or key of what went wrong',
  async name => {
    const logged: unknown[] = []
    const args = JSON.stringify({ query: 'x', url: 'x' })
    const told = await callTool(tools, toolCall(name, args), {
      onError: (_, error) => logged.push(error),
    })
    expect(told).toBe(
      `An error occurred when calling tool ${name}: TypeError: cannot open 'plan.txt' with *** at https://***@db.example/x`,
    )
    expect(logged).toEqual([FAULT])
  },
)

test('a file that failed at a model does not tell where the model lies', () => {
  const message = 'The model m at http://10.0.0.3:8080/v1 answered 401: bad key.'
  const failed = { file: '/home/ada/plan.txt', code: 'model_unavailable', message } as const
  const refused = { file: 'b.txt', code: 'invalid_input', message, subject: 'model' } as const
  const empty = { file: 'c.txt', code: 'empty', message: 'c.txt is empty.' } as const
  expect(describeFailures({ failures: [failed, refused, empty] })).toEqual({
    failed: [
      { file: 'plan.txt', error: 'A model that this service works with is not available.' },
      { file: 'b.txt', error: 'A model that this service works with is not available.' },
      { file: 'c.txt', error: 'c.txt is empty.' },
    ],
  })
})

test.each(['put', 'get', 'delete', 'scan'])(
  'storage tells a model no path of what went wrong: %s',
  async operate => {
    const told = await callTool(
      [storage],
      toolCall('storage', JSON.stringify({ operate, key: 'k', value: 'v' })),
    )
    expect(told).toMatch(/^An error occurred when calling tool storage: /)
    expect(told).not.toMatch(/\/tmp|a file|root|at /)
  },
)
