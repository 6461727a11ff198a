import type { AgentEvent, NumberedPlace } from './event.ts'
import type { ContentItem } from './message.ts'
import { type Message, textContent } from './message.ts'
import type { ToolCall, ToolDefinition } from './model.ts'
import { GUESSED_TOKENS, shorten, type TextTokens } from './text-tokens.ts'
import {
  type Cite,
  callForContent,
  parseToolArguments,
  type Tool,
  type ToolErrorListener,
} from './tool.ts'

/** Whether a call may be made: `later` lets the run pause until somebody says so. */
export type Approve = (call: ToolCall, signal?: AbortSignal) => Decision | Promise<Decision>
type Decision = boolean | 'later'

/** How the calls of a model are made. */
export type ToolUse = {
  readonly tools: readonly Tool[]
  /** Tools that the caller runs: the turn that calls one is the last. */
  readonly callerTools: readonly ToolDefinition[]
  /** Of one turn. */
  readonly maxParallelTools: number
  readonly approve?: Approve | undefined
  /** What was decided of calls that a run paused for, by their ids. */
  readonly approvals?: Readonly<Record<string, boolean>> | undefined
  /** Of one answer. */
  readonly maxToolTokens: number
  /** Counts them; guessed by length when absent. */
  readonly tokens?: TextTokens | undefined
  readonly onToolError?: ToolErrorListener | undefined
  /** What tools keep from one call to the next belongs to it. */
  readonly conversation?: string | undefined
  /** Makes what tools find sources of the answer. */
  readonly cite?: Cite | undefined
  readonly signal?: AbortSignal | undefined
}

/** What calls came to: results in the order of the calls, and the calls that have none yet. */
type MadeCalls = {
  readonly results: readonly Message[]
  readonly open: readonly ToolCall[]
  readonly reason: 'tool-calls' | 'approval'
}

type Told = Exclude<AgentEvent, { type: 'finish' }>

const REFUSED = 'The user refused this call. Go on without it, or ask what to do instead.'

/** Makes the calls that may be made, a few at a time. */
export async function* makeCalls(
  calls: readonly ToolCall[],
  use: ToolUse,
): AsyncGenerator<Told, MadeCalls> {
  const [open, made]: [ToolCall[], ToolCall[]] = [[], []]
  const answers = new Map<ToolCall, Message>()
  let reason: MadeCalls['reason'] = 'tool-calls'
  for (const call of calls) {
    const decision = isCallerTool(call, use) ? 'theirs' : await decideCall(call, use)
    if (decision === true) made.push(call)
    if (decision === 'theirs' || decision === 'later') open.push(call)
    if (decision === 'later') {
      reason = 'approval'
      yield { type: 'approval', call }
    }
    if (decision !== false) continue
    answers.set(call, toResultMessage(call, REFUSED))
    yield { type: 'tool-result', call, text: REFUSED }
  }
  if (made.length > 0) yield* runParallel(made, use, answers)
  return { results: calls.flatMap(call => answers.get(call) ?? []), open, reason }
}

function toResultMessage({ name, id: functionId }: ToolCall, content: Message['content']): Message {
  return { role: 'function', name, functionId, content }
}

/** A call that could not be read is answered here, so that the model can write it again. */
function isCallerTool({ name, problem }: ToolCall, { callerTools }: ToolUse): boolean {
  return problem === undefined && callerTools.some(tool => tool.name === name)
}

async function decideCall(
  call: ToolCall,
  { tools, approve, approvals, signal, onToolError }: ToolUse,
): Promise<Decision> {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool || call.problem !== undefined || !needsDecision(tool, call, onToolError)) return true
  return findDecision(approvals, call.id) ?? (await approve?.(call, signal)) ?? 'later'
}

/** Returns whether a person has to decide on a call. Calls with unreadable arguments need no decision, because they are not made. */
function needsDecision(
  tool: Tool,
  { arguments: text }: ToolCall,
  onToolError?: ToolErrorListener,
): boolean {
  const { name, needsApproval = false } = tool
  if (needsApproval === false) return false
  const args = readArguments(tool, text)
  if (args === undefined) return false
  if (needsApproval === true) return true
  try {
    return needsApproval(args)
  } catch (error) {
    onToolError?.(name, error)
    return true // a condition that throws does not approve the call
  }
}

