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
found = store.similarity_search_with_relevance_scores("Which colour does the lamp have?", k=5)
print([(document.page_content, 0 <= score <= 1) for document, score in found])
`
    expect(await runPython(integration, program)).toBe("[('The lamp is green.', True)]\n")
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
})
