import { createHash, randomUUID } from 'node:crypto'
import { attachMessages, getMessages } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import { RecentMap } from '../system/recent-map.ts'
import type { Language } from '../text/language.ts'
import {
  type AgentEvent,
  type AgentResult,
  isLimit,
  withCheckedText,
  withTotalUsage,
} from './event.ts'
import type { CheckedText, FoundBefore, Ground, Grounding } from './grounding.ts'
import { withInnerCitations } from './groundings/inner-citations.ts'
import { type Knowledge, ProvidedKnowledge, requireNoKnowledge } from './groundings/recalled.ts'
import { requireKnownNames } from './known-names.ts'
import {
  type LoopEnd,
  type LoopEvent,
  type LoopOptions,
  runLoop,
  runOutputLoop,
  runReviewedLoop,
} from './loop.ts'
import { type Message, parseMessages, textContent } from './message.ts'
import { detectConversationLanguage, detectReplyLanguage } from './messages/reply-language.ts'
import { writeModelMessages } from './messages/system-message.ts'
import { type ChatModel, REQUEST_SHORTENED, type ToolChoice, type ToolDefinition } from './model.ts'
import { type GenerateConfig, isFormatted, mergeConfigs } from './models/generate-config.ts'
import { type Observe, ObservedModel, observeTool } from './observed.ts'
import { AgentRun } from './run.ts'
import { requireTurnInput, type StoredTurns, type TurnContext } from './stored-turns.ts'
import type { TextTokens } from './tokens/text-tokens.ts'
import type { MoreTools, Tool, ToolErrorListener } from './tool.ts'
import type { Approve } from './tool-use.ts'
import type { AnySchema } from './tools/json-schema.ts'
import { createStructuredOutput, type StructuredOutput } from './tools/json-schema.ts'
import { withTimeout } from './tools/tool-limits.ts'
import { requireDistinct } from './tools/tool-registry.ts'

const STOPPED: Readonly<Record<Language, string>> = {
  zh: '已达到工具调用次数的上限，模型没有给出最终回答。',
  en: 'The limit of tool calls was reached before the model gave a final answer.',
}

export type AgentDeps<Output = unknown> = {
  readonly model: ChatModel
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly instructions?: string | undefined
  readonly tools?: readonly Tool[] | undefined
  readonly moreTools?: MoreTools | undefined
  readonly grounding?: Grounding | undefined
  /** The grounding numbers its sources, which `knowledge` of a run would replace. */
  readonly citations?: boolean | undefined
  /** 20 by default. The last call may not call tools, so that there is an answer. */
  readonly maxModelCalls?: number | undefined
  /** Per answer, 100 by default. A further call ends the answer. */
  readonly maxToolCalls?: number | undefined
  /** Per turn, 4 by default. */
  readonly maxParallelTools?: number | undefined
  readonly config?: GenerateConfig | undefined
  /** Applies to the first model call only, so that a named tool is not called forever. */
  readonly toolChoice?: ToolChoice | undefined
  /** 120,000 by default, per tool call. */
  readonly toolTimeoutMs?: number | undefined
  /** 20,000 by default, per tool result. */
  readonly maxToolTokens?: number | undefined
  /** Estimated from the length by default. */
  readonly tokens?: TextTokens | undefined
  /** Decides on calls that need approval. Without it, the run pauses. */
  readonly approve?: Approve | undefined
  readonly onToolError?: ToolErrorListener | undefined
  /** Zod or JSON Schema of the result's `object`. A model that misses it gets one more try. */
  readonly outputSchema?: AnySchema<Output> | undefined
  readonly observe?: Observe | undefined
  readonly turns?: StoredTurns | undefined
}

export type RunOptions = {
  readonly signal?: AbortSignal | undefined
  /** Language of the agent's own words; detected from the conversation by default. */
  readonly language?: Language | undefined
  /** Overrides the agent's settings; stop texts of both apply. */
  readonly config?: GenerateConfig | undefined
  readonly toolChoice?: ToolChoice | undefined
  /** Tools of the caller. A call ends the run; the next run brings its result. */
  readonly callerTools?: readonly ToolDefinition[] | undefined
  /** Resumes a paused run: decisions by call id. */
  readonly approvals?: Readonly<Record<string, boolean>> | undefined
  /**
   * Conversation that owns the state of tools; default: this run. If the agent stores
   * conversations, the run is its next turn: pass only the new question, or no message to resume.
   * `new` starts one.
   */
  readonly conversation?: string | undefined
  /** @internal */
  readonly found?: FoundBefore | undefined
  /** Used instead of the agent's knowledge and searches. */
  readonly knowledge?: Knowledge | undefined
  /** Replaces `conversation` in an inner run, which is no turn. @internal */
  readonly within?: string | undefined
  /** Conversation that searches use instead of the messages. @internal */
  readonly spoken?: readonly Message[] | undefined
}

