import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Language } from '../text/language.ts'
import {
  type AgentEvent,
  type AgentResult,
  isLimit,
  withCheckedText,
  withTotalUsage,
} from './event.ts'
import { type GenerateConfig, isFormatted, mergeConfigs } from './generate-config.ts'
import type { CheckedText, FoundBefore, Ground, Grounding } from './grounding.ts'
import { GivenKnowledge } from './groundings/recalled.ts'
import type { AnySchema } from './json-schema.ts'
import { type StructuredOutput, structuredOutput } from './json-schema.ts'
import type { KeptTurns, SaidBefore } from './kept-turns.ts'
import { requireKnownNames } from './known-names.ts'
import { conversationLanguage, replyLanguage } from './language.ts'
import {
  type LoopEnd,
  type LoopEvent,
  type LoopOptions,
  outputLoop,
  reviewedLoop,
  runLoop,
} from './loop.ts'
import {
  type ContentItem,
  filesOf,
  itemValue,
  type Message,
  messagesIn,
  textContent,
} from './message.ts'
import type { ChatModel, ToolChoice, ToolDefinition } from './model.ts'
import { type Observe, ObservedModel, observedTool } from './observed.ts'
import { AgentRun } from './run.ts'
import { linkName, sourceLabels } from './source-labels.ts'
import type { TextTokens } from './text-tokens.ts'
import type { MoreTools, Tool, ToolErrorListener } from './tool.ts'
import type { Approve } from './tool-use.ts'
import { withTimeout } from './tools/tool-limits.ts'
import { requireDistinct } from './tools/tool-registry.ts'

/** In place of an answer that the loop had to cut. */
const STOPPED: Readonly<Record<Language, string>> = {
  zh: '已达到工具调用次数的上限，模型没有给出最终回答。',
  en: 'The limit of tool calls was reached before the model gave a final answer.',
}

export type AgentParts<Output = unknown> = {
  readonly model: ChatModel
  readonly name?: string | undefined
  /** What it is for: by it, whoever calls chooses among agents. */
  readonly description?: string | undefined
  /** Before the system messages of a conversation. */
  readonly instructions?: string | undefined
  readonly tools?: readonly Tool[] | undefined
  /** Tools besides, looked for when a run begins. */
  readonly moreTools?: MoreTools | undefined
  /** What it answers from. */
  readonly grounding?: Grounding | undefined
  /** The last of them may not call tools, so that there is an answer. */
  readonly maxModelCalls?: number | undefined
  /** Of one answer; 100 when left out. Once they are made the model may call no more, and one that does ends the answer. */
  readonly maxToolCalls?: number | undefined
  /** Of one turn. */
  readonly maxParallelTools?: number | undefined
  /** Of every model call. */
  readonly config?: GenerateConfig | undefined
  /** Of the first model call: a named tool is called then, not again and again. */
  readonly toolChoice?: ToolChoice | undefined
  /** Of one tool call. */
  readonly toolTimeoutMs?: number | undefined
  /** Of one tool's answer; 20,000 when left out. */
  readonly maxToolTokens?: number | undefined
  /** Counts them; guessed by length when left out. */
  readonly tokens?: TextTokens | undefined
  /** Asked of every call that needs approval; without it, the run pauses there. */
  readonly approve?: Approve | undefined
  readonly onToolError?: ToolErrorListener | undefined
  /** The answer as data, by zod or a JSON Schema: `object` of the result. A model that misses it is told once. */
  readonly outputSchema?: AnySchema<Output> | undefined
  /** Told of each model call and tool call as it begins and ends. */
  readonly observe?: Observe | undefined
  /** Keeps the conversations that runs name. */
  readonly turns?: KeptTurns | undefined
}

/** Of one run, over what the agent was made with. */
export type RunOptions = {
  readonly signal?: AbortSignal | undefined
  /** Of the agent's own words; told from the conversation when absent. */
  readonly language?: Language | undefined
  /** Over the agent's own; lists of stops join. */
  readonly config?: GenerateConfig | undefined
  readonly toolChoice?: ToolChoice | undefined
  /** Tools that the caller runs: a call of one ends the run, and its result comes with the next one. */
  readonly callerTools?: readonly ToolDefinition[] | undefined
  /** Goes on with a run that paused: what was decided of its calls, by their ids. */
  readonly approvals?: Readonly<Record<string, boolean>> | undefined
  /**
   * The id of the conversation: what tools keep from one call to the next belongs to it, or to this run alone. With an agent
   * that keeps conversations, the run is its next turn; `new` begins one. Such a run is given what is asked alone, or nothing
   * to go on with the last answer where it was interrupted.
   */
  readonly conversation?: string | undefined
  /** Of an answer that is gone on with: what was searched for and found until then. */
  readonly found?: FoundBefore | undefined
  /** Of a run inside of another one, which is no turn: the name of what its tools keep, in place of `conversation`. */
  readonly within?: string | undefined
}

