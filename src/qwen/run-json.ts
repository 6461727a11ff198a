import type { Agent, RunOptions } from '../agent/agent.ts'
import type { AgentEvent, AgentResult } from '../agent/event.ts'
import type { Message, ReasoningOrigin } from '../agent/message.ts'
import { toMessages } from '../agent/messages/model-response.ts'
import type { Language } from '../text/language.ts'
import { parseGenerateConfig } from './generate-config-json.ts'
import { type MessageJson, parseMessage, toMessageJson } from './message-json.ts'

type JsonRunOptions = Pick<RunOptions, 'signal'> & {
  readonly language?: Language
  readonly generate_cfg?: unknown
}

/** Runs an agent from and to plain JSON; each list replaces the previous one. Throws failures. */
export async function* runJson(
  agent: Agent,
  messages: readonly unknown[],
  { generate_cfg, ...options }: JsonRunOptions = {},
): AsyncGenerator<readonly MessageJson[]> {
  const how = { ...options, ...parseGenerateConfig(generate_cfg ?? {}) }
  const answer = new AnswerMessages(agent.name)
  for await (const event of agent.run(messages.map(parseMessage), how).events) {
    if (answer.add(event)) yield answer.messages.map(toMessageJson)
  }
}

class AnswerMessages {
  readonly #name: string
  #done: readonly Message[] = []
  #turn: { text: string; reasoning: string; reasoningOrigin?: ReasoningOrigin } = {
    text: '',
    reasoning: '',
  }

  constructor(name: string) {
    this.#name = name
  }

  get messages(): readonly Message[] {
    const all = [...this.#done, ...toMessages({ ...this.#turn, calls: [] })]
    return all.map(message => (message.name ? message : { ...message, name: this.#name }))
  }

  add(event: AgentEvent): boolean {
    if (event.type === 'text-delta')
      this.#turn = { ...this.#turn, text: this.#turn.text + event.text }
    else if (event.type === 'reasoning-delta')
      this.#turn = { ...this.#turn, reasoning: this.#turn.reasoning + event.text }
    else if (event.type === 'text-as-reasoning')
      this.#turn = { ...this.#turn, text: '', reasoning: this.#turn.reasoning + event.text }
    else if (event.type === 'reasoning-end')
      this.#turn = { ...this.#turn, reasoningOrigin: event.origin }
    else if (event.type === 'notice' && event.name === 'memory')
      this.#append({ role: 'assistant', name: event.name, content: event.text })
    else if (event.type === 'tool-call')
      this.#append(...toMessages({ ...this.#turn, calls: [event.call] }))
    else if (event.type === 'tool-result') {
      const { id: functionId, name } = event.call
      this.#append({ role: 'function', name, functionId, content: event.text })
    } else if (event.type === 'finish') return this.#finish(event.result)
    else return false
    return true
  }

  #append(...messages: readonly Message[]): void {
    this.#done = [...this.#done, ...messages]
    this.#turn = { text: '', reasoning: '' }
  }

  /** Adds the checked text; `finish_reason` says why it was cut. */
  #finish({ text, finishReason, calls }: AgentResult): boolean {
    const isWhole = finishReason === 'stop'
    if (calls || (isWhole && text === this.#turn.text)) return false
    const [last = { role: 'assistant', content: '' } as Message] = toMessages({
      ...this.#turn,
      calls: [],
    })
    this.#append({
      ...last,
      content: text,
      ...(!isWhole && { extra: { finish_reason: finishReason } }),
    })
    return true
  }
}
