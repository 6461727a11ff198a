import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import {
  ParserProcesses,
  type ParserProcessesOptions,
} from '../../../../src/ingest/parse/isolation/parser-processes.ts'
import { procUse } from '../../../../src/ingest/parse/isolation/processor-use.ts'
import type { Parser, ParserEvent } from '../../../../src/ingest/parse/parser.ts'
import { readResidentBytes } from '../../../../src/system/living-process.ts'
import { builtModule } from '../../../fakes/built-module.ts'
import { builtinParsers } from '../../../fakes/hostile-parsers.ts'

const moduleUrl = await builtModule(new URL('../../../fakes/hostile-parsers.ts', import.meta.url))

/** How long a process may take to end on a busy machine. */
const SOON = { timeout: 60_000 }

const opened: ParserProcesses[] = []

function open(options: ParserProcessesOptions = {}): ParserProcesses {
  const processes = new ParserProcesses({ moduleUrl, ...options })
  opened.push(processes)
  return processes
}

function named(name: string): Parser {
  return builtinParsers.find(({ id }) => id === `${name}@1`)!
}

function parse(
  processes: ParserProcesses,
  name: string,
  signal?: AbortSignal,
  path = '/none',
): AsyncIterable<ParserEvent> {
  return processes
    .isolate(named(name))
    .parse({ path, name: 'file.x', mediaType: `test/${name}` }, signal)
}

async function read(
  processes: ParserProcesses,
  name: string,
  signal?: AbortSignal,
): Promise<readonly ParserEvent[]> {
  return collect(parse(processes, name, signal))
}

async function textOf(processes: ParserProcesses, name: string): Promise<string> {
  return (await read(processes, name))
    .map(event => (event.type === 'block' ? event.block.text : ''))
    .join('\n')
}

async function collect(stream: AsyncIterable<ParserEvent>): Promise<readonly ParserEvent[]> {
  const events: ParserEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** A process that is dead but not yet reaped has no memory. */
const isRunning = (id: number) => readResidentBytes(id) !== undefined

/** Until a process that starts has loaded what it needs; where the system does not tell, at once. */
async function restOf(id: number): Promise<void> {
  for (let since = 0; since < 10; since = procUse.isRunnable(id) ? 0 : since + 1)
    await setTimeout(100)
}

async function checkFailure(
  name: string,
  options: ParserProcessesOptions,
  code: string,
  ...words: readonly string[]
) {
  const processes = open({ processes: 1, ...options })
  await textOf(processes, 'name')
  const [before] = processes.processIds
  const failure = await read(processes, name).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'AppError', code })
  for (const word of words) expect((failure as Error).message).toContain(word) // just seen to be an error
  expect(await textOf(processes, 'name')).toBe('file.x')
  await expect.poll(() => processes.processIds, SOON).not.toContain(before) // a killed one is listed until it is gone
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map(processes => processes.close()))
})

test('an isolated parser has the id and media types of the parser it isolates', () => {
  const { id, mediaTypes } = open().isolate(named('name'))
  expect({ id, mediaTypes }).toEqual({ id: 'name@1', mediaTypes: ['test/name'] })
})

test('every kind of event arrives as it was told', async () => {
  const direct = await collect(named('everything').parse({ path: '', name: '', mediaType: '' }))
  expect(await read(open(), 'everything')).toEqual(direct)
})

test('ten thousand blocks arrive in order', async () => {
  const expected = Array.from({ length: 10_000 }, (_, at) => `block ${at}`).join('\n')
  expect(await textOf(open(), 'many')).toBe(expected)
})

test('no process runs before the first file, and one serves file after file', async () => {
  const processes = open()
  expect(processes.processIds).toEqual([])
  const ids = [await textOf(processes, 'process-id'), await textOf(processes, 'process-id')]
  expect(new Set(ids)).toEqual(new Set(processes.processIds.map(String)))
})

