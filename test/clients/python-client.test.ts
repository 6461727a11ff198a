import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startServer } from '../server/running.ts'
import { pythonPackages } from './python-packages.ts'

const PACKAGE = fileURLToPath(new URL('../../integrations/python', import.meta.url))
const run = promisify(execFile)

/** Builds the wheel. */
const builder = await pythonPackages(fileURLToPath(new URL('python-client.txt', import.meta.url)))
const reason = 'reason' in builder ? ` (not run: ${builder.reason})` : ''

/** Records the keys of its requests, and redirects them to `target`. */
async function startRedirect(target?: string) {
  const keys: (string | undefined)[] = []
  const server = createServer(({ headers }, response) => {
    keys.push(headers.authorization)
    response.writeHead(target ? 302 : 200, target ? { location: target } : {}).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return { keys, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

describe.skipIf('reason' in builder)(`the client for Python${reason}`, () => {
  let server: Running
  let folder: string
  let python: string

  beforeAll(async () => {
    server = await startServer()
    folder = mkdtempSync(path.join(tmpdir(), 'passim-python-'))
    python = await installWheel()
  }, 240_000)
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Returns the interpreter of an environment that has the wheel and nothing else. */
  async function installWheel(): Promise<string> {
    const env = { ...process.env, ...('env' in builder ? builder.env : {}) }
    const source = path.join(folder, 'source') // building writes beside its source
    cpSync(PACKAGE, source, { recursive: true })
    const wheels = path.join(folder, 'wheels')
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-index']
    const build = ['-m', 'pip', 'wheel', ...quiet, '--no-build-isolation', '--wheel-dir', wheels]
    await run('python3', [...build, source], { env })
    const environment = path.join(folder, 'environment')
    await run('python3', ['-m', 'venv', environment])
    const interpreter = path.join(environment, 'bin/python')
    const wheel = path.join(wheels, readdirSync(wheels)[0]!)
    await run(interpreter, ['-m', 'pip', 'install', ...quiet, wheel])
    return interpreter
  }

  async function runProgram(program: string): Promise<readonly string[]> {
    const { stdout } = await run(python, ['-I', '-c', program])
    return stdout.trimEnd().split('\n')
  }

  const connect = () => `
from passim_client import Client, PassimError
passim = Client("${server.url}")
`

  test('the example of its README uploads, searches, asks, lists and fails', async () => {
    const readme = readFileSync(path.join(PACKAGE, 'README.md'), 'utf8')
    const [, example = ''] = /```python\n(.*?)```/s.exec(readme) ?? []
    const lines = await runProgram(example.replace('http://127.0.0.1:7700', server.url))
    expect(lines[0]).toBe('id:contract.txt The notice period is six weeks.')
    expect(lines.slice(1, -1).join('\n')).toContain('The notice period is six weeks.')
    expect(lines.at(-2)).toBe('contract.txt completed')
    expect(lines.at(-1)).toMatch(/^404 not_found There is no collection none/)
  })

  test('a list is read over its pages, and a filter and a range find parts of it', async () => {
    const lines = await runProgram(`${connect()}
for number in range(5):
    put = passim.post_collections_id_documents(
        "pages", id=f"n-{number}", text=f"Number {number}.", attributes={"even": number % 2 == 0}
    )
for number in range(5):
    passim.wait(passim.get_collections_id_documents_external_id("pages", f"n-{number}")["id"])
listed = passim.iterate(passim.get_collections_id_documents, "pages", limit=2)
print(sorted(one["id"] for one in listed))
print(passim.get_documents(collection="pages", limit=2)["hasMore"])
found = passim.search(query="number", collections=["pages"], filter={"type": "eq", "key": "even", "value": True})
print(len(found["hits"]))
deleted = passim.post_collections_id_documents_delete("pages", ids=["n-0"])
print(sorted(one["id"] for one in passim.iterate(passim.get_collections_id_documents, "pages")))
`)
    expect(lines).toEqual([
      "['n-0', 'n-1', 'n-2', 'n-3', 'n-4']",
      'True',
      '3',
      "['n-1', 'n-2', 'n-3', 'n-4']",
    ])
  })

  test('a document that fails, a wrong field and a service that is away are exceptions', async () => {
    const lines = await runProgram(`${connect()}
put = passim.upload("broken", b"%PDF-1.7 nothing", name="a.pdf", attributes={"team": "hr"})
try:
    passim.wait(put["id"])
except PassimError as error:
    print(error.status, error.code, len(error.message) > 10)
try:
    passim.search(query="x", limit=0)
except PassimError as error:
    print(error.status, error.code, error.param)
try:
    Client("http://127.0.0.1:1").get_collections()
except OSError as error:
    print("away")
try:
    list(Client("http://127.0.0.1:1").ask_events("Who?"))
except OSError as error:
    print("away")
`)
    expect(lines).toEqual(['0 corrupt True', '400 invalid_input limit', 'away', 'away'])
  })

  test('a key is not sent to the host of a redirect', async () => {
    const other = await startRedirect()
    const origin = await startRedirect(other.url)
    const lines = await runProgram(`
from passim_client import Client, PassimError
try:
    Client("${origin.url}", api_key="hunter2").get_collections()
except PassimError as error:
    print(error.status)
`)
    expect(lines).toEqual(['302'])
    expect(origin.keys).toEqual(['Bearer hunter2'])
    expect(other.keys).toEqual([])
    origin.close()
    other.close()
  })

  test('a stream of an answer in a conversation names it, and leaving the loop ends it', async () => {
    const lines = await runProgram(`${connect()}
passim.wait(passim.upload("asked", b"The notice period is six weeks.", id="lamp.txt")["id"])
events = list(passim.ask_events("What is the notice period?", collections=["asked"], conversation="new"))
print(events[0].event, events[-1].event, events[-1].data["answer"].count("six weeks"))
conversation = events[0].data["conversation"]
print(passim.get_conversations_id(conversation)["id"] == conversation)
for event in passim.ask_events("What is the notice period?", collections=["asked"]):
    break
print(passim.ask(question="What is the notice period?", collections=["asked"])["abstained"])
print(passim.download("/api/documents/{id}/file", {"id": passim.get_documents(collection="asked")["documents"][0]["id"]}))
`)
    expect(lines).toEqual(['start answer 1', 'True', 'False', "b'The notice period is six weeks.'"])
  })
})