/** Typed by the options themselves, so that none can be forgotten here. */
const PARTS: Readonly<Record<keyof AgentParts, true>> = {
  ...{
    model: true,
    name: true,
    description: true,
    instructions: true,
    tools: true,
    moreTools: true,
    grounding: true,
  },
  ...{
    maxModelCalls: true,
    maxToolCalls: true,
    maxParallelTools: true,
    config: true,
    toolChoice: true,
    toolTimeoutMs: true,
  },
  ...{
    maxToolTokens: true,
    tokens: true,
    approve: true,
    onToolError: true,
    outputSchema: true,
    observe: true,
  },
  turns: true,
}
const RUN: Readonly<Record<keyof RunOptions, true>> = {
  ...{
    signal: true,
    language: true,
    config: true,
    toolChoice: true,
    callerTools: true,
    approvals: true,
  },
  ...{ conversation: true, within: true, found: true },
}

type Prepared = RunOptions & { readonly messages: readonly Message[]; readonly language: Language }

/** Runs that paused; the oldest are forgotten, and look up anew what they knew. */
const MAX_PAUSED = 50

/** Answers with a model, its tools, and what its grounding looks up. */
export class Agent<Output = unknown> {
  readonly name: string
  readonly description: string | undefined
  readonly #parts: AgentParts<Output>
  readonly #tools: readonly Tool[]
  readonly #model: ChatModel
  readonly #output: StructuredOutput | undefined
  /** What runs that paused had looked up, by their conversation to its last word. */
  readonly #paused = new Map<string, Ground>()

  /** Throws `conflict` for two tools of one name, `invalid_input` for options that there are none of. */
  constructor(parts: AgentParts<Output>) {
    requireKnownNames('new Agent()', parts, PARTS)
    const { tools = [], model, observe, outputSchema } = parts
    requireDistinct(tools)
    this.name = parts.name ?? 'assistant'
    this.description = parts.description
    this.#parts = parts
    this.#tools = tools
    this.#model = observe ? new ObservedModel(model, observe) : model
    this.#output = outputSchema && structuredOutput(outputSchema)
  }