const AGENT_OPTIONS: Readonly<Record<keyof AgentDeps, true>> = {
  model: true,
  name: true,
  description: true,
  instructions: true,
  tools: true,
  moreTools: true,
  grounding: true,
  citations: true,
  maxModelCalls: true,
  maxToolCalls: true,
  maxParallelTools: true,
  config: true,
  toolChoice: true,
  toolTimeoutMs: true,
  maxToolTokens: true,
  tokens: true,
  approve: true,
  onToolError: true,
  outputSchema: true,
  observe: true,
  turns: true,
}
const RUN_OPTIONS: Readonly<Record<keyof RunOptions, true>> = {
  signal: true,
  language: true,
  config: true,
  toolChoice: true,
  callerTools: true,
  approvals: true,
  conversation: true,
  within: true,
  spoken: true,
  found: true,
  knowledge: true,
}

type Prepared = RunOptions & { readonly messages: readonly Message[]; readonly language: Language }

/** Maximum paused runs; protects memory; a forgotten one repeats its searches. */
const MAX_PAUSED = 50

export class Agent<Output = unknown> {
  readonly name: string
  readonly description: string | undefined
  readonly #deps: AgentDeps<Output>
  readonly #tools: readonly Tool[]
  readonly #model: ChatModel
  readonly #output: StructuredOutput | undefined
  readonly #paused = new RecentMap<string, Ground>(MAX_PAUSED)

  /** Throws `conflict` if two tools have one name, `invalid_input` for an unknown option. */
  constructor(deps: AgentDeps<Output>) {
    requireKnownNames('new Agent()', deps, AGENT_OPTIONS)
    const { tools = [], model, observe, outputSchema } = deps
    requireDistinct(tools)
    this.name = deps.name ?? 'assistant'
    this.description = deps.description
    this.#deps = deps
    this.#tools = tools
    this.#model = observe ? new ObservedModel(model, observe) : model
    this.#output = outputSchema && createStructuredOutput(outputSchema)
  }

