import { type Command, Option } from 'commander'
import { hitJson } from '../app/hit-json.ts'
import { SEARCH_MODES, type SearchMode } from '../app/searching.ts'
import type { Hit } from '../search/searcher.ts'
import { type AddCommand, allOptions, example, PRECISE, positiveInteger, several } from './command.ts'
import { Output } from './output.ts'
import { withPassim } from './session.ts'

type Options = {
  readonly collection?: readonly string[]
  readonly mode: SearchMode
  readonly hits: number
  readonly precise?: boolean
}

export const addSearch: AddCommand = program => {
  program
    .command('search')
    .description('find passages')
    .argument('<query>')
    .option('-c, --collection <name>', 'collection (may be repeated)', several)
    .addOption(new Option('--mode <mode>', 'how to search').choices(SEARCH_MODES).default('hybrid'))
    .option('--precise', PRECISE)
    .option('-n, --hits <number>', 'at most so many hits', positiveInteger, 10)
    .addHelpText(
      'after',
      example('passim search "travel allowance" -c policies', 'passim search 住宿标准 --mode keyword --json'),
    )
    .action(async (query: string, _options, command: Command) => run(query, allOptions<Options>(command)))
}

async function run(query: string, options: ReturnType<typeof allOptions<Options>>): Promise<void> {
  const started = performance.now()
  const { collection: collections, mode, hits: limit, precise } = options
  const hits = await withPassim(options, (passim, signal) =>
    passim.search({ query, collections, mode, precise, limit, signal }),
  )
  const seconds = (performance.now() - started) / 1000
  new Output(options).result({ query, mode, hits: hits.map(hitJson), seconds }, () => textOf(hits))
}

function textOf(hits: readonly Hit[]): string {
  if (hits.length === 0) return 'Nothing found.'
  return hits.map((hit, index) => passage(hit, index + 1)).join('\n\n')
}

function passage({ name, pages, headings, score, weak, text }: Hit, number: number): string {
  const page = pages ? `, p. ${pages[0] === pages[1] ? pages[0] : pages.join('–')}` : ''
  const path = headings.length > 0 ? ` › ${headings.join(' › ')}` : ''
  const lines = `[${number}] ${name}${page}${path}  (${score.toFixed(3)}${weak ? ', weak' : ''})`
  const words = text.length > 400 ? `${text.slice(0, 400)} …` : text
  return `${lines}\n    ${words.replace(/\s*\n\s*/g, '\n    ')}`
}
