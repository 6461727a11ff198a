import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Command, Option as CommandOption } from 'commander'
import { z } from 'zod'
import type { AgentEvent, AgentResult } from '../agent/event.ts'
import { EFFORTS } from '../agent/groundings/research.ts'
import { requireQuestion } from '../agent/message.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import { AgentRun } from '../agent/run.ts'
import { toAnswerJson, toElapsedSeconds } from '../app/answer-json.ts'
import type { AskOptions } from '../app/ask-options.ts'
import type { IndexEvent } from '../app/indexing/index-documents.ts'
import type { Passim } from '../app/passim.ts'
import { detectScreen } from '../config.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError, toFailure } from '../errors.ts'
import type { AnswerLineJson, TimedAnswerJson } from '../wire/answer.ts'
import { openInBrowser } from './browser.ts'
import {
  type AddCommand,
  collectValues,
  formatExample,
  getAllOptions,
  MAX_RISK,
  PRECISE,
  STRICTNESS,
  share,
} from './command.ts'
import {
  findLastConversation,
  findSources,
  keepAnswer,
  reportAnswer,
  reportContinuing,
  reportTurn,
} from './conversation-turn.ts'
import { EXIT, type GlobalOptions, Output } from './output.ts'
import { CountProgress, IndexProgress } from './progress.ts'
import { getSentences } from './sentences/sentences.ts'
import { reportPending, withExisting, withParser } from './session.ts'

type Options = {
  readonly collection?: readonly string[]
  readonly file?: readonly string[]
  readonly document?: readonly string[]
  readonly questions?: string
  readonly model?: string
  readonly extractive?: boolean
  readonly open?: boolean
  readonly receipt?: string
  readonly continue?: boolean
  readonly keep?: boolean
  readonly strictness?: number
  readonly maxRisk?: number
  readonly precise?: boolean
  readonly effort?: AskOptions['effort']
}

const idSchema = z.object({ id: z.union([z.string(), z.number()]) })
const questionSchema = z.object({ question: z.string() })

export const addAsk: AddCommand = program => {
  program
    .command('ask')
    .description('answer a question from the documents, with citations')
    .argument('[question]')
    .option('-c, --collection <name>', 'collection to search (may be repeated)', collectValues)
    .option(
      '-d, --document <document>',
      'answer from this document or folder only: id, path or base name (may be repeated)',
      collectValues,
    )
    .option(
      '--file <path>',
      'answer from this file only (may be repeated); the file is not added to a collection',
      collectValues,
    )
    .option(
      '--questions <file>',
      'answer many questions from a JSON Lines file with id and question',
    )
    .option('--continue', 'continue the most recent conversation, or start a new one')
    .option('--no-keep', 'do not store the answer for --continue')
    .option('--model <id>', 'model to use, of the configured server')
    .option('--precise', PRECISE)
    .addOption(
      new CommandOption(
        '--effort <how-much>',
        'how thoroughly to search: split the question into parts and check drafts of the answer',
      ).choices(EFFORTS),
    )
    .option('--open', 'write a page with the answer and its sources, and open it in the browser')
    .option('--receipt <file>', 'write a signed receipt of the answer, which verify.html checks')
    .option('--extractive', 'quote the documents, even if a model is configured')
    .option('--strictness <number>', STRICTNESS, share)
    .option('--max-risk <share>', MAX_RISK, share)
    .addHelpText(
      'after',
      formatExample(
        'passim ask "How long is the warranty?" --file manual.pdf',
        'passim ask 差旅费如何报销？ -c policies',
      ),
    )
    .action(async (question: string | undefined, _options, command: Command) =>
      run(question, getAllOptions<Options>(command)),
    )
}

async function run(question: string | undefined, options: Options & GlobalOptions): Promise<void> {
  if ((question === undefined) === (options.questions === undefined)) {
    throw new AppError('invalid_input', 'Provide a question, or --questions FILE.')
  }
  if (options.continue && (options.file || options.questions !== undefined)) {
    throw new AppError('invalid_input', '--continue cannot be combined with --file or --questions.')
  }
  if (options.document && options.file)
    throw new AppError('invalid_input', '--document cannot be combined with --file.')
  if (options.receipt !== undefined) requireNewFile(options)
  if (question !== undefined) requireQuestion(question)
  await (options.file ? withParser : withExisting)(options, async (passim, signal) => {
    if (options.questions !== undefined)
      return await askMany(passim, options.questions, options, signal)
    if (options.continue) return await continueConversation(passim, question ?? '', options, signal)
    return await askOne(passim, question ?? '', options, signal)
  })
}