test('a process that was started before there is a file reads the first one', async () => {
  const processes = open()
  processes.warm()
  processes.warm()
  const started = processes.processIds
  expect(started).toHaveLength(1)
  expect(await textOf(processes, 'name')).toBe('file.x')
  expect(processes.processIds).toEqual(started)
})
test('a file that hangs one that has waited for it is a timeout', async () => {
  const processes = open({ processes: 1, timeMs: 300 })
  processes.warm()
  await restOf(processes.processIds[0]!)
  await expect(read(processes, 'hang')).rejects.toMatchObject({ code: 'timeout' })
})
test('files beyond the number of processes wait for a free one', async () => {
  const processes = open({ processes: 2 })
  const ids = await Promise.all(Array.from({ length: 8 }, () => textOf(processes, 'process-id')))
  expect(new Set(ids).size).toBeLessThanOrEqual(2)
  expect(processes.processIds.length).toBeLessThanOrEqual(2)
})

test('a row of short files is read by as many processes as there may be', async () => {
  const processes = open({ processes: 3 })
  await textOf(processes, 'name')
  const ids = new Set<string>()
  const short = async () => ids.add(await textOf(processes, 'short'))
  const row = async () =>
    expect((await Promise.all(Array.from({ length: 12 }, short)))[0]?.size).toBe(3)
  await vi.waitFor(row, { timeout: 20_000 }) // none is started beside one that gets no processor now
})

test('while the first process starts no other is started, however long that takes', async () => {
  const endless = await builtModule(new URL('../../../fakes/endless-start.ts', import.meta.url))
  const processes = open({ processes: 3, moduleUrl: endless })
  const reading = Array.from({ length: 4 }, () =>
    textOf(processes, 'name').catch((error: unknown) => error),
  )
  await setTimeout(2_500)
  expect(processes.processIds).toHaveLength(1)
  await processes.close()
  expect(await Promise.all(reading)).toMatchObject(Array(4).fill({ code: 'cancelled' }))
})

test('a file that takes longer has the next one read beside it', async () => {
  const processes = open({ processes: 2 })
  const reading = parse(processes, 'endless')[Symbol.asyncIterator]()
  await reading.next()
  expect(await textOf(processes, 'name')).toBe('file.x')
  expect(processes.processIds).toHaveLength(2)
})

test('a parser sees no environment and cannot write to our terminal', async () => {
  expect(JSON.parse(await textOf(open(), 'surroundings'))).not.toContain('PATH')
})

test('an AppError arrives with its code and message', () =>
  checkFailure('app-error', {}, 'encrypted', 'file.x needs a password.'))
test('a bug in a parser is internal and names the document', () =>
  checkFailure('type-error', {}, 'internal', 'file.x', 'undefined'))
test('a file that hangs its parser is a timeout', () =>
  checkFailure('hang', { timeMs: 500 }, 'timeout', 'file.x', 'parsing.timeMs'))
test('a file that waits for ever is a timeout', () =>
  checkFailure(
    'sleep',
    { timeMs: 100 },
    'timeout',
    'file.x',
    'stood still for 0.1 s',
    'parsing.timeMs',
  ))
test('a file is not late because its process gets no processor', async () => {
  const processes = open({ processes: 1, timeMs: 400 })
  const reading = parse(processes, 'work')[Symbol.asyncIterator]()
  await reading.next()
  process.kill(processes.processIds[0]!, 'SIGSTOP')
  await setTimeout(800)
  process.kill(processes.processIds[0]!, 'SIGCONT')
  expect(await reading.next()).toMatchObject({ value: { block: { text: 'done' } } })
})
test('a large file may take longer', async () => {
  const file = fileURLToPath(import.meta.url)
  const processes = open({ timeMs: 100, timePerMebibyteMs: 50 * 1024 }) // 50 ms for each KiB
  const seconds = Math.round(1 + (statSync(file).size / 1024) * 0.5) / 10
  const failed = expect(collect(parse(processes, 'hang', undefined, file))).rejects
  await failed.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining(`took longer than ${seconds} s`),
  })
})
test('a file that eats memory is too_large', () =>
  checkFailure(
    'eat-memory',
    { memoryBytes: 300 * 2 ** 20 },
    'too_large',
    'file.x',
    '300 MiB of memory',
    'parsing.memoryBytes',
  ))
