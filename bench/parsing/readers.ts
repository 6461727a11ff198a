import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { type FileParser, withFileParser } from '../../src/app/indexing/parse-file.ts'
import { setting } from '../peers/settings.ts'
import type { ReadFile } from './facts.ts'

type ReaderOptions = {
  readonly home: string
  /** The file with the settings of Passim that stand behind `@` in the reader's name. */
  readonly configFile?: string
  readonly signal: AbortSignal
}

type Reader = (files: readonly string[], options: ReaderOptions) => Promise<readonly ReadFile[]>

/** Nothing was read, and that was said. */
const REFUSED: ReadFile = { pages: [], tables: [], isToldIncomplete: true }

/** By the names that the command line gives them. */
const READERS: Readonly<Record<string, Reader>> = {
  passim: async (files, { signal, ...options }) =>
    await withFileParser(options, async ({ parser }) => {
      const read: ReadFile[] = []
      for (const file of files) read.push(await byPassim(parser, file, signal))
      return read
    }),
  'qwen-agent': async (files, { signal }) => {
    const program = fileURLToPath(new URL('qwen-agent-documents.py', import.meta.url))
    const options = { signal, maxBuffer: 2 ** 28 }
    const { stdout } = await promisify(execFile)(
      setting('PROOF_QWEN_PYTHON'),
      [program, ...files],
      options,
    )
    return stdout.trim().split('\n').map(byQwenAgent)
  },
}

/** `NAME`, or `passim@FILE` with the settings of that file. */
export async function readBy(
  name: string,
  files: readonly string[],
  home: string,
  signal: AbortSignal,
) {
  const [base = '', configFile] = name.split('@')
  const reader = READERS[base]
  if (!reader)
    throw new Error(`No reader is called ${name}. There are: ${Object.keys(READERS).join(', ')}.`)
  return await reader(files, {
    home,
    signal,
    ...(configFile && { configFile: path.resolve(configFile) }),
  })
}

async function byPassim(
  parser: FileParser['parser'],
  file: string,
  signal: AbortSignal,
): Promise<ReadFile> {
  const read = parser.run(file, { signal }, async ({ warnings }, blocks) => {
    const pages: { page?: number; text: string }[] = []
    const tables: (readonly (readonly string[])[])[] = []
    for await (const { page, text, rows } of blocks) {
      pages.push({ text, ...(page !== undefined && { page }) })
      if (rows) tables.push(rows)
    }
    return { pages, tables, isToldIncomplete: warnings.length > 0 }
  })
  return await read.catch((error: unknown) => {
    signal.throwIfAborted()
    console.error(
      `Passim does not read ${file}: ${error instanceof Error ? error.message : String(error)}`,
    )
    return REFUSED
  })
}

const PAGES = z.object({
  pages: z
    .array(z.object({ page: z.number(), texts: z.array(z.string()), tables: z.array(z.string()) }))
    .optional(),
  error: z.string().optional(),
})

function byQwenAgent(line: string): ReadFile {
  const { pages } = PAGES.parse(JSON.parse(line))
  if (!pages) return REFUSED
  const tables = pages.flatMap(page => page.tables.map(rowsOf))
  return {
    pages: pages.map(({ page, texts, tables }) => ({
      page,
      text: [...texts, ...tables].join('\n'),
    })),
    tables,
    isToldIncomplete: false,
  }
}

/** Its tables are lines of cells between bars. */
const rowsOf = (table: string): string[][] =>
  table
    .split('\n')
    .filter(line => line.includes('|') && !/^[\s|:-]+$/.test(line))
    .map(line =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map(cell => cell.trim()),
    )
