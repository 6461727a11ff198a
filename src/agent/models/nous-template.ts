import { newId } from '../../ingest/digest.ts'
import type { Message } from '../message.ts'
import { textContent } from '../message.ts'
import type { ModelRequest, ToolChoice, ToolDefinition } from '../model.ts'
import { BegunCallReader, withBegunAnswer } from './begun-call.ts'
import { findMarker, safeLength } from './marker-scan.ts'
import type { CallReader, CallTemplate, TextOrCall } from './text-calls.ts'
import { readBegunCall, readWrittenCall } from './written-call.ts'

/** The template of Hermes and Qwen 2.5: JSON in `<tool_call>` tags, results in `<tool_response>` tags. */
export const nousTemplate: CallTemplate = {
  stop: [],
  write: writeNous,
  reader({ toolChoice }) {
    const begun = begunCall(toolChoice)
    return begun === '' ? new NousReader(readWrittenCall) : new BegunCallReader(new NousReader(readBegunCall), begun)
  },
}

function writeNous({ messages, tools, toolChoice }: ModelRequest): readonly Message[] {
  const written: Message[] = []
  for (const message of messages) append(written, toText(message))
  if (tools.length === 0) return written
  const block = toolBlock(tools, toolChoice)
  const asked = withBegunAnswer(written, begunCall(toolChoice))
  const [first, ...rest] = asked
  if (first?.role !== 'system') return [{ role: 'system', content: block }, ...asked]
  return [{ ...first, content: `${textContent(first)}\n\n${block}` }, ...rest]
}

/** Calls of one turn are one message, and so are their results. */
function append(written: Message[], message: Message): void {
  const last = written.at(-1)
  const isSameTurn = last?.role === message.role && message.role !== 'system'
  if (!isSameTurn || typeof last.content !== 'string' || typeof message.content !== 'string') written.push(message)
  else written[written.length - 1] = { ...last, content: [last.content, message.content].filter(Boolean).join('\n') }
}

function toText({ functionId: _, ...message }: Message): Message {
  if (message.role === 'function') return { role: 'user', content: response(textContent(message)) }
  const { functionCall, ...rest } = message
  if (!functionCall) return rest
  const call = `<tool_call>\n{"name": ${JSON.stringify(functionCall.name)}, "arguments": ${functionCall.arguments || '{}'}}\n</tool_call>`
  return { role: 'assistant', content: [textContent(message), call].filter(Boolean).join('\n') }
}

/** A result that says `</tool_response>` does not end here. */
function response(text: string): string {
  return `<tool_response>\n${text.replace(/<(\/?)(tool_(?:response|call))>/g, '<$1 $2>')}\n</tool_response>`
}

function toolBlock(tools: readonly ToolDefinition[], choice: ToolChoice): string {
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
</tool_call>${choiceLine(choice)}`
}

function choiceLine(choice: ToolChoice): string {
  if (choice === 'auto') return ''
  if (choice === 'none') return '\n\nDo not call a function now: answer.'
  return `\n\nCall ${choice === 'required' ? 'one of the functions' : `the function ${choice.name}`} now.`
}

/** A named tool must be called: its call is begun for the model. */
function begunCall(choice: ToolChoice): string {
  return typeof choice === 'string' ? '' : `<tool_call>\n{"name": ${JSON.stringify(choice.name)}, "arguments": `
}

const OPEN = '<tool_call>'
const CLOSE = '</tool_call>'
const THINK = '<think>'
const THOUGHT = '</think>'

/** Text up to the first call, then calls only; what is thought aloud is text, whatever it looks like. */
class NousReader implements CallReader {
  #buffer = ''
  #state: 'text' | 'think' | 'call' = 'text'
  #hasCalled = false
  readonly #read: typeof readWrittenCall

  constructor(read: typeof readWrittenCall) {
    this.#read = read
  }

  *push(text: string): Iterable<TextOrCall> {
    this.#buffer += text
    for (;;) {
      const found = findMarker(this.#buffer, this.#markers())
      if (!found) break
      yield* this.#pass(found.before, found.marker)
      this.#buffer = found.after
    }
    if (this.#state === 'call') return
    const safe = safeLength(this.#buffer, this.#markers())
    yield* this.#text(this.#buffer.slice(0, safe))
    this.#buffer = this.#buffer.slice(safe)
  }

  *end(): Iterable<TextOrCall> {
    if (this.#state === 'call') yield* this.#call(this.#buffer)
    else yield* this.#text(this.#buffer)
  }

  #markers() {
    if (this.#state === 'call') return [CLOSE] as const
    return this.#state === 'think' ? ([THOUGHT] as const) : ([OPEN, THINK] as const)
  }

  *#pass(before: string, marker: string): Iterable<TextOrCall> {
    if (marker === CLOSE) yield* this.#call(before)
    else yield* this.#text(marker === OPEN ? before : before + marker)
    this.#state = marker === OPEN ? 'call' : marker === THINK ? 'think' : 'text'
  }

  *#text(text: string): Iterable<TextOrCall> {
    if (text !== '' && !this.#hasCalled) yield { type: 'text-delta', text }
  }

  *#call(body: string): Iterable<TextOrCall> {
    if (body.trim() === '') return
    this.#hasCalled = true
    yield { type: 'tool-call', call: this.#read(body, newId('call_')) }
  }
}
