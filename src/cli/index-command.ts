import { setFlagsFromString } from 'node:v8'
import { type Command, InvalidArgumentError } from 'commander'
import type { IndexOptions } from '../app/indexing/index-documents.ts'
import type { Passim } from '../app/passim.ts'
import type { SourceStatus } from '../app/sources/sources.ts'
import { AppError, toAppError } from '../errors.ts'
import type { OcrMode } from '../ingest/parse/parser.ts'
import { isAboutSkippedText, sumSkippedText } from '../ingest/parse/skipped-text.ts'
import type { IndexResult } from '../wire/indexing.ts'
import { writeTimes } from '../wire/schema.ts'
import type { RemovedSourceJson, SourceListJson } from '../wire/source.ts'
import {
  type AddCommand,
  collectValues,
  createOcrOption,
  formatExample,
  getAllOptions,
  parsePositiveInteger,
  refuseArguments,
} from './command.ts'
import {
  EXIT,
  formatCount,
  formatMinute,
  type GlobalOptions,
  joinLines,
  Output,
  padToWidth,
} from './output.ts'
import { formatFailure, IndexProgress } from './progress.ts'
import type { IndexWords } from './progress-line.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { withExisting, withPassim } from './session.ts'
import { withSourceName } from './source-names.ts'

/** Depth of links, so that a crawl stays on its site. */
const MAX_DEPTH = 20

/** Wide, so that the longest state fits. */
const STATE_WIDTH = 9

/** V8 optimises later, because short runs do not repay it: eight times the default of Node 20. */
const OPTIMIZE_LATER = { flag: '--interrupt-budget=528000', v8: '11.' }

type Options = {
  readonly collection?: string
  readonly force?: boolean
  readonly vectors: boolean
  readonly dryRun?: boolean
  readonly keep?: boolean
  readonly prune?: boolean
  readonly ocr?: OcrMode
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly crawl?: 'sitemap' | number
  readonly maxPages?: number
  readonly allowPrivate?: boolean
  readonly password?: string
  readonly watch?: boolean
}

export const addIndex: AddCommand = program => {
  program
    .command('index')
    .description(
      'index files, folders and URLs; skip unchanged ones and remove those that are gone',
    )
    .argument('<path...>', 'files, folders and http(s) URLs')
    .option('-c, --collection <name>', 'collection; it is created if it does not exist', 'default')
    .option('--force', 'index unchanged files again')
    .option('--no-vectors', 'do not embed: keyword search only')
    .option('--dry-run', 'show what would change, and do nothing')
    .option('--keep', 'keep documents whose file is gone')
    .option('--prune', 'remove the documents of a path that is missing or empty')
    .addOption(createOcrOption())
    .option('--include <glob>', 'index only files that match (may be repeated)', collectValues)
    .option('--exclude <glob>', 'skip files that match (may be repeated)', collectValues)
    .option(
      '--crawl <sitemap|depth>',
      'index more pages of the site: those of its sitemap, or those up to N links away',
      parseCrawl,
    )
    .option('--max-pages <n>', 'maximum number of pages per site', parsePositiveInteger)
    .option('--password <password>', 'password of encrypted files; it is not stored')
    .option('--allow-private', 'allow URLs with private and loopback addresses')
    .option('--watch', 'keep running and index whenever files change, until Ctrl-C')
    .addHelpText('after', getUserSentences().notes.folders)
    .addHelpText(
      'after',
      formatExample(
        'passim index ~/papers -c papers',
        "passim index . --include '*.md' --dry-run",
        'passim index https://example.org/manual/ --crawl 2 --max-pages 100',
      ),
    )
    .action(async (paths: readonly string[], _options, command: Command) =>
      run(paths, getAllOptions<Options>(command)),
    )
}

function parseCrawl(value: string): 'sitemap' | number {
  const depth = Number(value)
  if (value === 'sitemap' || (/^\d+$/.test(value) && depth <= MAX_DEPTH))
    return value === 'sitemap' ? value : depth
  throw new InvalidArgumentError(getUserSentences().usage.crawl(MAX_DEPTH))
}

export const addSync: AddCommand = program => {
  const sync = program
    .command('sync')
    .description('list the sources of the settings, or bring their collections up to date')
    .addHelpText('after', formatExample('passim sync', 'passim sync run handbook'))
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await listSources(getAllOptions(command))
    })
  sync
    .command('run')
    .description('index what changed at these sources, and remove what is gone')
    .argument('[name...]', 'sources of the settings (default: all)')
    .option('--force', 'index unchanged files again')
    .option('--prune', 'remove the documents of a source that is empty')
    .addHelpText('after', formatExample('passim sync run', 'passim sync run handbook mail'))
    .action(async (names: readonly string[], _options, command: Command) =>
      runSources(names, getAllOptions<SyncOptions>(command)),
    )
  sync
    .command('remove')
    .description('delete the documents of a source; first take it out of the settings')
    .argument('<name>')
    .addHelpText('after', formatExample('passim sync remove handbook'))
    .action(async (name: string, _options, command: Command) =>
      removeSource(name, getAllOptions(command)),
    )
}

