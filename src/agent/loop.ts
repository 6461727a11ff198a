import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import { createId } from '../system/digest.ts'
import type { AgentEvent, AgentResult } from './event.ts'
import type { Message, ReasoningOrigin } from './message.ts'
import { toMessages } from './messages/model-response.ts'
import { listOpenCalls, withResults } from './messages/open-calls.ts'
import type {
  ChatModel,
  FinishReason,
  ModelEvent,
  ModelRequest,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from './model.ts'
import type { GenerateConfig } from './models/generate-config.ts'
import { makeCalls, type ToolUse } from './tool-use.ts'
import type { StructuredOutput } from './tools/json-schema.ts'

export type LoopEvent = Exclude<AgentEvent, { type: 'finish' }> | LoopWarning | LoopEnd

type LoopWarning = { readonly type: 'warning'; readonly warning: Warning }

export type LoopEnd = {
  readonly type: 'end'
  readonly text: string
  readonly reason: AgentResult['finishReason']
  readonly openCalls: readonly ToolCall[]
  readonly messages: readonly Message[]
  readonly object?: unknown
}

export type LoopOptions = ToolUse & {
  readonly model: ChatModel
  /** Allows no tools in the last one. */
  readonly maxModelCalls: number
  /** Counted since the last question. Further calls are not made and end the answer. */
  readonly maxToolCalls: number
  readonly toolChoice: ToolChoice
  readonly config: GenerateConfig
}

type Reply = {
  readonly text: string
  readonly reasoning: string
  readonly reasoningOrigin?: ReasoningOrigin | undefined
  readonly calls: readonly ToolCall[]
  readonly reason: FinishReason
}

/** Queries the model and makes its calls until it makes none. */
export async function* runLoop(
  messages: readonly Message[],
  options: LoopOptions,
): AsyncGenerator<LoopEvent> {
  const { model, maxModelCalls, maxToolCalls, toolChoice, config, signal, approvals } = options
  const tools = [...options.tools, ...options.callerTools]
  requireChosenTool(toolChoice, tools)
  const resumed = yield* makeCalls(approvals ? listOpenCalls(messages) : [], options)
  if (resumed.open.length > 0) return yield toEnd({ ...resumed, text: '' }, resumed.results)
  const before = withResults(messages, resumed.results)
  const added: Message[] = [...resumed.results]
  let remainingCalls = maxToolCalls - countCallsSinceQuestion(messages)
  for (let call = 1; call <= maxModelCalls; call++) {
    const isLast = call === maxModelCalls || remainingCalls <= 0
    const choice = isLast ? 'none' : getToolChoice(call, toolChoice)
    const reply = yield* askModel(
      model,
      {
        messages: [...before, ...added.slice(resumed.results.length)],
        tools,
        toolChoice: choice,
        config,
      },
      signal,
    )
    remainingCalls -= reply.calls.length
    if (reply.calls.length > 0 && remainingCalls < 0) return yield stopAtLimit(reply, added)
    added.push(...toMessages(reply))
    for (const made of reply.calls) yield toCallEvent(made, options.tools)
    const use = addResults(options, added)
    const { results, open, reason } = yield* makeCalls(reply.calls, use)
    added.push(...results)
    if (reply.calls.length === 0) return yield toEnd({ ...reply, open }, added)
    if (open.length > 0) return yield toEnd({ ...reply, reason, open }, added)
  }
  yield toEnd({ text: '', reason: 'max-model-calls', open: [] }, added)
}

/** Gives tools the results of earlier calls, for their pictures. */
function addResults(use: LoopOptions, added: readonly Message[]): LoopOptions {
  const results = added.filter(({ role }) => role === 'function')
  return { ...use, messages: [...(use.messages ?? []), ...results] }
}

function toCallEvent(call: ToolCall, tools: LoopOptions['tools']): LoopEvent {
  const tool = tools.find(({ name }) => name === call.name)
  const isRepeatable = tool?.mayRepeat || tool?.isReadOnly
  return { type: 'tool-call', call, ...(isRepeatable && { mayRepeat: true }) }
}

function getToolChoice(call: number, toolChoice: ToolChoice): ToolChoice {
  return call === 1 || toolChoice === 'none' ? toolChoice : 'auto'
}

function stopAtLimit(reply: Reply, before: readonly Message[]): LoopEnd {
  const written = toMessages({ ...reply, calls: [] })
  return toEnd({ text: '', reason: 'max-tool-calls', open: [] }, [...before, ...written])
}

function countCallsSinceQuestion(messages: readonly Message[]): number {
  const question = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(question + 1).filter(({ functionCall }) => functionCall !== undefined)
    .length
}

/** Asks once more for an output that does not match the schema. Throws `model_unavailable`. */
export async function* runOutputLoop(
  inputMessages: readonly Message[],
  options: LoopOptions,
  { read }: StructuredOutput,
): AsyncGenerator<LoopEvent> {
  const first = yield* passSteps(runLoop(inputMessages, options))
  const output = first.reason === 'stop' ? read(first.text) : undefined
  if (!output || 'object' in output) return yield { ...first, ...output }
  const content = `${output.problem} Answer again, with the JSON only.`
  const added: readonly Message[] = [...first.messages, { role: 'user', content }]
  const second = yield* passSteps(
    runLoop([...inputMessages, ...added], { ...options, approvals: undefined }),
  )
  const messages = [...added, ...second.messages]
  const again = second.reason === 'stop' ? read(second.text) : undefined
  if (!again || 'object' in again) return yield { ...second, messages, ...again }
  throw new AppError(
    'model_unavailable',
    localizable`The model ${options.model.id} twice gave an answer that does not match the output schema. ${again.problem}`,
  )
}

/** Has the answer rewritten until the review finds no fault. */
export async function* runReviewedLoop(
  messages: readonly Message[],
  options: LoopOptions,
  review: (draft: LoopEnd) => AsyncGenerator<LoopEvent, string | undefined>,
): AsyncGenerator<LoopEvent> {
  const added: Message[] = []
  for (let how = options; ; how = { ...options, approvals: undefined }) {
    const draft = yield* passSteps(runLoop([...messages, ...added], how))
    added.push(...draft.messages)
    const faults = draft.reason === 'stop' ? yield* review(draft) : undefined
    if (faults === undefined) return yield { ...draft, messages: added }
    added.push({ role: 'user', content: faults })
  }
}

async function* passSteps(events: AsyncGenerator<LoopEvent>): AsyncGenerator<LoopEvent, LoopEnd> {
  for await (const event of events) {
    if (event.type === 'end') return event
    yield event
  }
  throw new AppError('internal', 'The agent loop ended without an end event.')
}

type End = {
  readonly text: string
  readonly reason: LoopEnd['reason']
  readonly open: readonly ToolCall[]
}

function toEnd({ text, reason, open: openCalls }: End, messages: readonly Message[]): LoopEnd {
  return { type: 'end', text, reason, openCalls, messages }
}

async function* askModel(
  model: ChatModel,
  request: ModelRequest,
  signal?: AbortSignal,
): AsyncGenerator<LoopEvent, Reply> {
  let calls: ToolCall[] = []
  let text = ''
  let reasoning = ''
  let end: Omit<Extract<ModelEvent, { type: 'finish' }>, 'type'> = { reason: 'stop' }
  const ids = new CallIds(request.messages)
  for await (const modelEvent of model.stream(request, signal)) {
    const event = ids.makeDistinct(modelEvent)
    if (event.type === 'tool-call') calls.push(event.call)
    else if (event.type === 'finish') end = event
    else yield event
    if (event.type === 'text-delta') text += event.text
    if (event.type === 'reasoning-delta') reasoning += event.text
    if (event.type === 'text-as-reasoning')
      [text, reasoning, calls] = ['', reasoning + event.text, []]
  }
  const { reason, reasoningOrigin, warnings = [] } = end
  if (reasoningOrigin) yield { type: 'reasoning-end', origin: reasoningOrigin }
  for (const warning of warnings) yield { type: 'warning', warning }
  if (calls.length > 0 || text.trim() !== '')
    return { text, reasoning, reasoningOrigin, calls, reason }
  throw new AppError(
    'model_unavailable',
    localizable`The model ${model.id} gave no answer: ${explainNoAnswer(reason)}`,
  )
}

/** Makes ids distinct: some servers restart numbers with every answer. */
class CallIds {
  readonly #usedIds: Set<string>
  readonly #changed = new Map<string, string>()

  constructor(messages: readonly Message[]) {
    this.#usedIds = new Set(['', ...messages.flatMap(({ functionId }) => functionId ?? [])])
  }

  makeDistinct(event: ModelEvent): ModelEvent {
    if (event.type === 'tool-call-delta') return { ...event, id: this.#resolve(event.id) }
    if (event.type !== 'tool-call') return event
    const id = this.#resolve(event.call.id)
    this.#changed.delete(event.call.id)
    this.#usedIds.add(id)
    return { ...event, call: { ...event.call, id } }
  }

  #resolve(id: string): string {
    if (!this.#usedIds.has(id)) return id
    const own = this.#changed.get(id) ?? createId('call_')
    this.#changed.set(id, own)
    return own
  }
}

function explainNoAnswer(reason: FinishReason): string {
  if (reason === 'content-filter')
    return 'its content filter stopped it. Rephrase the question, or use another model.'
  if (reason === 'length')
    return 'its token limit was reached before the answer began. Raise model.maxTokens, or use another model.'
  return 'it was empty. Ask again, or use another model.'
}

function requireChosenTool(choice: ToolChoice, tools: readonly ToolDefinition[]): void {
  const names = tools.map(tool => tool.name)
  if (typeof choice === 'string' || names.includes(choice.name)) return
  const there = names.length > 0 ? localizable`There are: ${names}.` : 'There are none.'
  throw new AppError(
    'invalid_input',
    localizable`There is no tool ${choice.name} to be called. ${there}`,
    { about: choice.name },
  )
}