test('a file that exhausts the heap at once is too_large', () =>
  checkFailure(
    'eat-heap',
    { memoryBytes: 200 * 2 ** 20 },
    'too_large',
    'file.x',
    'parsing.memoryBytes',
  ))
test('a file without end is too_large', () =>
  checkFailure(
    'endless',
    { outputBytes: 2 ** 20 },
    'too_large',
    'file.x',
    '1 MiB of text',
    'parsing.outputBytes',
  ))
test('a process that exits by itself means a corrupt file', () =>
  checkFailure('exit', {}, 'corrupt', 'file.x', 'exit code 3'))
test('a process that crashes means a corrupt file', () =>
  checkFailure('crash', {}, 'corrupt', 'file.x', 'SIGSEGV'))
test('an error nobody waits for ends the process and keeps its words', () =>
  checkFailure('late-error', {}, 'corrupt', 'file.x', 'exit code 1'))

test('what a parser told before it failed arrives first', async () => {
  const events: ParserEvent[] = []
  const reading = (async () => {
    for await (const event of parse(open(), 'app-error')) events.push(event)
  })()
  await expect(reading).rejects.toMatchObject({ code: 'encrypted' })
  expect(events).toHaveLength(1)
})

test('one poisoned file among good ones stops only itself', async () => {
  const processes = open({ processes: 2, timeMs: 3_000 })
  const names = ['name', 'crash', 'many', 'exit', 'name', 'hang', 'many', 'type-error', 'name']
  const results = await Promise.allSettled(names.map(name => textOf(processes, name)))
  const failed = names.filter((_, at) => results[at]!.status === 'rejected')
  expect(failed).toEqual(['crash', 'exit', 'hang', 'type-error'])
})

test('a process killed from outside in the middle of a file fails that file only', async () => {
  const processes = open({ processes: 1 })
  const reading = (async () => {
    for await (const _ of parse(processes, 'endless'))
      process.kill(processes.processIds[0]!, 'SIGKILL')
  })()
  await expect(reading).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('SIGKILL'),
  })
  expect(await textOf(processes, 'name')).toBe('file.x')
})

test('a process that cannot start is internal and says why', async () => {
  const failure = await read(open({ moduleUrl: 'file:///nowhere.js' }), 'name').catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ code: 'internal', cause: expect.stringContaining('nowhere.js') })
})

test('an abort ends the file with its reason and the process with it', async () => {
  const processes = open({ processes: 1 })
  const controller = new AbortController()
  const reason = new Error('enough')
  const reading = (async () => {
    for await (const _ of parse(processes, 'endless', controller.signal)) controller.abort(reason)
  })()
  await expect(reading).rejects.toBe(reason)
  await expect.poll(() => processes.processIds, SOON).toEqual([])
})

test('a file that waits for a process can be aborted', async () => {
  const processes = open({ processes: 1 })
  const controller = new AbortController()
  const first = parse(processes, 'endless')[Symbol.asyncIterator]()
  await first.next()
  const second = read(processes, 'name', controller.signal)
  controller.abort(new Error('enough'))
  await expect(second).rejects.toThrow('enough')
})

test('leaving early stops the process, and the next file gets a new one', async () => {
  const processes = open({ processes: 1 })
  let left: readonly number[] = []
  for await (const _ of parse(processes, 'endless')) {
    left = processes.processIds
    break
  }
  expect(await textOf(processes, 'name')).toBe('file.x')
  expect(left.filter(isRunning)).toEqual([])
})