async function removeSource(name: string, options: GlobalOptions): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const removed = await passim.sources.remove(name, signal)
    new Output(options).writeDone<RemovedSourceJson>({ name, removed }, () =>
      getUserSentences().work.sync.removed(name, formatCount(removed, 'document')),
    )
  })
}

const ADD_ADVICE =
  'Add one to config.yaml, for example sources: { papers: { type: folder, path: /srv/papers } }.'

type SyncOptions = Pick<Options, 'force' | 'prune'>

async function listSources(options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const sources = await passim.sources.list()
    new Output(options).writeResult<SourceListJson>(
      { sources: sources.map(writeTimes), hasMore: false },
      () => sources.map(formatSource).join('\n') || getUserSentences().none.sources,
    )
  })
}

function formatSource({ name, state, type, collection, error, ...times }: SourceStatus): string {
  const { work, describe } = getUserSentences()
  const { totals, finishedAt, nextAt } = times
  const facts = [
    `${padToWidth(work.sync.state(state), STATE_WIDTH)}  ${name}  ${type}  ${collection}`,
    ...(finishedAt === undefined ? [] : [work.sync.finished(formatMinute(finishedAt))]),
    ...(nextAt ? [work.sync.next(formatMinute(nextAt))] : []),
    ...(totals?.failed ? [work.sync.failed(totals.failed)] : []),
    ...(error ? [describe(error)] : []),
  ]
  return joinLines(facts.join('  '))
}

async function runSources(
  names: readonly string[],
  { force, prune, ...options }: SyncOptions & GlobalOptions,
): Promise<void> {
  await withPassim(options, async (passim, signal) => {
    const output = new Output(options)
    const all = (await passim.sources.list()).map(({ name }) => name)
    if (all.length === 0)
      throw new AppError('invalid_input', 'The settings have no sources.', { advice: ADD_ADVICE })
    for (const name of names.length > 0 ? names : all) {
      const progress = new IndexProgress(output)
      const run = passim.sources.run(name, {
        force,
        prune,
        signal,
        noWait: !options.wait,
        onEvent: event => progress.show(event),
        onWait: holder => progress.showWaiting(holder),
      })
      const result = await run.catch(toAppError).finally(() => progress.stop())
      signal.throwIfAborted()
      if (result instanceof AppError && names.length === 1) throw result
      reportSource(name, result, { progress, output })
    }
  })
}

function reportSource(name: string, result: IndexResult | AppError, deps: ReportDeps): void {
  const { progress, output } = deps
  const isError = result instanceof AppError
  if (isError) output.writeFailure(`${name}: ${getUserSentences().describe(result)}`)
  else printResult(result, progress, output)
  if (isError || result.totals.failed > 0) process.exitCode = EXIT.failed
}

type AllOptions = ReturnType<typeof getAllOptions<Options>>

async function run(paths: readonly string[], options: AllOptions): Promise<void> {
  if (options.watch && options.dryRun)
    throw new AppError('invalid_input', '--watch and --dry-run cannot be combined.')
  if (process.versions.v8.startsWith(OPTIMIZE_LATER.v8)) setFlagsFromString(OPTIMIZE_LATER.flag)
  await withPassim(options, (passim, signal) =>
    (options.watch ? watch : runOnce)(passim, paths, options, signal),
  )
}

async function runOnce(
  passim: Passim,
  paths: readonly string[],
  options: AllOptions,
  signal: AbortSignal,
): Promise<void> {
  const output = new Output(options)
  const progress = new IndexProgress(output)
  const result = await passim
    .index(paths, { ...indexOptions(options, () => progress), signal })
    .finally(() => progress.stop())
  if (options.dryRun) reportPlan(result, output)
  else printResult(result, progress, output)
  process.exitCode = result.totals.failed > 0 ? EXIT.failed : EXIT.done
}

