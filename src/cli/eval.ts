import { type Command, Option } from 'commander'
import type { EvaluationMode, EvaluationResult } from '../app/evaluation.ts'
import { type AddCommand, allOptions, example, PRECISE, positiveInteger } from './command.ts'
import { Output } from './output.ts'
import { IndexProgress } from './progress.ts'
import { withPassim } from './session.ts'

const MODES: readonly EvaluationMode[] = ['keyword', 'vector', 'hybrid']

const FORMATS = `
The folder holds, a JSON object a line or tab-separated:
  corpus.jsonl   {"id", "title", "text"}
  queries.jsonl  {"id", "query"}
  qrels.tsv      query-id  corpus-id  relevance`

type Options = {
  readonly mode: EvaluationMode | 'all'
  readonly run?: string
  readonly limit?: number
  readonly precise?: boolean
  readonly corpus?: number
}

export const addEval: AddCommand = program => {
  program
    .command('eval')
    .description('measure search on a judged set: corpus.jsonl, queries.jsonl, qrels.tsv')
    .argument('<folder>')
    .addOption(new Option('--mode <mode>', 'how to search').choices([...MODES, 'all']).default('all'))
    .option('--precise', PRECISE)
    .option('--run <prefix>', 'write the rankings to PREFIX.<mode>.tsv')
    .option('--limit <queries>', 'only the first so many queries', positiveInteger)
    .option('--corpus <number>', 'only the judged passages and so many others', positiveInteger)
    .addHelpText('after', FORMATS)
    .addHelpText('after', example('passim eval sets/mine --mode hybrid --run /tmp/mine'))
    .action(async (folder: string, _options, command: Command) => run(folder, allOptions<Options>(command)))
}

async function run(folder: string, options: ReturnType<typeof allOptions<Options>>): Promise<void> {
  const output = new Output(options)
  const progress = new IndexProgress(new Output({ quiet: options.quiet || !process.stderr.isTTY }))
  const modes = options.mode === 'all' ? MODES : [options.mode]
  const limits = { queries: options.limit, corpus: options.corpus, precise: options.precise }
  const result = await withPassim(options, (passim, signal) =>
    passim
      .evaluate(folder, { ...limits, modes, runPrefix: options.run, signal, onEvent: event => progress.show(event) })
      .finally(() => progress.stop()),
  )
  output.result(result, () => table(result))
}

function table({ modes }: EvaluationResult): string {
  const lines = Object.entries(modes).map(([mode, { ndcg10, recall10, mrr10, ci95, p50Ms, p95Ms }]) => {
    const interval = ci95.ndcg10.map(value => value.toFixed(3)).join(', ')
    const times = `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`
    return `${mode.padEnd(8)} nDCG@10 ${ndcg10.toFixed(4)} [${interval}]  recall@10 ${recall10.toFixed(4)}  MRR@10 ${mrr10.toFixed(4)}  ${times}`
  })
  return lines.join('\n')
}