  /** A question, or a conversation that ends in one. Throws `invalid_input` for what is neither, and for options that there are none of. */
  run(input: string | readonly Message[], options: RunOptions = {}): AgentRun<Output> {
    requireKnownNames('run()', options, RUN)
    const given = messagesIn(input)
    const { turns } = this.#parts
    if (!turns || options.conversation === undefined) {
      if (given.length === 0) throw new AppError('invalid_input', 'There is no message to answer.')
      return new AgentRun(this.#answered(given, options))
    }
    return new AgentRun(this.#kept(turns, given, options))
  }

  #answered(messages: readonly Message[], options: RunOptions): AsyncGenerator<AgentEvent> {
    const language = options.language ?? conversationLanguage(messages)
    return withTotalUsage(this.#steps({ ...options, language, messages }))
  }

  async *#kept(
    turns: KeptTurns,
    given: readonly Message[],
    options: RunOptions,
  ): AsyncGenerator<AgentEvent> {
    const { conversation = 'new', approvals, signal } = options
    const content = newlyAsked(given, options)
    const answer = ({ messages, ...said }: SaidBefore) =>
      this.#answered(messages, { ...options, ...said })
    yield* turns.answer(conversation, { content, answer }, { approvals, signal })
  }

  async *#steps(run: Prepared): AsyncGenerator<AgentEvent> {
    const { messages, language, signal, found, callerTools = [] } = run
    const taken = [...this.#tools, ...callerTools].map(tool => tool.name)
    const responseFormat = this.#output?.format
    const config = mergeConfigs(
      responseFormat && { responseFormat },
      this.#parts.config,
      run.config,
    )
    const isJson = isFormatted(config)
    const { grounding = new GivenKnowledge('') } = this.#parts
    const known = run.approvals && this.#resume(messages)
    const ground =
      known ?? (yield* grounding.begin({ messages, language, taken, isJson, found, signal }))
    const events = this.#answer(run, ground, config)
    yield* ground.isHeld ? withCheckedText(events) : events
  }

  async *#answer(
    run: Prepared,
    ground: Ground,
    config: GenerateConfig,
  ): AsyncGenerator<AgentEvent> {
    const {
      language,
      signal,
      approvals,
      callerTools = [],
      toolChoice = this.#parts.toolChoice ?? 'auto',
    } = run
    const conversation = run.within ?? run.conversation ?? randomUUID()
    const {
      maxModelCalls = 20,
      maxToolCalls = 100,
      maxParallelTools = 4,
      approve,
      onToolError,
    } = this.#parts
    const { maxToolTokens = 20_000, tokens } = this.#parts
    const own = [...this.#tools, ...(await this.#moreTools(ground, callerTools, signal))]
    const tools = [...(ground.tools ?? []), ...own].map(tool => this.#watched(tool))
    const system = [this.#parts.instructions ?? '', ground.system(own.length > 0)]
      .filter(Boolean)
      .join('\n\n')
    const said = (ground.messages ?? run.messages).map(message => named(message, language))
    const messages = instructed(said, system)
    const limits = { maxModelCalls, maxToolCalls, maxParallelTools, maxToolTokens, tokens }
    const use = {
      tools,
      callerTools,
      approve,
      approvals,
      onToolError,
      signal,
      conversation,
      cite: ground.cite,
    }
    const options = { ...use, ...limits, model: this.#model, toolChoice, config }
    const events = this.#loop(messages, options, ground)
    const warnings = new Map<string, Warning>()
    for await (const event of ground.shown?.(events) ?? events) {
      if (event.type === 'warning') warnings.set(event.warning.message, event.warning)
      else if (event.type === 'end')
        yield* this.#conclude(run, ground, event, [...warnings.values()])
      else yield event
    }
  }

  /** Searches are not made again, and sources keep the numbers that the model was told. */
  #resume(messages: readonly Message[]): Ground | undefined {
    const key = digestOf(messages)
    const ground = this.#paused.get(key)
    this.#paused.delete(key)
    return ground
  }

  #pause(messages: readonly Message[], ground: Ground): void {
    this.#paused.set(digestOf(messages), ground)
    const [oldest] = this.#paused.keys()
    if (oldest !== undefined && this.#paused.size > MAX_PAUSED) this.#paused.delete(oldest)
  }

  #loop(
    messages: readonly Message[],
    options: LoopOptions,
    { review }: Ground,
  ): AsyncGenerator<LoopEvent> {
    if (this.#output) return outputLoop(messages, options, this.#output)
    return review ? reviewedLoop(messages, options, review) : runLoop(messages, options)
  }

  /** Given up after its time, and told of. */
  #watched(tool: Tool): Tool {
    const { observe, toolTimeoutMs = 120_000 } = this.#parts
    const timed = withTimeout(tool, toolTimeoutMs)
    return observe ? observedTool(timed, observe) : timed
  }

  async #moreTools(
    { tools = [] }: Ground,
    callerTools: readonly ToolDefinition[],
    signal?: AbortSignal,
  ) {
    const taken = [...this.#tools, ...tools, ...callerTools].map(tool => tool.name)
    return (await this.#parts.moreTools?.(taken, signal)) ?? []
  }

  /** The last text, checked; that the limit was reached is said in words, too. */
  async *#conclude(
    run: Prepared,
    ground: Ground,
    end: LoopEnd,
    ofModel: readonly Warning[],
  ): AsyncGenerator<AgentEvent> {
    const asked = run.messages.findLast(({ role }) => role === 'user')
    const question = asked ? textContent(asked) : ''
    const stopped = isLimit(end.reason) ? STOPPED[replyLanguage(question)] : undefined
    if (stopped) yield { type: 'text-delta', text: stopped }
    const checked =
      stopped || !ground.check ? asItIs(stopped ?? end.text) : yield* ground.check(end)
    const { text, citations, toolCitations = [], unsupported, unconfirmed, abstained } = checked
    for (const citation of citations) yield { type: 'citation', citation }
    const warnings = [...(ground.warnings ?? []), ...ofModel, ...checked.warnings]
    const result: AgentResult = {
      ...{
        question,
        text,
        abstained,
        mode: 'model',
        citations,
        unsupported,
        finishReason: end.reason,
      },
      messages: this.#said(end, text, ground.isHeld ?? false),
      ...(unconfirmed && { unconfirmed }),
      ...(toolCitations.length > 0 && { toolCitations }),
      ...(end.calls.length > 0 && { calls: end.calls }),
      ...(end.object !== undefined && { object: end.object }),
      ...(warnings.length > 0 && { warnings }),
    }
    if (end.reason === 'approval') this.#pause([...run.messages, ...result.messages], ground)
    yield { type: 'finish', result }
  }

  /** The messages of the run, in its name, the last one with the text that was checked. */
  #said({ messages, calls }: LoopEnd, text: string, isHeld: boolean): readonly Message[] {
    const told = isHeld ? messages.filter(isNoText).map(withoutThoughts) : messages
    const whole = calls.length > 0 ? told : withLastText(told, text)
    return whole.map(message => (message.name ? message : { ...message, name: this.name }))
  }
}

/** Throws `invalid_input` for what a kept conversation cannot take. */
function newlyAsked(
  given: readonly Message[],
  { approvals, callerTools }: RunOptions,
): Message['content'] | undefined {
  const [asked, ...more] = given
  const refuse = (message: string) => new AppError('invalid_input', message)
  if (more.length > 0 || (asked && asked.role !== 'user'))
    throw refuse(
      'A kept conversation knows what was said: give run() only what is asked now, as one message of the user.',
    )
  if (asked && asked.content.length === 0)
    throw refuse('The question is empty: give it text, or a file.')
  if (asked && approvals)
    throw refuse(
      'approvals are for an answer that is gone on with: give run() no question, as in run([], { conversation, approvals }).',
    )
  if (callerTools?.length)
    throw refuse(
      'A run of a kept conversation cannot end in a call of callerTools: give the agent tools that it runs itself.',
    )
  return asked?.content
}

function digestOf(messages: readonly Message[]): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex')
}

