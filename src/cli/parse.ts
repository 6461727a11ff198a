import type { Command } from 'commander'
import type { FileParser, ParseOptions } from '../app/indexing/parse-file.ts'
import { toFailure } from '../errors.ts'
import { BLOCK_SEPARATOR, type PlacedBlock } from '../ingest/block.ts'
import type { OcrMode } from '../ingest/parse/parser.ts'
import type { ParsedReport } from '../ingest/store/contents/parsed-writer.ts'
import type { ChunkListJson, ParsedFileJson, UnreadFileJson } from '../wire/document.ts'
import { type AddCommand, createOcrOption, formatExample, getAllOptions } from './command.ts'
import { formatCount, type GlobalOptions, getExitCode, Output } from './output.ts'
import { PageProgress } from './progress.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { createInterruption, openOptions } from './session.ts'

type Options = { readonly password?: string; readonly ocr?: OcrMode; readonly markdown?: boolean }

export const addParse: AddCommand = program => {
  program
    .command('parse')
    .description('show what the parser reads in a file, without a store')
    .argument('<file>')
    .option('--password <password>', 'password of an encrypted file')
    .addOption(createOcrOption())
    .option('--markdown', 'print Markdown')
    .addHelpText(
      'after',
      formatExample('passim parse report.pdf --markdown', 'passim parse report.pdf --json'),
    )
    .action(async (file: string, _options, command: Command) =>
      parse(file, getAllOptions<Options>(command)),
    )
}

export const addChunks: AddCommand = program => {
  program
    .command('chunks')
    .description('show the chunks of a file, without a store')
    .argument('<file>')
    .option('--password <password>', 'password of an encrypted file')
    .addOption(createOcrOption())
    .addHelpText('after', formatExample('passim chunks report.pdf --json'))
    .action(async (file: string, _options, command: Command) =>
      showChunks(file, getAllOptions<Options>(command)),
    )
}

async function parse(file: string, options: Options & GlobalOptions): Promise<void> {
  const output = new Output(options)
  await reportFailure(file, output, signal =>
    withParser(options, ({ parser }) =>
      parser.run(file, parseOptions(options, output, signal), async (report, parsed) => {
        const blocks: PlacedBlock[] = []
        for await (const { lines: _, ...block } of parsed) blocks.push(block)
        for (const warning of report.warnings)
          output.writeMessage(output.sentences.named(file, output.sentences.describe(warning)))
        if (output.isJson) output.writeJsonLine<ParsedFileJson>(toJson(file, report, blocks))
        else output.writeDocumentText(formatText(blocks, options))
      }),
    ),
  )
}

function formatText(blocks: readonly PlacedBlock[], { markdown }: Options): string {
  return `${markdown ? formatMarkdown(blocks) : blocks.map(block => block.text).join(BLOCK_SEPARATOR)}\n`
}

async function withParser<Result>(
  options: GlobalOptions,
  use: (parser: FileParser) => Promise<Result>,
): Promise<Result> {
  const { withFileParser } = await import('../app/indexing/parse-file.ts')
  return await withFileParser(openOptions(options), use)
}

function parseOptions(
  { password, ocr }: Options,
  output: Output,
  signal: AbortSignal,
): ParseOptions {
  const progress = new PageProgress(output)
  return { password, ocr, signal, onPage: (done, total) => progress.show(done, total) }
}

function toJson(
  file: string,
  report: ParsedReport,
  blocks: readonly PlacedBlock[],
): ParsedFileJson {
  const { mediaType, title, metadata, warnings } = report
  const pages = metadata.pages ?? (report.pages.length || null)
  const attachments = report.attachments.map(({ name, bytes }) => ({ name, bytes }))
  return {
    file,
    mediaType,
    title,
    pages,
    metadata,
    warnings,
    attachments,
    report: report.pages,
    blocks,
  }
}

async function showChunks(file: string, options: Options & GlobalOptions): Promise<void> {
  const output = new Output(options)
  await reportFailure(file, output, signal =>
    withParser(options, async ({ parser, chunker }) => {
      const found = await parser.readChunks(
        file,
        await chunker(),
        parseOptions(options, output, signal),
      )
      output.writeResult<ChunkListJson>({ chunks: found }, () =>
        found.map(formatChunk).join('\n\n'),
      )
    }),
  )
}

export function formatChunk(chunk: ChunkListJson['chunks'][number]): string {
  const { id, tokens, context, text, isExcluded, note } = chunk
  const { named, work: words } = getUserSentences()
  const head = words.chunk(id, formatCount(tokens, 'token'), context.replaceAll('\n', ' › '))
  const first = isExcluded ? named(words.switchedOff, head) : head
  return [`--- ${first}`, ...(note ? [named(`--- ${words.note}`, note)] : []), text].join('\n')
}

async function reportFailure(
  file: string,
  output: Output,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    await work(createInterruption())
  } catch (error) {
    const failure = toFailure(error)
    if (!output.isJson || failure.code === 'cancelled') throw error
    process.exitCode = getExitCode(error)
    output.writeJsonLine<UnreadFileJson>({ file, error: failure })
  }
}

function formatMarkdown(blocks: readonly PlacedBlock[]): string {
  return blocks.map(blockMarkdown).join('\n\n')
}

function blockMarkdown({ kind, text, level = 1, rows }: PlacedBlock): string {
  if (kind === 'heading') return `${'#'.repeat(level)} ${text}`
  if (kind === 'list')
    return /^\s*([-*•]|\d+[.)])\s/.test(text) ? text : text.replace(/^\s*/, '$&- ')
  if (kind === 'code') return `\`\`\`\n${text}\n\`\`\``
  if (kind === 'caption') return `*${text}*`
  if (kind === 'table' && rows) return formatTable(rows)
  return text
}

function formatTable([header = [], ...body]: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
  return [formatLine(header), formatLine(header.map(() => '---')), ...body.map(formatLine)].join(
    '\n',
  )
}
