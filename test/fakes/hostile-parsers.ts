import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../src/errors.ts'
import type { Parser, ParserEvent, ParserInput } from '../../src/ingest/parse/parser.ts'

/** Parsers for a parser process, good and bad: what a hostile file can make a parser do. */
export const builtinParsers: readonly Parser[] = [
  parser('name', async function* ({ name }) {
    yield block(name)
  }),
  parser('process-id', async function* () {
    yield block(String(process.pid))
  }),
  parser('short', async function* () {
    await setTimeout(100)
    yield block(String(process.pid))
  }),
  parser('surroundings', async function* () {
    console.log('noise')
    console.error('noise')
    yield block(JSON.stringify(Object.keys(process.env)))
  }),
  parser('many', async function* () {
    for (let at = 0; at < 10_000; at++) yield block(`block ${at}`)
  }),
  parser('everything', async function* () {
    yield { type: 'metadata', metadata: { title: 'T', pages: 1 } }
    yield { type: 'page', report: { page: 1, characters: 3, images: 0, garbled: 0 } }
    yield { type: 'warning', warning: { code: 'w', message: 'a warning', page: 1 } }
    const lines = [{ start: 0, end: 3, box: [0, 1, 2, 3] as const }]
    yield {
      type: 'block',
      block: {
        kind: 'table',
        text: 'a | b',
        rows: [['a', 'b']],
        page: 1,
        box: [0, 1, 2, 3],
        lines,
      },
    }
  }),
  parser('grow', async function* () {
    yield block('before')
    const held: Buffer[] = []
    for (let at = 0; at < 10; at++) {
      held.push(Buffer.alloc(25 * 2 ** 20, 1))
      await setTimeout(100)
    }
    yield block(`${held.length} held`)
  }),
  parser('endless', async function* () {
    for (;;) yield block('x'.repeat(10_000))
  }),
  parser('hang', async function* () {
    yield block('before')
    for (;;);
  }),
  parser('sleep', () =>
    failing(async () => {
      await setTimeout(2 ** 30)
    }),
  ),
  parser('work', async function* () {
    yield block('x'.repeat(100_000)) // a whole batch, which is sent at once
    const end = usedMicroseconds() + 150_000
    while (usedMicroseconds() < end);
    yield block('done')
  }),
  parser('eat-memory', () =>
    failing(async () => {
      const eaten: Buffer[] = []
      for (;;) eaten.push(Buffer.alloc(16 * 2 ** 20, 1))
    }),
  ),
  parser('eat-heap', () =>
    failing(async () => {
      const eaten: string[][] = []
      for (;;) eaten.push(Array.from({ length: 1000 }, (_, at) => `${at} ${eaten.length}`))
    }),
  ),
  parser('keep-memory', async function* () {
    kept.push(Buffer.alloc(64 * 2 ** 20, 1))
    yield block(String(process.pid))
  }),
  parser('exit', () =>
    failing(async () => {
      process.exit(3)
    }),
  ),
  parser('crash', async function* () {
    yield block('before')
    process.kill(process.pid, 'SIGSEGV')
    for (;;);
  }),
  parser('app-error', async function* ({ name }) {
    yield block('before')
    throw new AppError('encrypted', `${name} needs a password.`)
  }),
  parser('type-error', () =>
    failing(async () => {
      ;(undefined as unknown as { text: string }).text.trim() // what a bug in a parser looks like
    }),
  ),
  parser('late-error', () =>
    failing(async () => {
      void Promise.reject(new Error('nobody waits for this'))
      await setTimeout(60_000)
    }),
  ),
]

/** Of the processors, by this process. */
function usedMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

const kept: Buffer[] = []

function parser(name: string, parse: (input: ParserInput) => AsyncIterable<ParserEvent>): Parser {
  return {
    id: `${name}@1`,
    mediaTypes: [`test/${name}`],
    parse(input) {
      input.countBytes?.(Number.MAX_SAFE_INTEGER) // what they give is in no file
      return parse(input)
    },
  }
}

/** A parser that never comes to its first event. */
async function* failing(work: () => Promise<void>): AsyncGenerator<ParserEvent> {
  await work()
  yield block('never')
}

function block(text: string): ParserEvent {
  return { type: 'block', block: { kind: 'paragraph', text } }
}