/** Prints a result per run with changes; one line each with `--json`. */
async function watch(
  passim: Passim,
  paths: readonly string[],
  options: AllOptions,
  signal: AbortSignal,
): Promise<void> {
  const output = new Output(options)
  let progress = new IndexProgress(output)
  const onProblem = (message: string) => output.writeMessage(message)
  const failing = new Set<string>()
  output.writeMessage(output.sentences.index.watching)
  const { dryRun: _, ...indexing } = indexOptions(options, () => progress)
  const runs = passim.watch(paths, { ...indexing, onProblem, signal })
  for await (const result of runs) {
    progress.stop()
    if ('error' in result)
      output.writeMessage(
        `${getUserSentences().describe(result.error)} ${output.sentences.index.retries}`,
      )
    else report(result, failing, { progress, output })
    progress = new IndexProgress(output)
  }
  progress.stop()
  process.exitCode = failing.size > 0 ? EXIT.failed : EXIT.done
}

type ReportDeps = { readonly progress: IndexProgress; readonly output: Output }

function report(result: IndexResult, failing: Set<string>, { progress, output }: ReportDeps): void {
  const isNews = result.documents.some(({ source, status }) => {
    return (
      status !== 'unchanged' &&
      status !== 'skipped' &&
      !(status === 'failed' && failing.has(source))
    )
  })
  for (const { source, status } of result.documents) {
    if (status === 'failed') failing.add(source)
    else failing.delete(source)
  }
  if (isNews) printResult(result, progress, output)
}

function printResult(result: IndexResult, progress: IndexProgress, output: Output): void {
  if (!output.isJson)
    for (const line of countFailures(result, progress, output.sentences.index))
      output.writeFailure(line)
  output.writeDone<IndexResult>(result, () => formatResult(result, output.sentences.index))
  reportWarnings(result, output)
}

function reportPlan(result: IndexResult, output: Output): void {
  output.writeResult<IndexResult>(result, () => formatPlan(result, output.sentences.index))
  reportWarnings(result, output)
}

function reportWarnings({ warnings = [] }: IndexResult, output: Output): void {
  for (const warning of warnings)
    output.writeMessage(output.sentences.index.warning(getUserSentences().describe(warning)))
}

function countFailures(
  { documents }: IndexResult,
  progress: IndexProgress,
  words: IndexWords,
): readonly string[] {
  return documents.flatMap(({ source, status, error }) =>
    error && status === 'failed' && !progress.hasReported(source)
      ? [formatFailure(status, source, error, words)]
      : [],
  )
}

function indexOptions(
  options: AllOptions,
  progress: () => IndexProgress,
): IndexOptions & { collection?: string } {
  const {
    collection,
    force,
    dryRun,
    keep,
    prune,
    ocr,
    include,
    exclude,
    crawl,
    maxPages,
    allowPrivate,
    password,
  } = options
  const indexOptions = {
    force,
    dryRun,
    keep,
    prune,
    ocr,
    include,
    exclude,
    crawl,
    maxPages,
    allowPrivate,
    password,
  }
  return {
    ...indexOptions,
    ...(collection !== undefined && { collection }),
    withoutVectors: !options.vectors,
    noWait: !options.wait,
    onEvent: event => progress().show(event),
    onWait: holder => progress().showWaiting(holder),
  }
}

function formatResult({ documents, totals, seconds }: IndexResult, words: IndexWords): string {
  const skipped = sumSkippedText(documents)
  const problems = documents.flatMap(({ source, status, error, warnings }) => [
    ...(error && status !== 'failed' ? [formatFailure(status, source, error, words)] : []),
    ...(status === 'removed' ? [words.outcome(status, source)] : []),
    ...warnings
      .filter(warning => !skipped || !isAboutSkippedText(warning))
      .map(warning => words.warning(withSourceName(source, getUserSentences().describe(warning)))),
  ])
  return [
    ...problems,
    ...(skipped ? [words.warning(getUserSentences().describe(skipped))] : []),
    [
      formatSummary(totals, words),
      words.chunks(totals.chunks),
      words.seconds(seconds.toFixed(1)),
    ].join(words.semicolon),
  ].join('\n')
}

/** Leaves out readability, which is unknown yet. */
function formatPlan({ documents, totals, seconds }: IndexResult, words: IndexWords): string {
  const summary = (count: number, status: string) => words.summary(count, words.plan(status))
  const differing = documents.filter(({ status }) => status !== 'unchanged')
  const lines = differing.map(({ status, source, error }) =>
    words.outcome(
      words.plan(status),
      error ? withSourceName(source, getUserSentences().describe(error)) : source,
    ),
  )
  return [
    ...lines,
    words.dryRun(formatSummary(totals, { ...words, summary })) +
      words.semicolon +
      words.seconds(seconds.toFixed(1)),
  ].join('\n')
}

function formatSummary(totals: IndexResult['totals'], words: IndexWords): string {
  const counts = Object.entries(totals).filter(([name, count]) => count > 0 && name !== 'chunks')
  return (
    counts.map(([name, count]) => words.summary(count, name)).join(words.comma) || words.noFiles
  )
}
