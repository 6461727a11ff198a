import type { AgentEvent, NumberedPlace } from './event.ts'
import type { ContentItem } from './message.ts'
import { type Message, textContent } from './message.ts'
import type { ToolCall, ToolDefinition } from './model.ts'
import { GUESSED_TOKENS, shortenText, type TextTokens } from './tokens/text-tokens.ts'
import {
  type Cite,
  callForContent,
  parseToolArguments,
  type Tool,
  type ToolErrorListener,
  type ToolRun,
} from './tool.ts'

/** `later` pauses the run until somebody decides. */
export type Approve = (call: ToolCall, signal?: AbortSignal) => Decision | Promise<Decision>
type Decision = boolean | 'later'

export type ToolUse = Omit<ToolRun, 'tell'> & {
  readonly tools: readonly Tool[]
  readonly callerTools: readonly ToolDefinition[]
  /** Per turn. */
  readonly maxParallelTools: number
  readonly approve?: Approve | undefined
  readonly approvals?: Readonly<Record<string, boolean>> | undefined
  /** Per tool result. */
  readonly maxToolTokens: number
  readonly tokens?: TextTokens | undefined
  readonly onToolError?: ToolErrorListener | undefined
  readonly signal?: AbortSignal | undefined
}

type MadeCalls = {
  readonly results: readonly Message[]
  readonly open: readonly ToolCall[]
  readonly reason: 'tool-calls' | 'approval'
}

type EmittedEvent = Exclude<AgentEvent, { type: 'finish' }>

const REFUSED = 'The user refused this call. Go on without it, or ask what to do instead.'

export async function* makeCalls(
  calls: readonly ToolCall[],
  use: ToolUse,
): AsyncGenerator<EmittedEvent, MadeCalls> {
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

/** Leaves unreadable calls for the model to write again. */
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

/** Leaves out unreadable arguments, which are not made. */
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

/** Looks at own properties only, because models choose the ids. */
export function findDecision(
  decisions: Readonly<Record<string, boolean>> = {},
  id: string,
): boolean | undefined {
  return Object.hasOwn(decisions, id) ? decisions[id] : undefined
}

/** Emits events as they happen. Breaking out of the loop stops the calls. */
async function* runParallel(
  calls: readonly ToolCall[],
  use: ToolUse,
  answers: Map<ToolCall, Message>,
): AsyncGenerator<EmittedEvent, void> {
  const { tools, maxParallelTools, signal, onToolError: onError, cite } = use
  const { conversation, messages, adopt } = use
  const cancellation = new AbortController()
  const stop = signal ? AbortSignal.any([signal, cancellation.signal]) : cancellation.signal
  const outbox = new Outbox()
  const options = {
    signal: stop,
    onError,
    conversation,
    messages,
    adopt,
    tell: (event: EmittedEvent) => void outbox.push(event),
  }
  const queue = calls.values()
  const work = async () => {
    for (const call of queue) {
      if (call.problem === undefined)
        await outbox.push({ type: 'tool-start', id: call.id, name: call.name })
      const cited: NumberedPlace[] = []
      const content = await callForContent(tools, call, {
        ...options,
        cite: cite && recordPlaces(cite, cited),
      })
      const answer = toResultMessage(call, await limitContent(content, use, stop))
      answers.set(call, answer)
      await outbox.push({
        type: 'tool-result',
        call,
        text: textContent(answer),
        ...(cited.length > 0 && { cited }),
      })
    }
  }
  const all = Promise.all(Array.from({ length: maxParallelTools }, work)).finally(() =>
    outbox.close(),
  )
  all.catch(() => cancellation.abort()) // thrown below, unless nobody reads that far
  try {
    for await (const event of outbox.read()) {
      if (event.type === 'tool-start') signal?.throwIfAborted()
      if (event.type === 'tool-start' && cancellation.signal.aborted) break // another one failed
      yield event
    }
    await all
  } finally {
    cancellation.abort()
  }
}

function recordPlaces(cite: Cite, cited: NumberedPlace[]): Cite {
  return async places => {
    const numbers = await cite(places)
    for (const [index, place] of places.entries()) {
      const number = numbers[index]
      if (number !== undefined) cited.push({ ...place, number })
    }
    return numbers
  }
}

async function limitContent(
  content: Message['content'],
  { maxToolTokens, tokens = GUESSED_TOKENS }: ToolUse,
  signal: AbortSignal,
): Promise<Message['content']> {
  const isFitting = (text: string) => Buffer.byteLength(text) <= maxToolTokens // no token is shorter than a byte
  if (isFitting(textContent({ content }))) return content
  let remainingTokens = maxToolTokens
  const cut = async (text: string) => {
    const maxTokens = remainingTokens
    remainingTokens -= Math.min(remainingTokens, await tokens.count(text, signal))
    const shortened = await shortenText(text, { maxTokens, tokens, keep: 'both', signal })
    return shortened === text
      ? text
      : `${shortened}\n[This answer is cut to ${maxToolTokens} tokens: ask for less.]`
  }
  if (typeof content === 'string') return await cut(content)
  const items: ContentItem[] = []
  for (const item of content) items.push('text' in item ? { text: await cut(item.text) } : item)
  return items
}

class Outbox {
  readonly #waiting: { readonly event: EmittedEvent; readonly onHeard: () => void }[] = []
  #isClosed = false
  #wake = () => {}

  push(event: EmittedEvent): Promise<void> {
    return new Promise(onHeard => {
      this.#waiting.push({ event, onHeard })
      this.#wake()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *read(): AsyncGenerator<EmittedEvent> {
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
