import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import type { AgentResult } from '../agent/event.ts'
import { toAnswerJson, toElapsedSeconds } from '../app/answer-json.ts'
import type { AskOptions } from '../app/ask-options.ts'
import type { Passim } from '../app/passim.ts'
import type { Turn } from '../conversations/turns.ts'
import { AppError, toAppError } from '../errors.ts'
import type { CitationListJson, TimedAnswerJson } from '../wire/answer.ts'
import type { TurnListJson } from '../wire/conversation.ts'
import { writeTimes } from '../wire/schema.ts'
import { formatSources } from './answer-text.ts'
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
  reportContinuing,
  reportTurn,
} from './conversation-turn.ts'
import { formatMarkdown, readAllTurns, writeNew } from './conversations.ts'
import { type GlobalOptions, Output } from './output.ts'
import { toPrintableAnswer } from './printable.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { withExisting } from './session.ts'

type Options = {
  readonly collection?: readonly string[]
  readonly conversation?: string
  readonly continue?: boolean
  readonly model?: string
  readonly extractive?: boolean
  readonly strictness?: number
  readonly maxRisk?: number
  readonly precise?: boolean
}

export const addChat: AddCommand = program => {
  program
    .command('chat')
    .description(
      'ask questions about the documents, line by line; lines that start with / are commands',
    )
    .option('-c, --collection <name>', 'collection to search (may be repeated)', collectValues)
    .option('--conversation <id>', 'continue this conversation')
    .option('--continue', 'continue the most recent conversation')
    .option('--model <id>', 'model to use, of the configured server')
    .option('--precise', PRECISE)
    .option('--extractive', 'quote the documents, even if a model is configured')
    .option('--strictness <number>', STRICTNESS, share)
    .option('--max-risk <share>', MAX_RISK, share)
    .addHelpText('after', formatExample('passim chat -c papers', 'passim chat --continue'))
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      if (command.args.length > 0) command.error(getUserSentences().usage.noQuestion)
      await runChat(getAllOptions<Options>(command))
    })
}

async function runChat(options: Options & GlobalOptions): Promise<void> {
  await withExisting(options, async (passim, signal, terminal) => {
    const chat = await Terminal.open(passim, options, signal)
    const { stdin, stderr } = process
    const lines = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY, signal })
    terminal.lines = lines
    await chat.printGreeting()
    lines.on('SIGINT', () => {
      if (!chat.stopAnswer()) lines.close()
    })
    lines.setPrompt(stdin.isTTY ? '> ' : '')
    lines.prompt()
    for await (const line of lines) {
      if ((await chat.take(line.trim())) === 'left') break
      lines.prompt()
    }
    lines.close()
  })
}

function toAnswer({
  question,
  answer: text,
  abstained = false,
  mode = 'model',
  ...turn
}: Turn): AgentResult {
  const { citations, toolCitations, unsupported, unconfirmed } = turn
  const open = { unsupported, ...(unconfirmed && { unconfirmed }) }
  const sources = { citations, ...open, ...(toolCitations && { toolCitations }) }
  return { question, text, abstained, mode, ...sources, finishReason: 'stop', messages: [] }
}

type TerminalDeps = {
  readonly last: AgentResult | undefined
  readonly options: Options & GlobalOptions
  readonly sources: Pick<AskOptions, 'collections' | 'documents'>
  readonly conversation: string
  readonly signal: AbortSignal
}

class Terminal {
  readonly #passim: Passim
  readonly #options: Options & GlobalOptions
  readonly #sources: TerminalDeps['sources']
  readonly #signal: AbortSignal
  readonly #output: Output
  #conversation: string
  #last: AgentResult | undefined
  #stop: AbortController | undefined

  private constructor(passim: Passim, { options, sources, ...deps }: TerminalDeps) {
    const { conversation, last, signal } = deps
    this.#passim = passim
    this.#sources = sources
    this.#options = options
    this.#signal = signal
    this.#output = new Output(options)
    this.#conversation = conversation
    this.#last = last
  }