async function askOne(
  passim: Passim,
  question: string,
  options: Options & GlobalOptions,
  signal: AbortSignal,
): Promise<void> {
  const output = new Output(options)
  const started = performance.now()
  const progress = new IndexProgress(output)
  const onIndex = (event: IndexEvent) => {
    if (event.type !== 'done' || !event.error) progress.show(event) // a failed file ends the command with its reason
  }
  const request = { ...askOptions(question, options, signal), onIndex }
  const sources = { collections: options.collection, documents: options.document }
  if (!options.file) await reportPending(passim, options.collection, output)
  const steps: AgentEvent[] = []
  const onStart = () => {
    progress.stop()
    if (!output.isJson) reportNoModel(passim, options, { output, question })
  }
  const run = new AgentRun(noteStart(passim.ask(request).events, { steps, onStart }))
  try {
    const answer = output.isJson ? await run.result : await reportAnswer(run, output)
    const place = isStored(passim, options)
      ? await keepAnswer(passim, steps, { sources, output })
      : {}
    if (output.isJson)
      output.writeJsonLine<TimedAnswerJson>({
        ...toAnswerJson(answer),
        ...toElapsedSeconds(started),
        ...place,
      })
    await writeReceipt(passim, answer, options, output)
    await showPage(passim, answer, options, output)
  } finally {
    progress.stop()
  }
}

type Noted = {
  readonly steps: AgentEvent[]
  /** Called once the question can be answered. */
  readonly onStart: () => void
}

async function* noteStart(
  events: AsyncIterable<AgentEvent>,
  { steps, onStart }: Noted,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (steps.length === 0) onStart()
    steps.push(event)
    yield event
  }
}

function isStored({ settings }: Passim, { file, keep = true }: Options): boolean {
  return keep && !file && settings.conversations.keepAsked
}

async function continueConversation(
  passim: Passim,
  question: string,
  options: Options & GlobalOptions,
  signal: AbortSignal,
) {
  const output = new Output(options)
  const started = performance.now()
  const { signal: _, ...questionOptions } = askOptions(question, options, signal)
  const conversation = await findLastConversation(passim)
  const sources = await findSources(passim, conversation, questionOptions)
  await reportPending(passim, sources.collections, output)
  if (conversation !== 'new') await reportContinuing(passim, conversation, sources, output)
  const run = await passim.conversationService.ask({ ...questionOptions, ...sources }, conversation)
  if (!output.isJson) reportNoModel(passim, options, { output, question })
  const answer = await reportTurn(passim, run, output, signal)
  if (output.isJson)
    output.writeJsonLine<TimedAnswerJson>({
      ...toAnswerJson(answer),
      ...toElapsedSeconds(started),
      conversation: run.conversationId,
      turn: run.turn,
    })
  await writeReceipt(passim, answer, options, output)
  await showPage(passim, answer, options, output)
}

/** Mentions a missing model in the question's language; an error if one was requested. */
function reportNoModel(
  { settings }: Passim,
  { extractive, model, effort }: Options,
  { output, question }: { readonly output: Output; readonly question?: string },
): void {
  if (settings.model || extractive || model || effort) return
  const language = question === undefined ? undefined : detectReplyLanguage(question)
  const { ask } = language ? getSentences(language) : output.sentences
  output.writeMessage(ask.noModel)
}

function requireNewFile({ receipt = '', questions }: Options): void {
  if (questions !== undefined)
    throw new AppError('invalid_input', '--receipt cannot be combined with --questions.')
  if (existsSync(receipt))
    throw new AppError(
      'conflict',
      localizable`The file ${receipt} already exists. Choose another name.`,
    )
}