test('a consumer that stops reading stops the parser', async () => {
  const processes = open({ processes: 1, outputBytes: 4 * 2 ** 20, timeMs: 800 })
  const reading = parse(processes, 'endless')[Symbol.asyncIterator]()
  await reading.next()
  await setTimeout(1_500)
  expect(await reading.next()).toMatchObject({ done: false }) // neither over the output limit nor out of time
})

test('a process is replaced after so many files', async () => {
  const processes = open({ processes: 1, maxFiles: 2 })
  const ids: string[] = []
  for (let file = 0; file < 4; file++) ids.push(await textOf(processes, 'process-id'))
  expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]])
  expect(ids[0]).not.toBe(ids[2])
})

test('a process that keeps much memory after a file is replaced', async () => {
  const processes = open({ processes: 1, maxIdleBytes: 1 })
  expect(await textOf(processes, 'keep-memory')).not.toBe(await textOf(processes, 'process-id'))
})

test('idle processes are released', async () => {
  const processes = open({ idleMs: 1 })
  await textOf(processes, 'name')
  await expect.poll(() => processes.processIds, SOON).toEqual([])
})

test('closing cancels what is being read and leaves no process', async () => {
  const processes = open({ processes: 2 })
  const reading = Promise.allSettled(['hang', 'hang', 'name'].map(name => read(processes, name)))
  await expect.poll(() => processes.processIds, SOON).toHaveLength(2)
  const ids = processes.processIds
  await processes.close()
  expect(ids.filter(isRunning)).toEqual([])
  const results = await reading
  expect(results.map(result => result.status === 'rejected' && result.reason.code)).toEqual(
    Array(3).fill('cancelled'),
  )
  await expect(read(processes, 'name')).rejects.toMatchObject({ code: 'cancelled' })
})

const run = promisify(execFile)
const program = (body: string) => `
  const { ParserProcesses } = await import(${JSON.stringify(new URL('../../../../src/ingest/parse/isolation/parser-processes.ts', import.meta.url).href)})
  const processes = new ParserProcesses({ moduleUrl: ${JSON.stringify(moduleUrl)}, processes: 1 })
  const isolated = name => processes.isolate({ id: name + '@1', mediaTypes: [] })
  const input = { path: '/none', name: 'file.x', mediaType: '' }
  ${body}`
const nodeWith = (body: string) =>
  run(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program(body)])

test('idle processes do not keep a program alive', async () => {
  const { stdout } = await nodeWith(
    `for await (const event of isolated('process-id').parse(input)) console.log(event.block.text)`,
  )
  await expect.poll(() => isRunning(Number(stdout)), SOON).toBe(false)
})

test('a process that hangs dies when its parent is killed', async () => {
  const killed = nodeWith(`
    for await (const _ of isolated('process-id').parse(input)) console.log(processes.processIds[0])
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 30)
    for await (const _ of isolated('hang').parse(input));`)
  const { stdout } = await killed.catch((error: { stdout: string }) => error)
  expect(Number(stdout)).toBeGreaterThan(0)
  await expect.poll(() => isRunning(Number(stdout)), SOON).toBe(false)
})

test('all processes together keep to one budget of memory; what has to make room is read again, and told once', async () => {
  const processes = open({
    processes: 4,
    memoryBytes: 600 * 2 ** 20,
    totalMemoryBytes: 800 * 2 ** 20,
  })
  let peak = 0
  const looking = setInterval(() => {
    const resident = processes.processIds.map(id => readResidentBytes(id) ?? 0)
    peak = Math.max(
      peak,
      resident.reduce((sum, bytes) => sum + bytes, 0),
    )
  }, 20)
  const texts = await Promise.all(Array.from({ length: 4 }, () => textOf(processes, 'grow')))
  clearInterval(looking)
  expect(texts).toEqual(Array.from({ length: 4 }, () => 'before\n10 held'))
  expect(peak).toBeLessThan(950 * 2 ** 20)
})