  /** Throws `invalid_input` unless the input ends in a question. */
  run(input: string | readonly Message[], options: RunOptions = {}): AgentRun<Output> {
    requireKnownNames('run()', options, RUN_OPTIONS)
    const inputMessages = parseMessages(input)
    const { turns } = this.#deps
    if (!turns || options.conversation === undefined) {
      if (inputMessages.length === 0)
        throw new AppError('invalid_input', 'There is no message to answer.')
      return new AgentRun(this.#start(inputMessages, options))
    }
    return new AgentRun(this.#answerTurn(turns, inputMessages, options))
  }

  #start(messages: readonly Message[], options: RunOptions): AsyncGenerator<AgentEvent> {
    const language = options.language ?? detectConversationLanguage(messages)
    return withTotalUsage(this.#answerWithGrounding({ ...options, language, messages }))
  }

  async *#answerTurn(
    turns: StoredTurns,
    inputMessages: readonly Message[],
    options: RunOptions,
  ): AsyncGenerator<AgentEvent> {
    const { conversation = 'new', approvals, signal } = options
    const content = requireTurnInput(inputMessages, options)
    const answer = ({ messages, ...turnContext }: TurnContext) =>
      this.#start(messages, { ...options, ...turnContext })
    yield* turns.answerForAgent(conversation, { content, answer }, { approvals, signal })
  }

  async *#answerWithGrounding(run: Prepared): AsyncGenerator<AgentEvent> {
    const { messages, spoken, language, signal, found, knowledge, callerTools = [] } = run
    const usedNames = [...this.#tools, ...callerTools].map(tool => tool.name)
    const responseFormat = this.#output?.format
    const config = mergeConfigs(responseFormat && { responseFormat }, this.#deps.config, run.config)
    const isJson = isFormatted(config)
    const { grounding: own = new ProvidedKnowledge('') } = this.#deps
    if (this.#deps.citations) requireNoKnowledge(knowledge)
    const grounding = knowledge === undefined ? own : new ProvidedKnowledge(knowledge)
    const resumed = run.approvals && this.#resume(messages)
    const ground =
      resumed ??
      (yield* grounding.start({
        messages,
        spoken: spoken ?? messages,
        language,
        usedToolNames: usedNames,
        isJson,
        found,
        signal,
      }))
    const events = this.#answer(run, withInnerCitations(ground), config)
    yield* ground.isTextWithheld ? withCheckedText(events) : events
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
      toolChoice = this.#deps.toolChoice ?? 'auto',
    } = run
    const conversation = run.within ?? run.conversation ?? randomUUID()
    const {
      maxModelCalls = 20,
      maxToolCalls = 100,
      maxParallelTools = 4,
      approve,
      onToolError,
    } = this.#deps
    const { maxToolTokens = 20_000, tokens } = this.#deps
    const own = [...this.#tools, ...(await this.#findMoreTools(ground, callerTools, signal))]
    const tools = [...(ground.tools ?? []), ...own].map(tool => this.#wrapTool(tool))
    const system = [this.#deps.instructions ?? '', ground.system(own.length > 0)]
      .filter(Boolean)
      .join('\n\n')
    const messages = writeModelMessages(ground.messages ?? run.messages, { system, language })
    const options: LoopOptions = {
      model: this.#model,
      tools,
      callerTools,
      toolChoice,
      config,
      maxModelCalls,
      maxToolCalls,
      maxParallelTools,
      maxToolTokens,
      tokens,
      approve,
      approvals,
      onToolError,
      conversation,
      cite: ground.cite,
      adopt: ground.adopt,
      messages: run.messages,
      signal,
    }
    const events = this.#selectLoop(messages, options, ground)
    const warnings = new Map<string, Warning>()
    for await (const event of ground.filter?.(events) ?? events) {
      if (event.type === 'warning') {
        if (!warnings.has(event.warning.message)) yield* toNotices(event.warning)
        warnings.set(event.warning.message, event.warning)
      } else if (event.type === 'end')
        yield* this.#conclude(run, ground, event, [...warnings.values()])
      else yield event
    }
  }

  #resume(messages: readonly Message[]): Ground | undefined {
    const key = hashMessages(messages)
    const ground = this.#paused.get(key)
    this.#paused.delete(key)
    return ground
  }

  #pause(messages: readonly Message[], ground: Ground): void {
    this.#paused.set(hashMessages(messages), ground)
  }

  #selectLoop(
    messages: readonly Message[],
    options: LoopOptions,
    { review }: Ground,
  ): AsyncGenerator<LoopEvent> {
    if (this.#output) return runOutputLoop(messages, options, this.#output)
    return review ? runReviewedLoop(messages, options, review) : runLoop(messages, options)
  }

  #wrapTool(tool: Tool): Tool {
    const { observe, toolTimeoutMs = 120_000 } = this.#deps
    const timed = withTimeout(tool, toolTimeoutMs)
    return observe ? observeTool(timed, observe) : timed
  }

  async #findMoreTools(
    { tools = [] }: Ground,
    callerTools: readonly ToolDefinition[],
    signal?: AbortSignal,
  ) {
    const usedNames = [...this.#tools, ...tools, ...callerTools].map(tool => tool.name)
    return (await this.#deps.moreTools?.(usedNames, signal)) ?? []
  }

  async *#conclude(
    run: Prepared,
    ground: Ground,
    end: LoopEnd,
    modelWarnings: readonly Warning[],
  ): AsyncGenerator<AgentEvent> {
    const lastQuestion = run.messages.findLast(({ role }) => role === 'user')
    const question = lastQuestion ? textContent(lastQuestion) : ''
    const stopped = isLimit(end.reason) ? STOPPED[detectReplyLanguage(question)] : undefined
    if (stopped) yield { type: 'text-delta', text: stopped }
    const checked =
      stopped || !ground.check ? toUncheckedText(stopped ?? end.text) : yield* ground.check(end)
    const { text, citations, toolCitations = [], unsupported, unconfirmed, abstained } = checked
    for (const citation of citations) yield { type: 'citation', citation }
    const warnings = [...(ground.warnings ?? []), ...modelWarnings, ...checked.warnings]
    const result: AgentResult = {
      question,
      text,
      abstained,
      mode: 'model',
      citations,
      unsupported,
      finishReason: end.reason,
      messages: this.#listMessages(end, text, ground.isTextWithheld ?? false),
      ...(unconfirmed && { unconfirmed }),
      ...(toolCitations.length > 0 && { toolCitations }),
      ...(end.openCalls.length > 0 && { calls: end.openCalls }),
      ...(end.object !== undefined && { object: end.object }),
      ...(warnings.length > 0 && { warnings }),
    }
    if (end.reason === 'approval') this.#pause([...run.messages, ...result.messages], ground)
    yield { type: 'finish', result }
  }

  #listMessages(
    { messages, openCalls }: LoopEnd,
    text: string,
    isTextWithheld: boolean,
  ): readonly Message[] {
    const visibleMessages = isTextWithheld
      ? messages.filter(isCallOrResult).map(removeThoughts)
      : messages
    const complete = openCalls.length > 0 ? visibleMessages : replaceLastText(visibleMessages, text)
    return complete.map(message => (message.name ? message : { ...message, name: this.name }))
  }
}

function hashMessages(messages: readonly Message[]): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex')
}

function toUncheckedText(text: string): CheckedText {
  return { text, citations: [], unsupported: [], abstained: false, warnings: [] }
}

/** Leaves out text beside calls, which was not checked. */
function isCallOrResult({ role, functionCall }: Message): boolean {
  return role === 'function' || functionCall !== undefined
}

function removeThoughts({
  reasoningContent: _,
  reasoningOrigin: _origin,
  ...message
}: Message): Message {
  return message
}

function replaceLastText(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1)
  const isAnswer = last?.role === 'assistant' && !last.functionCall
  const spoken: Message = { ...(isAnswer && last), role: 'assistant', content: text }
  return [...(isAnswer ? messages.slice(0, -1) : messages), spoken]
}

function toNotices(warning: Warning): readonly AgentEvent[] {
  if (warning.code !== REQUEST_SHORTENED) return []
  const notice = { type: 'notice', name: 'model', text: warning.message } as const
  return [attachMessages(notice, getMessages(warning))]
}