function readArguments(tool: Tool, text: string): unknown {
  try {
    return parseToolArguments(tool, text)
  } catch {
    return undefined // the result of the call reports the problem
  }
}

/** Returns the decision on a call. Models choose the ids, so an id may be the name of an inherited property. */
export function findDecision(
  decisions: Readonly<Record<string, boolean>> = {},
  id: string,
): boolean | undefined {
  return Object.hasOwn(decisions, id) ? decisions[id] : undefined
}

/** Adds what the calls give; that they begin, what they tell and what they give comes out as it happens. Leaving early stops them. */
async function* runParallel(
  calls: readonly ToolCall[],
  use: ToolUse,
  answers: Map<ToolCall, Message>,
): AsyncGenerator<Told, void> {
  const { tools, maxParallelTools, signal, onToolError: onError, conversation, cite } = use
  const left = new AbortController()
  const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal
  const told = new Outbox()
  const options = {
    signal: stop,
    onError,
    conversation,
    tell: (event: Told) => void told.push(event),
  }
  const queue = calls.values()
  const work = async () => {
    for (const call of queue) {
      if (call.problem === undefined)
        await told.push({ type: 'tool-start', id: call.id, name: call.name })
      const cited: NumberedPlace[] = []
      const content = await callForContent(tools, call, {
        ...options,
        cite: cite && recordPlaces(cite, cited),
      })
      const answer = toResultMessage(call, await limitContent(content, use, stop))
      answers.set(call, answer)
      await told.push({
        type: 'tool-result',
        call,
        text: textContent(answer),
        ...(cited.length > 0 && { cited }),
      })
    }
  }
  const all = Promise.all(Array.from({ length: maxParallelTools }, work)).finally(() =>
    told.close(),
  )
  all.catch(() => left.abort()) // thrown below, unless nobody reads that far
  try {
    for await (const event of told.read()) {
      if (event.type === 'tool-start') signal?.throwIfAborted()
      if (event.type === 'tool-start' && left.signal.aborted) break // another one failed: this one does not begin any more
      yield event
    }
    await all
  } finally {
    left.abort()
  }
}

/** Adds the places that there is room for. */
function recordPlaces(cite: Cite, cited: NumberedPlace[]): Cite {
  return async places => {
    const numbers = await cite(places)
    for (const [at, place] of places.entries()) {
      const number = numbers[at]
      if (number !== undefined) cited.push({ ...place, number })
    }
    return numbers
  }
}

/** The texts of an answer in what there is room for, beginning and end, and said to be cut. */
async function limitContent(
  content: Message['content'],
  { maxToolTokens, tokens = GUESSED_TOKENS }: ToolUse,
  signal: AbortSignal,
): Promise<Message['content']> {
  const fits = (text: string) => Buffer.byteLength(text) <= maxToolTokens // no token is shorter than a byte
  if (fits(textContent({ content }))) return content
  let left = maxToolTokens
  const cut = async (text: string) => {
    const maxTokens = left
    left -= Math.min(left, await tokens.count(text, signal))
    const shown = await shorten(text, { maxTokens, tokens, keep: 'both', signal })
    return shown === text
      ? text
      : `${shown}\n[This answer is cut to ${maxToolTokens} tokens: ask for less.]`
  }
  if (typeof content === 'string') return await cut(content)
  const items: ContentItem[] = []
  for (const item of content) items.push('text' in item ? { text: await cut(item.text) } : item)
  return items
}

/** What several tell at once, in the order in which they tell it. */
class Outbox {
  readonly #waiting: { readonly event: Told; readonly onHeard: () => void }[] = []
  #isClosed = false
  #wake = () => {}

  /** Resolves when whoever reads has taken note of it and asks for more. */
  push(event: Told): Promise<void> {
    return new Promise(onHeard => {
      this.#waiting.push({ event, onHeard })
      this.#wake()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *read(): AsyncGenerator<Told> {
    for (;;) {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        yield next.event
        next.onHeard()
      }
      if (this.#isClosed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
