import { AppError } from '../errors.ts'
import { type AgentEvent, type Answer, type AskRequest, reportFailures } from './answer.ts'
import { type GenerateConfig, mergeConfigs } from './generate-config.ts'
import type { Message } from './message.ts'
import type { ChatModel, FinishReason, ModelRequest, ToolCall, ToolChoice, ToolDefinition } from './model.ts'
import { saidMessages } from './model-response.ts'
import { callTool, type Tool, type ToolErrorListener } from './tool.ts'
import { withTimeout } from './tools/tool-limits.ts'

/** What the loop tells: every step, then how it ended and the last answer whole. */
export type LoopEvent =
  | Extract<
      AgentEvent,
      { type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta' | 'tool-call' | 'tool-result' | 'usage' | 'error' }
    >
  | {
      readonly type: 'finish'
      readonly text: string
      readonly reason: FinishReason | 'max-model-calls'
      /** Of the caller's tools. */
      readonly calls?: readonly ToolCall[]
    }

export type FunctionCallingOptions = {
  readonly model: ChatModel
  readonly tools: readonly Tool[]
  /** The last of them may not call tools, so that there is an answer. */
  readonly maxModelCalls?: number
  /** Of one turn. */
  readonly maxParallelTools?: number
  /** Of the first model call: a named tool is called then, not again and again. */
  readonly toolChoice?: ToolChoice | undefined
  /** Of every model call. */
  readonly config?: GenerateConfig | undefined
  /** Of one call. */
  readonly toolTimeoutMs?: number
  readonly onToolError?: ToolErrorListener | undefined
  /** Tools that the caller runs: the turn that calls one is the last. */
  readonly callerTools?: readonly ToolDefinition[]
}

/** Of one run, over what the agent was made with. */
type RunSettings = {
  readonly signal?: AbortSignal | undefined
  readonly config?: GenerateConfig | undefined
  readonly toolChoice?: ToolChoice | undefined
}

type Turn = { readonly text: string; readonly calls: readonly ToolCall[]; readonly reason: FinishReason }

/** The agent loop: the model is asked, its tools are called and answer it, until it calls none. */
export class FunctionCallingAgent {
  readonly #options: FunctionCallingOptions
  readonly #model: ChatModel
  readonly #tools: readonly Tool[]
  readonly #callerTools: readonly ToolDefinition[]
  readonly #maxModelCalls: number
  readonly #maxParallelTools: number
  readonly #onToolError: ToolErrorListener | undefined

  constructor(options: FunctionCallingOptions) {
    const { tools, toolTimeoutMs = 120_000 } = options
    this.#options = options
    this.#model = options.model
    this.#tools = tools.map(tool => withTimeout(tool, toolTimeoutMs))
    this.#callerTools = options.callerTools ?? []
    this.#maxModelCalls = options.maxModelCalls ?? 20
    this.#maxParallelTools = options.maxParallelTools ?? 4
    this.#onToolError = options.onToolError
  }

  /** The last event is `finish` or `error`; only an abort throws. */
  run(messages: readonly Message[], settings: RunSettings = {}): AsyncIterable<LoopEvent> {
    return reportFailures(this.#loop(messages, settings), settings.signal)
  }

  async *#loop(messages: readonly Message[], settings: RunSettings): AsyncGenerator<LoopEvent> {
    const { signal, config, toolChoice = this.#options.toolChoice ?? 'auto' } = settings
    this.#requireKnown(toolChoice)
    const tools = [...this.#tools, ...this.#callerTools]
    const asked = { tools, config: mergeConfigs(this.#options.config, config) }
    let conversation = messages
    for (let call = 1; call <= this.#maxModelCalls; call++) {
      const request = { ...asked, messages: conversation, toolChoice: this.#choiceOf(call, toolChoice) }
      const turn = yield* this.#ask(request, signal)
      if (turn.calls.length === 0) return yield this.#finish(turn)
      for (const toolCall of turn.calls) yield { type: 'tool-call', call: toolCall }
      const calls = turn.calls.filter(toolCall => this.#isCallers(toolCall))
      if (calls.length > 0) return yield { type: 'finish', text: turn.text, reason: 'tool-calls', calls }
      const answers = await this.#callTools(turn.calls, signal)
      for (const [at, text] of answers.entries()) yield { type: 'tool-result', call: turn.calls[at]!, text } // one each
      conversation = [...conversation, ...turnMessages(turn, answers)]
    }
    yield { type: 'finish', text: '', reason: 'max-model-calls' }
  }

  #choiceOf(call: number, first: ToolChoice): ToolChoice {
    if (call === this.#maxModelCalls) return 'none'
    return call === 1 || first === 'none' ? first : 'auto'
  }

  /** Throws `invalid_input` for a tool that must be called and is not there. */
  #requireKnown(choice: ToolChoice): void {
    const names = [...this.#tools, ...this.#callerTools].map(tool => tool.name)
    if (typeof choice === 'string' || names.includes(choice.name)) return
    const there = names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none.'
    throw new AppError('invalid_input', `There is no tool ${choice.name} to be called. ${there}`)
  }

  /** A call that could not be read is answered here, so that the model can write it again. */
  #isCallers({ name, problem }: ToolCall): boolean {
    return problem === undefined && this.#callerTools.some(tool => tool.name === name)
  }

  async *#ask(request: ModelRequest, signal?: AbortSignal): AsyncGenerator<LoopEvent, Turn> {
    const calls: ToolCall[] = []
    let text = ''
    let reason: FinishReason = 'stop'
    for await (const event of this.#model.stream(request, signal)) {
      if (event.type === 'tool-call') calls.push(event.call)
      else if (event.type === 'finish') reason = event.reason
      else yield event
      if (event.type === 'text-delta') text += event.text
    }
    return { text, calls, reason }
  }

  #finish({ text, reason }: Turn): LoopEvent {
    if (text.trim() !== '') return { type: 'finish', text, reason }
    throw new AppError('model_unavailable', `The model ${this.#model.id} gave no answer: ${whyNone(reason)}`)
  }

  /** A few at a time, answers in the order of the calls. */
  async #callTools(calls: readonly ToolCall[], signal?: AbortSignal): Promise<readonly string[]> {
    const answers: string[] = []
    const queue = calls.entries()
    const work = async () => {
      for (const [at, call] of queue)
        answers[at] = await callTool(this.#tools, call, { signal, onError: this.#onToolError })
    }
    await Promise.all(Array.from({ length: this.#maxParallelTools }, work))
    return answers
  }
}

function whyNone(reason: FinishReason): string {
  if (reason === 'content-filter') return 'its filter stopped it. Ask otherwise, or use another model.'
  if (reason === 'length')
    return 'its token limit was reached before the answer began. Raise model.maxTokens, or use another model.'
  return 'it said nothing. Ask again, or use another model.'
}

/** What cut an answer short, if anything did. */
export function cutOf(reason: FinishReason | 'max-model-calls'): Answer['incomplete'] {
  return reason === 'length' || reason === 'content-filter' || reason === 'max-model-calls' ? reason : undefined
}

/** A turn as the model will see it again: what it said, what it called, what came back. */
function turnMessages(turn: Turn, answers: readonly string[]): readonly Message[] {
  const results = turn.calls.map(
    ({ id, name }, at): Message => ({ role: 'function', name, functionId: id, content: answers[at] ?? '' }),
  )
  return [...saidMessages(turn), ...results]
}

/** What a request says of the loop and of its model. */
export function generation({ callerTools, toolChoice, config }: AskRequest) {
  return { ...(callerTools && { callerTools }), ...(toolChoice && { toolChoice }), ...(config && { config }) }
}