function asItIs(text: string): CheckedText {
  return { text, citations: [], unsupported: [], abstained: false, warnings: [] }
}

/** A call or a result: what was said beside them was not checked. */
function isNoText({ role, functionCall }: Message): boolean {
  return role === 'function' || functionCall !== undefined
}

function withoutThoughts({
  reasoningContent: _,
  reasoningOrigin: _origin,
  ...message
}: Message): Message {
  return message
}

function withLastText(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1)
  const isSaid = last?.role === 'assistant' && !last.functionCall
  const spoken: Message = { ...(isSaid && last), role: 'assistant', content: text }
  return [...(isSaid ? messages.slice(0, -1) : messages), spoken]
}

/** One system message: the agent's instructions before the conversation's, a blank line between. */
function instructed(messages: readonly Message[], system: string): readonly Message[] {
  const own = messages.filter(message => message.role === 'system')
  if (system === '' && own.length < 2) return messages
  const parts = own.map(({ content }) => content)
  const content = [system, ...parts].reduce(joined)
  return [
    { ...own[0], role: 'system', content },
    ...messages.filter(message => message.role !== 'system'),
  ]
}

type Content = Message['content']

function joined(before: Content, after: Content): Content {
  if (before === '') return after
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`
  const items = (content: Content) => (typeof content === 'string' ? [{ text: content }] : content)
  const gap: ContentItem[] =
    typeof before === 'string' ? [{ text: `${before}\n\n` }] : [...before, { text: '\n\n' }]
  return [...gap, ...items(after)]
}

/** Before the name of a file that came with a message. */
const UPLOADED: Readonly<Record<Language, (names: string) => string>> = {
  zh: names => `（上传了 ${names}）`,
  en: names => `(Uploaded ${names}) `,
}

const FILE: Readonly<Record<Language, string>> = { zh: '文件', en: 'file' }

/** A model is told of the files that came with a message by their names. */
function named(message: Message, language: Language): Message {
  const files = filesOf([message])
  if (files.length === 0 || typeof message.content === 'string') return message
  const labels = sourceLabels(files)
  const names = files.map(file => `[${FILE[language]}](${linkName(labels.get(file) ?? file)})`)
  const rest: readonly ContentItem[] = message.content.filter(
    item => !('file' in item && files.includes(itemValue(item))),
  )
  const [first, ...others] = rest
  const said = UPLOADED[language](names.join(' '))
  const content =
    first && 'text' in first ? [{ text: said + first.text }, ...others] : [{ text: said }, ...rest]
  return { ...message, content }
}