async function writeReceipt(
  passim: Passim,
  answer: AgentResult,
  { receipt }: Options,
  output: Output,
): Promise<void> {
  if (receipt === undefined) return
  const signed = await passim.receipts.sign({ ...answer, at: Date.now() })
  await writeFile(receipt, signed, { mode: 0o600, flag: 'wx' })
  output.writeMessage(output.sentences.ask.receipt(receipt))
}

async function showPage(
  passim: Passim,
  answer: AgentResult,
  { open }: Options,
  output: Output,
): Promise<void> {
  if (!open) return
  const { answerPage } = await import('../app/answer-page/answer-page.ts')
  const { pageDrawer } = await import('../app/answer-page/page-drawer.ts')
  const page = await answerPage(answer, passim.library, pageDrawer(passim.library, passim.files))
  const { file, isOpened } = await openPage(page, detectScreen().hasScreen)
  output.writeMessage(
    isOpened ? output.sentences.ask.opened(file) : output.sentences.ask.noBrowser(file),
  )
}

async function askMany(
  passim: Passim,
  file: string,
  options: Options & GlobalOptions,
  signal: AbortSignal,
): Promise<void> {
  const output = new Output({ ...options, json: true })
  const { findSourceKind: kindOf } = await import('../ingest/sources/folders/walk.ts')
  if ((await kindOf(file)) !== 'file')
    throw new AppError(
      'invalid_input',
      localizable`${file} is a folder. Provide a file of questions.`,
    )
  const lines = parseQuestionLines(await readFile(file, 'utf8'))
  if (lines.length === 0) output.writeMessage(output.sentences.ask.noQuestions(file))
  reportNoModel(passim, options, { output })
  const progress = new CountProgress(output, output.sentences.ask.questions, lines.length)
  try {
    for (const line of lines) {
      await answerLine(passim, line, { options, output, signal })
      progress.showNext()
    }
  } finally {
    progress.stop()
  }
}

type AskContext = {
  readonly options: Options & GlobalOptions
  readonly output: Output
  readonly signal: AbortSignal
}

async function answerLine(
  passim: Passim,
  { id, question, line }: QuestionLine,
  { options, output, signal }: AskContext,
) {
  const started = performance.now()
  try {
    if (question === undefined)
      throw new AppError(
        'invalid_input',
        localizable`No question in this line: ${line.slice(0, 80)}. Each line must be {"id": …, "question": …}.`,
      )
    const answer = await passim.ask(askOptions(question, options, signal)).result
    output.writeJsonLine<AnswerLineJson>({
      id,
      ...toAnswerJson(answer),
      ...toElapsedSeconds(started),
    })
  } catch (error) {
    signal.throwIfAborted()
    process.exitCode = EXIT.failed
    output.writeJsonLine<AnswerLineJson>({ id, error: toFailure(error) })
  }
}

function askOptions(question: string, options: Options, signal: AbortSignal): AskOptions<string> {
  const {
    collection: collections,
    file: files,
    document: documents,
    model,
    extractive,
    precise,
    strictness,
    maxRisk,
    effort,
  } = options
  return {
    question,
    collections,
    files,
    documents,
    model,
    extractive,
    precise,
    strictness,
    maxRisk,
    effort,
    signal,
  }
}

/** Writes a private page. Returns whether a browser was started. */
async function openPage(
  html: string,
  hasScreen: boolean,
): Promise<{ readonly file: string; readonly isOpened: boolean }> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'passim-answer-')), 'answer.html')
  await writeFile(file, html, { mode: 0o600 })
  return { file, isOpened: hasScreen && (await openInBrowser(file)) }
}

type QuestionLine = {
  readonly id: string | number
  readonly question?: string
  readonly line: string
}

/** Takes line numbers for missing ids, as text if any id is text. */
function parseQuestionLines(text: string): readonly QuestionLine[] {
  const filled = [...text.split('\n').entries()].filter(([, line]) => line.trim() !== '')
  const read = filled.map(([index, line]) => {
    const value = parseJson(line)
    const { question } = questionSchema.safeParse(value).data ?? {}
    return { number: index + 1, id: idSchema.safeParse(value).data?.id, question, line }
  })
  const isText = read.some(({ id }) => typeof id === 'string')
  return read.map(({ number, id = isText ? String(number) : number, question, line }) => ({
    id,
    question,
    line,
  }))
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