  get #words() {
    return this.#output.sentences.chat
  }

  /** Throws `not_found`. */
  static async open(
    passim: Passim,
    options: Options & GlobalOptions,
    signal: AbortSignal,
  ): Promise<Terminal> {
    const latest = options.continue ? await findLastConversation(passim) : 'new'
    const { conversation = latest } = options
    const turns =
      conversation === 'new'
        ? []
        : await passim.conversationService.listTurns(conversation, { limit: 1 })
    const last = turns.map(toAnswer).at(-1)
    const { collection: collections } = options
    const sources = await findSources(passim, conversation, { collections })
    return new Terminal(passim, { options, sources, conversation, last, signal })
  }

  async printGreeting(): Promise<void> {
    if (this.#conversation === 'new') this.#output.writeMessage(this.#words.greeting)
    else await reportContinuing(this.#passim, this.#conversation, this.#sources, this.#output)
  }

  stopAnswer(): boolean {
    this.#stop?.abort(new AppError('cancelled', this.#words.stopped))
    return this.#stop !== undefined
  }

  async take(line: string): Promise<'left' | 'stays'> {
    if (line === '/quit' || line === '/exit') return 'left'
    try {
      if (line.startsWith('/')) await this.#runCommand(line)
      else if (line !== '') await this.#ask(line)
    } catch (error) {
      this.#signal.throwIfAborted()
      const failure = toAppError(error)
      this.#output.writeFailure(this.#output.sentences.failure(failure))
    }
    return 'stays'
  }

  async #ask(question: string): Promise<void> {
    const { model, extractive, precise, strictness, maxRisk } = this.#options
    const options = { model, extractive, precise, strictness, maxRisk }
    const request = { question, ...this.#sources, ...options }
    const started = performance.now()
    const run = await this.#passim.conversationService.ask(request, this.#conversation)
    this.#conversation = run.conversationId ?? this.#conversation
    this.#stop = new AbortController()
    const signal = AbortSignal.any([this.#signal, this.#stop.signal])
    this.#last = await reportTurn(this.#passim, run, this.#output, signal).finally(() => {
      this.#stop = undefined
    })
    if (!this.#output.isJson) return this.#output.writeStyled('\n')
    this.#output.writeJsonLine<TimedAnswerJson>({
      ...toAnswerJson(this.#last),
      ...toElapsedSeconds(started),
      conversation: run.conversationId,
      turn: run.turn,
    })
  }

  async #runCommand(line: string): Promise<void> {
    const [name = '', ...rest] = line.split(/\s+/)
    const argument = rest.join(' ')
    if (name === '/help') this.#output.writeStyled(`${this.#words.help}\n`)
    else if (name === '/sources') this.#showSources(argument)
    else if (name === '/history') await this.#showHistory()
    else if (name === '/save') await this.#save(argument)
    else throw new AppError('invalid_input', this.#words.unknownCommand(name))
  }

  async #showHistory(): Promise<void> {
    const text = await this.#formatMarkdown()
    this.#output.writeResult<TurnListJson>((await this.#readTurns()).map(writeTimes), () => text)
  }

  #showSources(argument: string): void {
    if (!this.#last) throw new AppError('invalid_input', this.#words.noAnswer)
    const printable = toPrintableAnswer(this.#last)
    const citations = printable.citations.filter(
      ({ marker }) => argument === '' || marker === Number(argument),
    )
    if (citations.length === 0)
      throw new AppError(
        'not_found',
        argument ? this.#words.noSource(argument) : this.#words.noSources,
      )
    if (this.#output.isJson) this.#output.writeJsonLine<CitationListJson>({ citations })
    else
      this.#output.writeStyled(
        formatSources({ ...printable, citations, unsupported: [], unconfirmed: [] }),
      )
  }

  async #save(file: string): Promise<void> {
    if (file === '') throw new AppError('invalid_input', this.#words.noFileName)
    await writeNew(file, `${await this.#formatMarkdown()}\n`)
    this.#output.writeMessage(this.#words.wrote(file))
  }

  async #readTurns(): Promise<readonly Turn[]> {
    return this.#conversation === 'new' ? [] : await readAllTurns(this.#passim, this.#conversation)
  }

  async #formatMarkdown(): Promise<string> {
    const found =
      this.#conversation === 'new'
        ? undefined
        : await this.#passim.conversations.find(this.#conversation)
    return formatMarkdown(
      found?.title ?? this.#output.sentences.work.conversations.empty,
      await this.#readTurns(),
    )
  }
}
