import { createId } from '../../../system/digest.ts'
import { type Message, textContent } from '../../message.ts'
import {
  type ModelRequest,
  type ToolCall,
  type ToolChoice,
  type ToolDefinition,
  UNNAMED_CALL,
} from '../../model.ts'
import { parseJsonCall } from './call-body.ts'
import { findMarker, measureSafeLength } from './marker-scan.ts'
import type { CallReader, CallTemplate, TextOrCall } from './text-calls.ts'
import { PrefilledCallReader, prefillAnswer, withToolBlock } from './written-turns.ts'

const OPEN = '<tool_call>'
const CLOSE = '</tool_call>'
const THINK = '<think>'
const THOUGHT = '</think>'
/** Characters of a broken call in problems, so that they stay short. */
const MAX_ECHO = 200

/** Hermes and Qwen 2.5: JSON in `<tool_call>`, results in `<tool_response>`. */
export const nousTemplate: CallTemplate = {
  stop: [],
  write: writeNous,
  createReader({ toolChoice }) {
    const callStart = writeCallStart(toolChoice)
    return callStart === ''
      ? new TagReader(readWrittenCall)
      : new PrefilledCallReader(new TagReader(readPrefilledCall), callStart)
  },
}

function writeNous({ messages, tools, toolChoice }: ModelRequest): readonly Message[] {
  const written: Message[] = []
  for (const message of messages) append(written, toText(message))
  if (tools.length === 0) return written
  const block = writeToolBlock(tools, toolChoice)
  return withToolBlock(prefillAnswer(written, writeCallStart(toolChoice)), block)
}

function append(written: Message[], message: Message): void {
  const last = written.at(-1)
  const isSameTurn = last?.role === message.role && message.role !== 'system'
  if (!isSameTurn || typeof last.content !== 'string' || typeof message.content !== 'string')
    written.push(message)
  else
    written[written.length - 1] = {
      ...last,
      content: [last.content, message.content].filter(Boolean).join('\n'),
    }
}

function toText({ functionId: _, ...message }: Message): Message {
  if (message.role === 'function')
    return { role: 'user', content: wrapResponse(textContent(message)) }
  const { functionCall, reasoningContent, reasoningOrigin } = message
  if (!functionCall) return message
  const call = `<tool_call>\n{"name": ${JSON.stringify(functionCall.name)}, "arguments": ${functionCall.arguments || '{}'}}\n</tool_call>`
  return {
    role: 'assistant',
    content: [textContent(message), call].filter(Boolean).join('\n'),
    ...(reasoningContent !== undefined && { reasoningContent }),
    ...(reasoningOrigin && { reasoningOrigin }),
  }
}

function wrapResponse(text: string): string {
  return `<tool_response>\n${text.replace(/<(\/?)(tool_(?:response|call))>/g, '<$1 $2>')}\n</tool_response>`
}

function writeToolBlock(tools: readonly ToolDefinition[], choice: ToolChoice): string {
  const lines = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ type: 'function', function: { name, description, parameters } }),
  )
  return `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${lines.join('\n')}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>${writeChoice(choice)}`
}

function writeChoice(choice: ToolChoice): string {
  if (choice === 'auto') return ''
  if (choice === 'none') return '\n\nDo not call a function now: answer.'
  return `\n\nCall ${choice === 'required' ? 'one of the functions' : `the function ${choice.name}`} now.`
}

function writeCallStart(choice: ToolChoice): string {
  return typeof choice === 'string'
    ? ''
    : `<tool_call>\n{"name": ${JSON.stringify(choice.name)}, "arguments": `
}

/** Returns undefined if the text between tags remains text. */
type ReadCall = (body: string, id: string) => ToolCall | undefined

export class TagReader implements CallReader {
  #buffer = ''
  #state: 'text' | 'think' | 'call' = 'text'
  #hasCalled = false
  readonly #read: ReadCall

  constructor(read: ReadCall) {
    this.#read = read
  }

  *push(text: string): Iterable<TextOrCall> {
    this.#buffer += text
    for (;;) {
      const found = findMarker(this.#buffer, this.#listMarkers())
      if (!found) break
      yield* this.#pass(found.before, found.marker)
      this.#buffer = found.after
    }
    if (this.#state === 'call') return
    const safe = measureSafeLength(this.#buffer, this.#listMarkers())
    yield* this.#emitText(this.#buffer.slice(0, safe))
    this.#buffer = this.#buffer.slice(safe)
  }

  *end(): Iterable<TextOrCall> {
    if (this.#state === 'call') yield* this.#call(this.#buffer, '')
    else yield* this.#emitText(this.#buffer)
  }

  #listMarkers() {
    if (this.#state === 'call') return [CLOSE] as const
    return this.#state === 'think' ? ([THOUGHT] as const) : ([OPEN, THINK] as const)
  }

  *#pass(before: string, marker: string): Iterable<TextOrCall> {
    if (marker === CLOSE) yield* this.#call(before, CLOSE)
    else yield* this.#emitText(marker === OPEN ? before : before + marker)
    this.#state = marker === OPEN ? 'call' : marker === THINK ? 'think' : 'text'
  }

  *#emitText(text: string): Iterable<TextOrCall> {
    if (text !== '' && !this.#hasCalled) yield { type: 'text-delta', text }
  }

  *#call(body: string, close: string): Iterable<TextOrCall> {
    const call = this.#read(body, createId('call_'))
    if (!call) return yield* this.#emitText(OPEN + body + close)
    if (body.trim() === '') return
    this.#hasCalled = true
    yield { type: 'tool-call', call }
  }
}

function readWrittenCall(text: string, id: string): ToolCall {
  const call = parseJsonCall(text)
  return call ? { id, ...call } : recoverCall(text.trim(), id)
}

function readPrefilledCall(text: string, id: string): ToolCall {
  const closed = parseJsonCall(`${text}}`)
  return closed?.arguments.startsWith('{') ? { id, ...closed } : readWrittenCall(text, id)
}

function recoverCall(text: string, id: string): ToolCall {
  const name = /["']name["']\s*:\s*["']([^"']+)["']/.exec(text)?.[1]?.trim()
  const args =
    /["']arguments["']\s*:\s*([\s\S]*)$/.exec(text)?.[1]?.trim().replace(/\}$/, '').trim() ?? ''
  const advice = 'Write {"name": ..., "arguments": {...}} as JSON, whole.'
  const problem = `The tool call cannot be read: ${text.slice(0, MAX_ECHO)}. ${advice}`
  return { id, name: name || UNNAMED_CALL, arguments: name ? args : text, problem }
}
