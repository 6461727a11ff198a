import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { AppError } from '../errors.ts'
import type { Comparison } from '../search/evaluation/paired-test.ts'
import type {
  AnswerEvaluationResult,
  EvaluationMode,
  EvaluationResult,
} from '../wire/evaluation.ts'
import {
  type AddCommand,
  formatExample,
  getAllOptions,
  MAX_RISK,
  PRECISE,
  parsePositiveInteger,
  STRICTNESS,
  share,
} from './command.ts'
import { Output, padToWidth } from './output.ts'
import { IndexProgress } from './progress.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { withPassim } from './session.ts'

const MODES: readonly EvaluationMode[] = ['keyword', 'vector', 'hybrid']

type Options = {
  readonly mode: EvaluationMode | 'all'
  readonly embedder?: readonly string[]
  readonly run?: string
  readonly compare?: string
  readonly limit?: number
  readonly precise?: boolean
  readonly corpus?: number
  readonly extractive?: boolean
  readonly strictness?: number
  readonly maxRisk?: number
  readonly calibration?: string
}

export const addEval: AddCommand = program => {
  program
    .command('eval')
    .description('measure search on a judged set, or answers on a set of questions')
    .argument('<folder>')
    .addOption(new Option('--mode <mode>', 'search mode').choices([...MODES, 'all']).default('all'))
    .option('--precise', PRECISE)
    .option(
      '--embedder <name...>',
      'embedding model of the settings; with several, each is compared with the first, query by query',
    )
    .option('--run <prefix>', 'write the rankings to PREFIX.<mode>.tsv')
    .option(
      '--compare <prefix>',
      'compare with PREFIX.<mode>.tsv of an earlier --run, query by query',
    )
    .option('--limit <queries>', 'use only the first N queries', parsePositiveInteger)
    .option('--corpus <number>', 'use only the judged passages and N others', parsePositiveInteger)
    .option('--extractive', 'answer without the configured model')
    .option('--strictness <number>', STRICTNESS, share)
    .option('--max-risk <share>', MAX_RISK, share)
    .option('--calibration <file>', 'write what answering.calibration reads for answering.maxRisk')
    .addHelpText('after', getUserSentences().notes.evaluationSets)
    .addHelpText(
      'after',
      formatExample(
        'passim eval sets/mine --mode hybrid --run /tmp/plain',
        'passim eval sets/mine --mode hybrid --precise --compare /tmp/plain',
        'passim eval sets/mine --embedder multilingual-e5-small-enzh --embedder bge-m3',
      ),
    )
    .action(async (folder: string, _options, command: Command) =>
      run(folder, getAllOptions<Options>(command)),
    )
}

async function run(
  folder: string,
  options: ReturnType<typeof getAllOptions<Options>>,
): Promise<void> {
  const output = new Output(options)
  const { isQuestionSet } = await import('../app/evaluation/question-set.ts')
  const isAnswered = isQuestionSet(folder)
  if (options.embedder && isAnswered) {
    throw new AppError(
      'invalid_input',
      '--embedder is for retrieval sets: questions over documents are asked by the configured model.',
    )
  }
  if (isAnswered) {
    const { calibration } = options
    const forced = { extractive: true, maxRisk: 1 }
    const result = await judgeAnswers(folder, { ...options, ...(calibration && forced) })
    if (calibration) {
      const { collectCalibration } = await import('../app/answer-risk.ts')
      await writeFile(calibration, `${JSON.stringify(collectCalibration(result.questions))}\n`)
    }
    return output.writeResult<AnswerEvaluationResult>(result, () => answerTable(result))
  }
  const result = await judgeSearch(folder, options)
  output.writeResult<EvaluationResult>(result, () => formatTable(result))
}

async function judgeSearch(
  folder: string,
  options: ReturnType<typeof getAllOptions<Options>>,
): Promise<EvaluationResult> {
  const progress = new IndexProgress(new Output({ quiet: options.quiet || !process.stderr.isTTY }))
  const modes = options.mode === 'all' ? MODES : [options.mode]
  const limits = {
    queries: options.limit,
    corpus: options.corpus,
    precise: options.precise,
    embedders: options.embedder,
  }
  const files = { runPrefix: options.run, comparePrefix: options.compare }
  return await withPassim(options, (passim, signal) =>
    passim.evaluations
      .search(folder, {
        ...limits,
        ...files,
        modes,
        signal,
        onEvent: event => progress.show(event),
      })
      .finally(() => progress.stop()),
  )
}

async function judgeAnswers(
  folder: string,
  options: ReturnType<typeof getAllOptions<Options>>,
): Promise<AnswerEvaluationResult> {
  const { limit, precise, extractive, strictness, maxRisk } = options
  const progress = new IndexProgress(new Output({ quiet: options.quiet || !process.stderr.isTTY }))
  return await withPassim(options, (passim, signal) =>
    passim.evaluations
      .measureAnswers(folder, {
        limit,
        precise,
        extractive,
        strictness,
        maxRisk,
        signal,
        onEvent: event => progress.show(event),
      })
      .finally(() => progress.stop()),
  )
}

const MEASURES = [
  'correct',
  'wronglyAbstained',
  'rightlyAbstained',
  'documentHit',
  'pageHit',
  'evidenceHit',
] as const

const MEASURE_WIDTH = 38

function answerTable({ answers, questions }: AnswerEvaluationResult): string {
  const words = getUserSentences().evaluation
  const lines = MEASURES.flatMap(measure => {
    const found = answers[measure]
    if (!found) return []
    const label = padToWidth(words.measure(measure), MEASURE_WIDTH)
    return label + words.of(`${found.rate.toFixed(3)} ${formatInterval(found.ci95)}`, found.count)
  })
  const misses = questions.filter(
    ({ correct, rightlyAbstained }) => correct === false || rightlyAbstained === false,
  )
  const missed = misses.length > 0 ? words.misses(misses.map(({ id }) => id)) : ''
  const times = words.times(
    `p50 ${answers.p50Ms.toFixed(0)} ms, p95 ${answers.p95Ms.toFixed(0)} ms`,
  )
  return [...lines, times, missed].filter(Boolean).join('\n')
}

function formatTable({ modes, embedders }: EvaluationResult): string {
  if (!embedders) return formatModes(modes, getUserSentences().evaluation.earlierRun)
  const [first] = embedders
  return embedders
    .map(({ embedder, modes }) => `${embedder}\n${formatModes(modes, first!.embedder)}`)
    .join('\n\n')
}

function formatModes(modes: EvaluationResult['modes'], other: string): string {
  const lines = Object.entries(modes).flatMap(
    ([mode, { ndcg10, recall10, mrr10, ci95, p50Ms, p95Ms, compared }]) => {
      const times = `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`
      const figures = `recall@10 ${recall10.toFixed(4)}  MRR@10 ${mrr10.toFixed(4)}`
      const line = `${mode.padEnd(8)} nDCG@10 ${ndcg10.toFixed(4)} ${formatInterval(ci95.ndcg10)}  ${figures}  ${times}`
      return compared ? [line, `         ${formatComparison(compared, other)}`] : [line]
    },
  )
  return lines.join('\n')
}

function formatComparison({ difference, ci95, p, queries }: Comparison, other: string): string {
  const sign = difference >= 0 ? '+' : ''
  const figures = `nDCG@10 ${sign}${difference.toFixed(4)} ${formatInterval(ci95)}, p ${p.toFixed(4)}`
  return getUserSentences().evaluation.against(other, figures, queries)
}

function formatInterval(ci95: readonly [number, number]): string {
  return `[${ci95.map(value => value.toFixed(3)).join(', ')}]`
}
