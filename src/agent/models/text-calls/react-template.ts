import { createId } from '../../../system/digest.ts'
import { type Message, textContent } from '../../message.ts'
import type { ModelRequest, ToolChoice, ToolDefinition } from '../../model.ts'
import { findMarker, measureSafeLength } from './marker-scan.ts'
import type { CallReader, CallTemplate, TextOrCall } from './text-calls.ts'
import {
  continueLast,
  joinTurns,
  PrefilledCallReader,
  prefillCall,
  type Surroundings,
  withToolBlock,
} from './written-turns.ts'

const THOUGHT = '\nThought:'
const ACTION = '\nAction:'
const INPUT = '\nAction Input:'
const OBSERVATION = '\nObservation:'
const ANSWER = '\nFinal Answer:'
const MARKS = [THOUGHT, ACTION, INPUT, OBSERVATION, ANSWER] as const
type Mark = (typeof MARKS)[number]

/** Marks thoughts from a trace, as opposed to the server's field. */
const THOUGHT_FIELD = 'Thought'

/** ReAct: Thought, Action, Action Input, Observation, Final Answer (Yao et al. 2023). */
export const reactTemplate: CallTemplate = {
  stop: [OBSERVATION],
  thoughtField: THOUGHT_FIELD,
  write: writeReact,
  createReader({ toolChoice }) {
    const callStart = writeCallStart(toolChoice)
    return callStart === ''
      ? new ReactReader()
      : new PrefilledCallReader(new ReactReader(), callStart)
  },
}

function writeReact(
  { messages, tools, toolChoice }: ModelRequest,
  server: string,
): readonly Message[] {
  const joined = joinTurns(messages, (message, around) => writePart(message, server, around))
  const prompt = continueLast(prefillCall(joined, writeCallStart(toolChoice)))
  return tools.length === 0 || toolChoice === 'none'
    ? prompt
    : withToolBlock(prompt, writeToolBlock(tools, toolChoice))
}

function writeCallStart(choice: ToolChoice): string {
  return typeof choice === 'string' ? '' : `Action: ${choice.name}${INPUT} `
}

function writePart(
  message: Message,
  server: string,
  { isAfterResult, isBeforeResult: isMoreToCome }: Surroundings,
): string {
  const { reasoningContent = '', reasoningOrigin: origin } = message
  const isOwn = origin?.server === server && origin.fields.includes(THOUGHT_FIELD)
  const thought =
    isOwn && reasoningContent !== ''
      ? `${isAfterResult ? '' : `${THOUGHT} `}${reasoningContent}`
      : ''
  const text = [thought, textContent(message)].filter(Boolean).join('\n')
  const escapedText = text.replace(
    /^(Thought|Action|Action Input|Observation|Final Answer):/gm,
    '$1 :',
  )
  if (message.role === 'function')
    return `${OBSERVATION} ${escapedText}${isMoreToCome ? '' : `${THOUGHT} `}`
  const { functionCall } = message
  if (!functionCall) return text
  return `${text}${ACTION} ${functionCall.name}${INPUT} ${functionCall.arguments}`
}

function writeToolBlock(tools: readonly ToolDefinition[], choice: ToolChoice): string {
  const described = tools.map(
    ({ name, description, parameters, argsFormat = 'Format the arguments as a JSON object.' }) =>
      `${name}: ${description} Parameters: ${JSON.stringify(parameters)} ${argsFormat}`,
  )
  const required = choice === 'required' ? ['Take one of the actions now.'] : []
  const how = `Use this format, each mark at the beginning of a line:

Thought: what you think about what to do
Action: the action to take, one of [${tools.map(({ name }) => name).join(', ')}]
Action Input: its arguments, as one JSON object
Observation: what it gave; you never write this yourself
(Thought, Action, Action Input and Observation may be repeated)
Thought: what you know now
Final Answer: the answer to the question, in its language`
  return ['# Tools', 'You may take these actions:', ...described, how, ...required].join('\n\n')
}

class ReactReader implements CallReader {
  #buffer = '\n'
  #mark: Mark | undefined
  #name = ''
  #hasThought = false
  #hasSpoken = false
  #hasCalled = false;

  *push(text: string): Iterable<TextOrCall> {
    this.#buffer += text
    for (;;) {
      const found = findMarker(this.#buffer, MARKS)
      if (!found) break
      yield* this.#leave(found.before)
      this.#mark = found.marker
      this.#buffer = found.after
    }
    if (this.#mark !== undefined && this.#mark !== ANSWER) return
    const safe = measureSafeLength(this.#buffer, MARKS)
    yield* this.#emitText(this.#buffer.slice(0, safe))
    this.#buffer = this.#buffer.slice(safe)
  }

  *end(): Iterable<TextOrCall> {
    const isAnswer = this.#mark === THOUGHT && !this.#hasSpoken && !this.#hasCalled
    if (isAnswer) return yield* this.#emitText(this.#buffer.trim())
    yield* this.#leave(this.#buffer)
    if (this.#name !== '') yield* this.#call('')
  }

  *#leave(content: string): Iterable<TextOrCall> {
    if (this.#mark === undefined || this.#mark === ANSWER) return yield* this.#emitText(content)
    if (this.#name !== '') yield* this.#call(this.#mark === INPUT ? content.trim() : '')
    if (this.#mark === THOUGHT) yield* this.#emitThought(content.trim())
    if (this.#mark === ACTION) this.#name = content.trim()
  }

  *#emitText(text: string): Iterable<TextOrCall> {
    const visibleText = this.#hasSpoken ? text : text.trimStart()
    if (visibleText === '' || this.#hasCalled) return
    this.#hasSpoken = true
    yield { type: 'text-delta', text: visibleText }
  }

  *#emitThought(thought: string): Iterable<TextOrCall> {
    if (thought === '' || this.#hasCalled) return
    yield { type: 'reasoning-delta', text: this.#hasThought ? `\n${thought}` : thought }
    this.#hasThought = true
  }

  *#call(args: string): Iterable<TextOrCall> {
    if (!this.#hasCalled)
      yield {
        type: 'tool-call',
        call: { id: createId('call_'), name: this.#name, arguments: args },
      }
    this.#hasCalled = true
    this.#name = ''
  }
}
