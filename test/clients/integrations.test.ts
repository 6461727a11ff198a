import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Running, startServer } from '../server/running.ts'
import { pythonPackages } from './python-packages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const INTEGRATIONS = path.join(ROOT, 'integrations')
const run = promisify(execFile)

const packages = {
  'langchain-python': await pythonPackages(path.join(ROOT, 'test/clients/langchain.txt')),
  'llama-index': await pythonPackages(path.join(ROOT, 'test/clients/connect-llama-index.txt')),
}
type PythonIntegration = keyof typeof packages

let server: Running
let folder: string

beforeAll(async () => {
  server = await startServer()
  for (const [id, document] of Object.entries({
    hotels: { text: 'Hotels cost at most 120 euros a night.', attributes: { team: 'travel' } },
    contract: { text: 'The notice period is six weeks.', attributes: { team: 'hr' } },
  })) {
    await post('/api/collections/papers/documents', { id, ...document })
  }
  await vi.waitFor(
    async () => {
      const listed = await fetch(`${server.url}/api/collections/papers/documents`)
      const { documents } = (await listed.json()) as { documents: { status: string }[] }
      expect(documents.map(({ status }) => status)).toEqual(['completed', 'completed'])
    },
    { timeout: 60_000, interval: 100 },
  )
  const cache = path.join(ROOT, 'node_modules/.cache') // so that programs find the packages of LangChain
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(path.join(cache, 'integrations-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function post(route: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.url}${route}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(response.status, await response.text()).toBe(200)
}

function readBlocks(integration: string): readonly string[] {
  const readme = readFileSync(path.join(INTEGRATIONS, integration, 'README.md'), 'utf8')
  return [...readme.matchAll(/^```(?:ts|python)\n(.*?)^```/gms)].map(([, text = '']) => text)
}

/** Builds the wheel and installs it, as a user would from the registry. */
async function installWheel(integration: PythonIntegration): Promise<NodeJS.ProcessEnv> {
  const installed = packages[integration]
  if ('reason' in installed) throw new Error(installed.reason)
  const env = { ...process.env, ...installed.env }
  const target = path.join(folder, integration)
  if (existsSync(target)) return withFolder(env, target)
  const source = path.join(folder, `${integration}-source`) // building writes beside its source
  cpSync(path.join(INTEGRATIONS, integration), source, { recursive: true })
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps']
  const wheels = path.join(folder, `${integration}-wheels`)
  const build = ['-m', 'pip', 'wheel', ...quiet, '--no-build-isolation', '--wheel-dir', wheels]
  await run('python3', [...build, source], { env })
  const wheel = path.join(wheels, readdirSync(wheels)[0]!)
  await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', target, wheel], { env })
  return withFolder(env, target)
}

function withFolder(env: NodeJS.ProcessEnv, target: string): NodeJS.ProcessEnv {
  return { ...env, PYTHONPATH: [target, env.PYTHONPATH].join(path.delimiter) }
}

async function runPython(integration: PythonIntegration, program: string): Promise<string> {
  const env = await installWheel(integration)
  const { stdout } = await run('python3', ['-c', program], { env })
  return stdout
}

describe('LangChain for Python', () => {
  const integration = 'langchain-python'

  test('the retriever of its README finds the passage', async () => {
    const [example = ''] = readBlocks(integration)
    const program = example.replace('PassimRetriever(', `PassimRetriever(url="${server.url}", `)
    expect(await runPython(integration, program)).toContain('The notice period is six weeks.')
  })

  test('the vector store of its README adds, finds and deletes', async () => {
    const [, example = ''] = readBlocks(integration)
    const program = example.replace('"tickets"', `"tickets", url="${server.url}"`)
    const after = 'print([found.page_content for found in store.similarity_search("printer")])'
    const lines = (await runPython(integration, `${program}\n${after}`)).trim().split('\n')
    expect(lines[0]).toContain('The printer on floor 2 jams.')
    expect(lines[0]).toContain("'team': 'it'")
    expect(lines[1]).toBe('[]')
  })

  test('the same id replaces a text, and relevance is a confidence', async () => {
    const program = `
from langchain_passim import PassimVectorStore
store = PassimVectorStore.from_texts(["The lamp is red."], ids=["lamp"], collection="lamps", url="${server.url}")
store.add_texts(["The lamp is green."], ids=["lamp"])
print(len(store.add_texts(["A screw.", "A nail."], ids=["screw\\u2028", "nail"])))
found = store.similarity_search_with_relevance_scores("Which colour does the lamp have?", k=5)
print([(document.page_content, 0 <= score <= 1) for document, score in found])
`
    expect(await runPython(integration, program)).toMatch(/^2\n\[\('The lamp is green.', True\)/)
  })

  test('texts are read by id, and passages that differ are chosen', async () => {
    const program = `
import time
from langchain_passim import PassimVectorStore
from langchain_passim.vector_store import _diversify
texts = ["The heron fishes at dawn.", "The heron fishes at dawn today.", "A heron nests in tall trees."]
store = PassimVectorStore.from_texts(texts, metadatas=[{"no": 1}, {"no": 2}, {"no": 3}], ids=["a", "b", "c"], collection="birds", url="${server.url}")
print([(text.id, text.page_content, text.metadata["no"]) for text in store.get_by_ids(["c", "nonesuch", "a"])])
print([text.id for text in store.max_marginal_relevance_search("The heron fishes at dawn.", k=2, lambda_mult=1)])
print([text.id for text in store.max_marginal_relevance_search("The heron fishes at dawn.", k=2, lambda_mult=0.2)])
retriever = store.as_retriever(search_type="mmr", search_kwargs={"k": 2, "lambda_mult": 0.2, "filter": "no in 1, 2"})
print([text.id for text in retriever.invoke("The heron fishes at dawn.")])
print(_diversify([1.0, 0.0], [[0.0, 1.0], [1.0, 0.1], [1.0, 0.0]], 3, 0))
store._client.put(store._path("file"), content="<p>A crane &amp; an egret.</p>", headers={"content-type": "text/html"})
store._wait("file", time.monotonic() + 60)
print([text.page_content for text in store.get_by_ids(["file"])])
`
    expect((await runPython(integration, program)).trim().split('\n')).toEqual([
      "[('c', 'A heron nests in tall trees.', 3), ('a', 'The heron fishes at dawn.', 1)]",
      "['a', 'b']",
      "['a', 'c']",
      "['a', 'b']",
      '[2, 0, 1]',
      "['A crane & an egret.']",
    ])
  })

  test('the vector store returns the id and metadata that it was given, and deletes by a filter', async () => {
    const program = `
from langchain_core.documents import Document
from langchain_passim import PassimError, PassimVectorStore
store = PassimVectorStore("ships", url="${server.url}")
ships = [
    Document(id=name, page_content=f"The ship {name} is old.", metadata={"source": f"{name}.pdf", "loc": {"page": 2}, "no": None})
    for name in ["argo", "fram", "vega"]
]
store.add_documents(ships)
found = store.similarity_search("old ship", filter={"type": "eq", "key": "source", "value": "fram.pdf"})
print([(ship.id, ship.metadata["source"], ship.metadata["loc.page"], ship.metadata["char_start"]) for ship in found])
store.delete(filter="source in argo.pdf, fram.pdf")
print([ship.id for ship in store.as_retriever().invoke("old ship")])
try:
    store.add_texts(["good", ""], ids=["a", "b"])
except PassimError as error:
    print(error.code, error)
`
    const lines = (await runPython(integration, program)).trim().split('\n')
    expect(lines.slice(0, 2)).toEqual(["[('fram', 'fram.pdf', 2, 0)]", "['vega']"])
    expect(lines[2]).toMatch(/^\S+ .*text/)
  })

  test('a filter, an asynchronous call and an error', async () => {
    const program = `
import asyncio
from langchain_passim import PassimError, PassimRetriever
only = PassimRetriever(url="${server.url}", collections=["papers"], filter="team=travel", min_confidence=0.01)
print([document.metadata["team"] for document in asyncio.run(only.ainvoke("What do hotels cost?"))])
try:
    PassimRetriever(url="${server.url}", collections=["nonesuch"]).invoke("x")
except PassimError as error:
    print(error.status, error.code, error)
`
    const [found, error] = (await runPython(integration, program)).trim().split('\n')
    expect(found).toBe("['travel']")
    expect(error).toMatch(/^404 \S+ .*nonesuch/)
  })
})

describe('LlamaIndex', () => {
  const integration = 'llama-index'

  test('the retriever of its README finds the passage, and says how likely it is', async () => {
    const [example = ''] = readBlocks(integration)
    const program = example.replace('PassimRetriever(', `PassimRetriever("${server.url}", `)
    expect(await runPython(integration, program)).toMatch(
      /^0\.\d+ id:contract None The notice period/m,
    )
  })

  test('a filter, an asynchronous call and an error', async () => {
    const program = `
import asyncio
from llama_index.retrievers.passim import PassimError, PassimRetriever
only = PassimRetriever("${server.url}", collections=["papers"], filter="team=travel")
print([hit.metadata["team"] for hit in asyncio.run(only.aretrieve("What do hotels cost?"))])
try:
    PassimRetriever("${server.url}", collections=["nonesuch"]).retrieve("x")
except PassimError as error:
    print(error.status, error.code, error)
`
    const [found, error] = (await runPython(integration, program)).trim().split('\n')
    expect(found).toBe("['travel']")
    expect(error).toMatch(/^404 \S+ .*nonesuch/)
  })
})

describe('the vector store of LlamaIndex', () => {
  const integration = 'llama-index'

  test('an index over it, as in its README, adds, finds and deletes', async () => {
    const [, example = ''] = readBlocks(integration)
    const program = example.replace('"tickets"', `"tickets-of-llama", url="${server.url}"`)
    const after = 'print([hit.text for hit in index.as_retriever().retrieve("printer")])'
    const lines = (await runPython(integration, `${program}\n${after}`)).trim().split('\n')
    expect(lines[0]).toMatch(/^0\.\d+ it The printer on floor 2 jams\.$/)
    expect(lines[1]).toBe('[]')
  })

  test('filters, modes, replacement and deletion of nodes', async () => {
    const program = `
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters, VectorStoreQuery, VectorStoreQueryMode
from llama_index.retrievers.passim import PassimError
from llama_index.vector_stores.passim import PassimVectorStore
store = PassimVectorStore("lamps-of-llama", url="${server.url}")

def node(name, text, part_of, **metadata):
    made = TextNode(id_=name, text=text, metadata=metadata)
    made.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=part_of)
    return made

def find(text, mode=VectorStoreQueryMode.DEFAULT, **options):
    result = store.query(VectorStoreQuery(query_str=text, similarity_top_k=9, mode=mode, **options))
    assert len(result.nodes) == len(result.ids) == len(result.similarities)
    return sorted((found.node_id, found.text, found.ref_doc_id, found.metadata["source"]) for found in result.nodes)

print(store.add([node("a", "The lamp is red.", "room", watts=40, source="a.pdf"), node("b", "The lamp is blue.", "room", watts=60, source="b.pdf")]))
store.add([node("a", "The lamp is green.", "hall", watts=40, source="a.pdf", loc={"page": 2}, no=None)])
print(find("lamp"))
bright = MetadataFilters(filters=[MetadataFilter(key="watts", value=50, operator=FilterOperator.GT)])
print(find("lamp", filters=bright), find("lamp", doc_ids=["hall"]), find("lamp", mode=VectorStoreQueryMode.TEXT_SEARCH) == find("lamp"))
store.delete("room")
print([name for name, *_ in find("lamp")])
second = MetadataFilters(filters=[MetadataFilter(key="loc.page", value=2)])
print([found.metadata["loc.page"] for found in store.query(VectorStoreQuery(query_str="lamp", filters=second)).nodes])
store.delete_nodes(["a"])
print(find("lamp"))
try:
    store.add([node("c", "The lamp is old.", "room", watts=[1])])
except PassimError as error:
    print(error.code, error)
`
    const lines = (await runPython(integration, program)).trim().split('\n')
    const green = "('a', 'The lamp is green.', 'hall', 'a.pdf')"
    const blue = "('b', 'The lamp is blue.', 'room', 'b.pdf')"
    expect(lines.slice(0, 6)).toEqual([
      "['a', 'b']",
      `[${green}, ${blue}]`,
      `[${blue}] [${green}] True`,
      "['a']",
      '[2]',
      '[]',
    ])
    expect(lines[6]).toMatch(/^\S+ .*watts/)
  })
})

describe('LangChain for JavaScript', () => {
  const source = path.join(INTEGRATIONS, 'langchain')

  async function runProgram(program: string): Promise<string> {
    const built = path.join(folder, 'node_modules/passim-langchain')
    if (!existsSync(built)) {
      cpSync(path.join(source, 'package.json'), path.join(built, 'package.json'))
      const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
      const options = ['-p', source, '--outDir', path.join(built, 'dist')]
      await run(process.execPath, [compiler, ...options])
    }
    const file = path.join(folder, 'program.mts')
    writeFileSync(file, program)
    return (await run(process.execPath, ['--import', 'tsx', file], { cwd: ROOT })).stdout
  }

  test('the retriever of its README finds the passage', async () => {
    const [example = ''] = readBlocks('langchain')
    const program = example.replace('PassimRetriever({', `PassimRetriever({ url: '${server.url}',`)
    expect(await runProgram(program)).toContain('The notice period is six weeks.')
  })

  test('a filter, and an error', async () => {
    const program = `
import { PassimError, PassimRetriever } from 'passim-langchain'
const url = '${server.url}'
const only = new PassimRetriever({ url, collections: ['papers'], filter: 'team=travel', minConfidence: 0.01 })
console.log((await only.invoke('What do hotels cost?')).map(({ metadata }) => metadata.team).join())
const error = await new PassimRetriever({ url, collections: ['nonesuch'] }).invoke('x').catch(error => error)
console.log(error instanceof PassimError, error.status, error.message)
`
    const [found, error] = (await runProgram(program)).trim().split('\n')
    expect(found).toBe('travel')
    expect(error).toMatch(/^true 404 .*nonesuch/)
  })

  test('the vector store of its README adds, finds and deletes', async () => {
    const [, example = ''] = readBlocks('langchain')
    const program = example.replace("'tickets'", `'tickets-of-chain', url: '${server.url}'`)
    const after = "console.log((await store.similaritySearch('printer')).length)"
    const lines = (await runProgram(`${program}\n${after}`)).trim().split('\n')
    expect(lines).toEqual([expect.stringMatching(/^[\d.]+ ticket-4711 it$/), '0'])
  })

  test('passages that differ are chosen', async () => {
    const program = `
import { PassimVectorStore } from 'passim-langchain'
const store = new PassimVectorStore({ collection: 'birds-of-chain', url: '${server.url}' })
const texts = ['The heron fishes at dawn.', 'The heron fishes at dawn today.', 'A heron nests in tall trees.']
await store.addDocuments(texts.map((pageContent, no) => ({ pageContent, metadata: { no } })), { ids: ['a', 'b', 'c'] })
for (const lambda of [1, 0.2])
  console.log((await store.maxMarginalRelevanceSearch('The heron fishes at dawn.', { k: 2, lambda })).map(({ id }) => id).join())
const retriever = store.asRetriever({ k: 2, searchType: 'mmr', searchKwargs: { lambda: 0.2 }, filter: 'no in 0, 1' })
console.log((await retriever.invoke('The heron fishes at dawn.')).map(({ id }) => id).join())
`
    expect((await runProgram(program)).trim().split('\n')).toEqual(['a,b', 'a,c', 'a,b'])
  })

  test('texts are replaced by id, filtered, retrieved and deleted by a filter', async () => {
    const program = `
import { PassimError, PassimVectorStore } from 'passim-langchain'
const options = { collection: 'ships-of-chain', url: '${server.url}' }
const texts = ['The ship argo is old.', 'The ship fram is old.', 'The ship vega is old.']
const metadatas = ['argo', 'fram', 'vega'].map(name => ({ source: name + '.pdf', loc: { lines: { from: 1 } } }))
const store = await PassimVectorStore.fromTexts(texts, metadatas, undefined, { ...options, ids: ['a', 'f', 'v'] })
const [id] = await store.addDocuments([{ id: 'v', pageContent: 'The ship vega is new.', metadata: metadatas[2] }])
const show = found => found.map(({ id, pageContent, metadata }) => [id, pageContent, metadata.source, metadata['loc.lines.from']].join(':'))
console.log(id, ...show(await store.similaritySearch('ship', 5, { type: 'eq', key: 'source', value: 'vega.pdf' })))
await store.delete({ filter: 'source in argo.pdf, fram.pdf' })
console.log(...show(await store.asRetriever({ k: 5 }).invoke('ship')))
const error = await store.addDocuments([{ pageContent: '', metadata: {} }]).catch(error => error)
console.log(error instanceof PassimError, error.code, error.message)
console.log(await store.similaritySearchVectorWithScore([1], 1).catch(error => error.message))
`
    const lines = (await runProgram(program)).trim().split('\n')
    const vega = 'v:The ship vega is new.:vega.pdf:1'
    expect(lines.slice(0, 2)).toEqual([`v ${vega}`, vega])
    expect(lines[2]).toMatch(/^true \S+ .*text/)
    expect(lines[3]).toContain('Passim embeds texts itself')
  })
})
