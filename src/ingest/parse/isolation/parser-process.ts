import { Worker } from 'node:worker_threads'
import { localizable, packMessages } from '../../../errors/localizable.ts'
import { AppError, toFailure } from '../../../errors.ts'
import { prepareChild } from '../../../system/child.ts'
import { readResidentBytes } from '../../../system/living-process.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { readablePageParser } from '../parsers/html/readable-page.ts'
import { pagePictureParser } from '../parsers/page-picture.ts'
import { TextBound } from '../text-bound.ts'
import { MAX_UNACKNOWLEDGED, type ParserMessage, type ParserRequest } from './parser-messages.ts'

/** Per batch, so that two take little memory and messages little time. */
const BATCH_BYTES = 128 * 1024

/** Weight of an event, line or cell besides text, so that many empty ones are bounded too. */
const OVERHEAD_BYTES = 100

const REPORT_USE_MS = 200

/** Waits while too many batches are under way. */
class Outbox {
  #events: ParserEvent[] = []
  #bytes = 0
  #unacknowledged = 0
  #wake = () => {}

  /** Sends OCR events at once, because OCR is timed by the page. */
  async add(event: ParserEvent): Promise<void> {
    this.#events.push(
      event.type === 'warning' ? { ...event, warning: packMessages(event.warning) } : event,
    )
    this.#bytes += weigh(event)
    if (this.#bytes >= BATCH_BYTES || event.type === 'ocr') await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#events.length === 0) return
    await this.#send('events')
  }

  async end(): Promise<void> {
    await this.#send('done')
  }

  async #send(type: 'events' | 'done'): Promise<void> {
    while (this.#unacknowledged >= MAX_UNACKNOWLEDGED)
      await new Promise<void>(resolve => (this.#wake = resolve))
    send({ type, events: this.#events, bytes: this.#bytes })
    this.#unacknowledged++
    this.#events = []
    this.#bytes = 0
  }

  acknowledge(): void {
    this.#unacknowledged--
    this.#wake()
  }
}

function weigh(event: ParserEvent): number {
  if (event.type !== 'block') return OVERHEAD_BYTES
  const { text, lines = [], rows = [] } = event.block
  const cells = rows.reduce((sum, row) => sum + row.length, 0)
  const tableBytes = cells > 0 ? 2 * text.length : 0 // a table's text is stored twice, once in its cells
  return OVERHEAD_BYTES * (1 + lines.length) + 2 * text.length + tableBytes + 16 * cells
}

function send(message: ParserMessage): void {
  process.send?.(message)
}

async function parse(parser: Parser, input: ParserInput, outbox: Outbox): Promise<void> {
  const bound = new TextBound(input)
  for await (const event of parser.parse({ ...input, countBytes: bound.countBytes })) {
    if (event.type !== 'block') await outbox.add(event)
    else for (const block of bound.take(event.block)) await outbox.add({ type: 'block', block })
  }
}

function asTooLarge(error: unknown, name: string): unknown {
  if (!(error instanceof RangeError) || !/string length/i.test(error.message)) return error
  return new AppError(
    'too_large',
    localizable`Refused ${name}: it contains a text that is too long to be held in memory.`,
    {
      cause: error,
    },
  )
}

async function serve(
  parsers: readonly Parser[],
  request: { parserId: string; input: ParserInput },
  outbox: Outbox,
) {
  try {
    const parser = parsers.find(candidate => candidate.id === request.parserId)
    if (!parser)
      throw new AppError(
        'internal',
        localizable`The parser process has no parser ${request.parserId}.`,
      )
    await parse(parser, request.input, outbox)
    await outbox.end()
  } catch (error) {
    await outbox.flush()
    send({
      type: 'failed',
      failure: packMessages(toFailure(asTooLarge(error, request.input.name))),
      stack: error instanceof Error ? (error.stack ?? '') : '',
    })
  }
}

function listen(parsers: readonly Parser[]): void {
  let outbox = new Outbox()
  process.on('message', (request: ParserRequest) => {
    if (request.type === 'acknowledge') return outbox.acknowledge()
    outbox = new Outbox()
    void serve(parsers, request, outbox)
  })
}

function reportUse(): void {
  if (readResidentBytes(process.pid) !== undefined) return // the parent looks itself, which no busy loop can prevent
  setInterval(() => {
    const { user, system } = process.cpuUsage() // microseconds
    send({
      type: 'use',
      memoryBytes: process.memoryUsage.rss(),
      processorMs: (user + system) / 1000,
    })
  }, REPORT_USE_MS)
}

/** Watches from another thread, because a file may block this one. */
function exitWithParent(parent: number): void {
  const program = `setInterval(() => process.ppid === ${parent} || process.kill(process.pid, 'SIGKILL'), 1000)`
  new Worker(program, { eval: true, execArgv: [] }).unref()
}

async function loadParsers(moduleUrl: string | undefined): Promise<readonly Parser[]> {
  const module: { builtinParsers: readonly Parser[] } = await (moduleUrl
    ? import(moduleUrl)
    : import('../parsers/index.ts'))
  return [...module.builtinParsers, pagePictureParser, readablePageParser]
}

const [, , parent, moduleUrl] = process.argv
prepareChild()
exitWithParent(Number(parent))
reportUse()
listen(await loadParsers(moduleUrl))
send({ type: 'ready' })
