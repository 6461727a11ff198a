import { readFile, stat } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import { decode } from '../../detection/charset.ts'
import {
  createDamagedError,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { readHtmlBlocks } from '../html/blocks.ts'
import { parseDom } from '../html/dom.ts'
import { readMarkdownText } from '../markdown/markdown.ts'

/** Protects memory, which holds a notebook several times. */
const MAX_BYTES = 50 * 1024 * 1024
const MAX_BLOCK_CHARS = 8_000
/** More output of one cell is a log or a dump. */
const MAX_OUTPUT_CHARS = 100_000

const TEXT = z.union([z.string(), z.array(z.string()).transform(lines => lines.join(''))])
const OUTPUT = z.looseObject({
  output_type: z.string().optional(),
  text: TEXT.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: TEXT.optional(),
})
const CELL = z.looseObject({
  cell_type: z.string(),
  source: TEXT.optional(),
  input: TEXT.optional(),
  level: z.number().optional(),
  outputs: z.array(OUTPUT).optional(),
  attachments: z.record(z.string(), z.unknown()).optional(),
})
type Cell = z.infer<typeof CELL>
const NOTEBOOK = z.looseObject({
  cells: z.array(z.unknown()).optional(),
  worksheets: z.array(z.looseObject({ cells: z.array(z.unknown()) })).optional(),
  metadata: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      authors: z
        .array(z.looseObject({ name: z.string() }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})
type Output = z.infer<typeof OUTPUT>

export const ipynbParser: Parser = {
  id: 'ipynb@3',
  mediaTypes: ['application/x-ipynb+json'],
  parse: parseNotebook,
}

async function* parseNotebook(
  input: ParserInput,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const notebook = await readNotebook(input, signal)
  const cells = notebook.cells ?? notebook.worksheets?.flatMap(sheet => sheet.cells) ?? []
  const skipped = new SkippedText()
  let title = notebook.metadata?.title
  if (title) yield { type: 'metadata', metadata: { title } }
  const authors = notebook.metadata?.authors?.map(({ name }) => name).join(', ')
  if (authors) yield { type: 'metadata', metadata: { author: authors } }
  for await (const event of toBlockEvents(readCells(cells, skipped), input.name, signal)) {
    if (!title && event.type === 'block' && event.block.kind === 'heading') {
      title = event.block.text
      yield { type: 'metadata', metadata: { title } }
    }
    yield event
  }
  yield* skipped.listWarnings()
}

async function readNotebook(
  { path, name }: ParserInput,
  signal?: AbortSignal,
): Promise<z.infer<typeof NOTEBOOK>> {
  const { size } = await stat(path)
  if (size === 0) throw new AppError('empty', localizable`${name} is empty: it has no bytes.`)
  if (size > MAX_BYTES) {
    throw new AppError(
      'too_large',
      localizable`${name} has ${size} bytes; a notebook may have ${MAX_BYTES}. Clear its outputs.`,
    )
  }
  try {
    return NOTEBOOK.parse(JSON.parse(decode(await readFile(path, { signal })).text))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw createDamagedError(name, 'it is not a notebook', error)
    throw error
  }
}

async function* readCells(cells: readonly unknown[], skipped: SkippedText): AsyncGenerator<Block> {
  for (const stored of cells) {
    const cell = CELL.safeParse(stored)
    if (cell.success) yield* readCell(cell.data, skipped)
    else skipped.add('unreadable cells')
  }
}

async function* readCell(cell: Cell, skipped: SkippedText): AsyncGenerator<Block> {
  const source = cell.source ?? cell.input ?? ''
  skipped.add('pictures', Object.keys(cell.attachments ?? {}).length)
  if (cell.cell_type === 'code') {
    yield* splitCode(source)
    yield* readOutputs(cell.outputs ?? [], skipped)
  } else if (cell.cell_type === 'heading') {
    const level = Math.min(6, Math.max(1, cell.level ?? 1))
    if (source.trim()) yield { kind: 'heading', level, text: source.replace(/\s+/g, ' ').trim() }
  } else if (cell.cell_type === 'markdown') yield* readMarkdownText(source)
  else yield* splitCode(source)
}

async function* readOutputs(
  outputs: readonly Output[],
  skipped: SkippedText,
): AsyncGenerator<Block> {
  let characters = 0
  for (const output of outputs) {
    for await (const block of readOutput(output, skipped)) {
      characters += block.text.length
      if (characters <= MAX_OUTPUT_CHARS) yield block
      else skipped.add('long outputs')
    }
  }
}

async function* readOutput(output: Output, skipped: SkippedText): AsyncGenerator<Block> {
  if (output.ename !== undefined)
    return yield* splitCode(`${output.ename}: ${stripVTControlCharacters(output.evalue ?? '')}`)
  if (output.traceback !== undefined)
    return yield* splitCode(stripVTControlCharacters(output.traceback))
  if (output.text !== undefined) return yield* splitCode(stripVTControlCharacters(output.text))
  const data = output.data ?? {}
  const find = (type: string) => TEXT.safeParse(data[type]).data
  const html = find('text/html')
  const markdown = find('text/markdown')
  const plain = find('text/plain')
  const latex = find('text/latex')
  const hasPicture = Object.keys(data).some(type => type.startsWith('image/'))
  if (hasPicture) skipped.add('pictures')
  if (html?.includes('<table')) yield* readHtmlBlocks(await parseDom(html), skipped)
  else if (markdown !== undefined) yield* readMarkdownText(markdown)
  else if (plain !== undefined) yield* hasPicture ? [] : splitCode(stripVTControlCharacters(plain))
  else if (html !== undefined) yield* readHtmlBlocks(await parseDom(html), skipped)
  else if (latex !== undefined) yield* splitCode(latex)
  else if (Object.keys(data).length > 0 && !hasPicture) skipped.add('unreadable cells')
}

function* splitCode(source: string): Iterable<Block> {
  let part = ''
  for (const line of source.split(/\r?\n/)) {
    for (let start = 0; start === 0 || start < line.length; start += MAX_BLOCK_CHARS) {
      const piece = line.slice(start, start + MAX_BLOCK_CHARS)
      if (part.length + piece.length > MAX_BLOCK_CHARS) {
        yield* emitCode(part)
        part = ''
      }
      part += `${piece}\n`
    }
  }
  yield* emitCode(part)
}

function* emitCode(text: string): Iterable<Block> {
  const trimmed = text.replace(/^(?:[^\S\n]*\n)+|\s+$/g, '')
  if (trimmed) yield { kind: 'code', text: trimmed }
}
