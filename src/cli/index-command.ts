import { type Command, InvalidArgumentError } from 'commander'
import type { OcrMode } from '../ingest/ocr/ocr.ts'
import { type AddCommand, allOptions, example, ocrOption, positiveInteger, several } from './command.ts'
import { EXIT, Output } from './output.ts'
import { IndexProgress } from './progress.ts'
import { withPassim } from './session.ts'

/** Links from the first page: what is further away belongs to another site. */
const MAX_DEPTH = 20

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
}

export const addIndex: AddCommand = program => {
  program
    .command('index')
    .description('index files, folders and URLs; unchanged ones are skipped, gone ones removed')
    .argument('<path...>', 'files, folders and http(s) URLs')
    .option('-c, --collection <name>', 'collection, made if it is not there', 'default')
    .option('--force', 'index again what is unchanged')
    .option('--no-vectors', 'keyword search only: nothing is embedded')
    .option('--dry-run', 'only say what would change')
    .option('--keep', 'leave documents whose file is gone')
    .option('--prune', 'remove the documents of a path that is missing or empty')
    .addOption(ocrOption())
    .option('--include <glob>', 'only files that match (may be repeated)', several)
    .option('--exclude <glob>', 'no files that match (may be repeated)', several)
    .option('--crawl <sitemap|depth>', 'also pages of the site: of its sitemap, or so many links away', crawlPlan)
    .option('--max-pages <n>', 'pages of one site, at most', positiveInteger)
    .option('--password <password>', 'opens encrypted files; stored nowhere')
    .option('--allow-private', 'also URLs of private and loopback addresses')
    .addHelpText(
      'after',
      example(
        'passim index ~/papers -c papers',
        "passim index . --include '*.md' --dry-run",
        'passim index https://example.org/manual/ --crawl 2 --max-pages 100',
      ),
    )
    .action(async (paths: readonly string[], _options, command: Command) => run(paths, allOptions<Options>(command)))
}

/** How to find the other pages of a site. */
function crawlPlan(value: string): 'sitemap' | number {
  const depth = Number(value)
  if (value === 'sitemap' || (/^\d+$/.test(value) && depth <= MAX_DEPTH)) return value === 'sitemap' ? value : depth
  throw new InvalidArgumentError(`Give "sitemap", or a number of links from 0 to ${MAX_DEPTH}.`)
}

async function run(paths: readonly string[], options: ReturnType<typeof allOptions<Options>>): Promise<void> {
  const output = new Output(options)
  const progress = new IndexProgress(output)
  const result = await withPassim(options, (passim, signal) =>
    passim
      .index(paths, {
        ...options,
        signal,
        withoutVectors: !options.vectors,
        noWait: !options.wait,
        onEvent: event => progress.show(event),
        onWait: holder => progress.waiting(holder),
      })
      .finally(() => progress.stop()),
  )
  const { totals, seconds } = result
  output.result(result, () => {
    const counts = Object.entries(totals).filter(([name, count]) => count > 0 && name !== 'chunks')
    const summary = counts.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing to do'
    const problems = result.documents.flatMap(({ source, error, warnings }) => [
      ...(error ? [`${source}: ${error.message} (${error.code})`] : []),
      ...warnings.map(warning => `${source}: ${warning.message}`),
    ])
    return [...problems, `${summary}; ${totals.chunks} chunks; ${seconds.toFixed(1)} s`].join('\n')
  })
  process.exitCode = totals.failed > 0 ? EXIT.failed : EXIT.done
}
