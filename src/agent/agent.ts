import type { Language } from '../text/language.ts'
import { throwFailures } from './answer.ts'
import type { LoopEvent } from './function-calling.ts'
import type { GenerateConfig } from './generate-config.ts'
import { parseGenerateConfig } from './generate-config-json.ts'
import { conversationLanguage } from './language.ts'
import { type Message, withTextBefore } from './message.ts'
import { type MessageJson, messageJson, parseMessage } from './message-json.ts'
import type { ToolChoice } from './model.ts'
import { saidMessages } from './model-response.ts'
import { STOPPED } from './phrases.ts'

/** What happens while an agent answers. */
export type AgentStep =
  | LoopEvent
  /** Said by somebody other than the model, as by the memory of files that it cannot read. */
  | { readonly type: 'notice'; readonly name: string; readonly text: string }

export type RunOptions = {
  readonly signal?: AbortSignal | undefined
  /** Of the agent's own words; told from the conversation when absent. */
  readonly language?: Language | undefined
  /** Over the agent's own; lists of stops join. */
  readonly config?: GenerateConfig | undefined
  /** Of the first model call, instead of the agent's own. */
  readonly toolChoice?: ToolChoice | undefined
}

/** Of a run in plain JSON: `generate_cfg`, by Qwen-Agent's names. */
type JsonRunOptions = Pick<RunOptions, 'signal' | 'language'> & { readonly generate_cfg?: unknown }

/** Something that answers a conversation with messages. */
export interface Agent {
  readonly name: string
  /** Every step as it happens. The last event is `finish` or `error`; only an abort throws. */
  events(messages: readonly Message[], options?: RunOptions): AsyncIterable<AgentStep>
}

/** The answer so far, as messages: each list replaces the one before. Throws what went wrong. */
export async function* run(
  agent: Agent,
  messages: readonly Message[],
  options: RunOptions = {},
): AsyncGenerator<readonly Message[]> {
  const answer = new AnswerMessages(agent.name, options.language ?? conversationLanguage(messages))
  for await (const event of throwFailures(agent.events(messages, options))) {
    if (answer.add(event)) yield answer.messages
  }
}

/** The answer whole. */
export async function runToEnd(
  agent: Agent,
  messages: readonly Message[],
  options: RunOptions = {},
): Promise<readonly Message[]> {
  let last: readonly Message[] = []
  for await (const list of run(agent, messages, options)) last = list
  return last
}

/** As `run`, from plain JSON to plain JSON. */
export async function* runJson(
  agent: Agent,
  messages: readonly unknown[],
  { generate_cfg, ...options }: JsonRunOptions = {},
): AsyncGenerator<readonly MessageJson[]> {
  const how = { ...options, ...parseGenerateConfig(generate_cfg ?? {}) }
  for await (const list of run(agent, messages.map(parseMessage), how)) yield list.map(messageJson)
}

/** The messages that the events of an answer make. */
class AnswerMessages {
  readonly #name: string
  readonly #language: Language
  #done: readonly Message[] = []
  #turn = { text: '', reasoning: '' }

  constructor(name: string, language: Language) {
    this.#name = name
    this.#language = language
  }

  get messages(): readonly Message[] {
    const all = [...this.#done, ...saidMessages({ ...this.#turn, calls: [] })]
    return all.map(message => (message.name ? message : { ...message, name: this.#name }))
  }

  /** Whether the messages changed. */
  add(event: AgentStep): boolean {
    if (event.type === 'text-delta') this.#turn = { ...this.#turn, text: this.#turn.text + event.text }
    else if (event.type === 'reasoning-delta')
      this.#turn = { ...this.#turn, reasoning: this.#turn.reasoning + event.text }
    else if (event.type === 'notice') this.#append({ role: 'assistant', name: event.name, content: event.text })
    else if (event.type === 'tool-call') this.#append(...saidMessages({ ...this.#turn, calls: [event.call] }))
    else if (event.type === 'tool-result') {
      const { id: functionId, name } = event.call
      this.#append({ role: 'function', name, functionId, content: event.text })
    } else if (event.type === 'finish') return this.#finish(event.reason)
    else return false
    return true
  }

  #append(...messages: readonly Message[]): void {
    this.#done = [...this.#done, ...messages]
    this.#turn = { text: '', reasoning: '' }
  }

  /** That the limit was reached is said in words, and in `finish_reason`. */
  #finish(reason: string): boolean {
    if (reason === 'stop' || reason === 'tool-calls') return false
    const last: Message = saidMessages({ ...this.#turn, calls: [] })[0] ?? { role: 'assistant', content: '' }
    const said = reason === 'max-model-calls' ? withTextBefore(last, STOPPED[this.#language]) : last
    this.#append({ ...said, extra: { finish_reason: reason } })
    return true
  }
}
