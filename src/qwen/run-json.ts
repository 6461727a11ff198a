import type { RunOptions } from '../agent/agent.ts'
import type { AnyAgent } from '../agent/agents/agent-tool.ts'
import type { AgentEvent, AgentResult } from '../agent/event.ts'
import type { Message, ReasoningOrigin } from '../agent/message.ts'
import { toMessages } from '../agent/messages/model-response.ts'
import type { Language } from '../text/language.ts'
import { parseGenerateConfig } from './generate-config-json.ts'
import { type MessageJson, parseMessage, toMessageJson } from './message-json.ts'

type JsonRunOptions = Pick<RunOptions, 'signal' | 'approvals' | 'knowledge'> & {
  readonly language?: Language
  readonly generate_cfg?: unknown
}

/** Runs an agent from and to plain JSON; each list replaces the previous one. Throws failures. */
export async function* runJson(
  agent: AnyAgent,
  messages: readonly unknown[],
  { generate_cfg, ...options }: JsonRunOptions = {},
): AsyncGenerator<readonly MessageJson[]> {
  const how = { ...options, ...parseGenerateConfig(generate_cfg ?? {}) }
  const answer = new AnswerMessages(agent)
  for await (const event of agent.run(messages.map(parseMessage), how).events) {
    if (answer.add(event)) yield answer.messages.map(toMessageJson)
  }
}

class AnswerMessages {
  #name: string
  readonly #members: readonly string[]
  #member: AnswerMessages | undefined
  readonly #openCalls = new Set<string>()
  #done: readonly Message[] = []
  #turn: { text: string; reasoning: string; reasoningOrigin?: ReasoningOrigin } = {
    text: '',
    reasoning: '',
  }

  constructor({ name, members = [] }: Pick<AnyAgent, 'name' | 'members'>) {
    this.#name = name
    this.#members = members
  }

  get messages(): readonly Message[] {
    if (this.#member) return [...this.#done, ...this.#member.messages]
    const all = [...this.#done, ...toMessages({ ...this.#turn, calls: [] })]
    return all.map(message => (message.name ? message : { ...message, name: this.#name }))
  }

  add(event: AgentEvent): boolean {
    if (event.type === 'tool-start') this.#openCalls.add(event.id)
    if (event.type === 'tool-result') this.#openCalls.delete(event.call.id)
    if (event.type === 'agent') return this.#addOfMember(event)
    if (this.#member && event.type !== 'finish') return false // the joined text of the group
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

  #addOfMember({ name, event }: Extract<AgentEvent, { type: 'agent' }>): boolean {
    if (this.#openCalls.size > 0 || !this.#members.includes(name)) return false
    if (!this.#member || this.#member.#name !== name) this.#member = new AnswerMessages({ name })
    if (event.type !== 'finish') return this.#member.add(event)
    const { messages, finishReason, calls } = event.result
    const isCut = finishReason !== 'stop' && !calls
    const extra = { finish_reason: finishReason }
    this.#done = [
      ...this.#done,
      ...messages.map((message, index) =>
        isCut && index === messages.length - 1 ? { ...message, extra } : message,
      ),
    ]
    this.#member = new AnswerMessages({ name })
    return true
  }

  /** Adds the checked text; `finish_reason` says why it was cut. */
  #finish({ text, finishReason, calls, messages }: AgentResult): boolean {
    if (this.#member) return false
    const speaker = messages.at(-1)?.name ?? this.#name
    const isRouted = this.#members.includes(speaker)
    if (isRouted) this.#name = speaker
    const isComplete = finishReason === 'stop'
    if (calls || (isComplete && text === this.#turn.text)) return isRouted
    const [last = { role: 'assistant', content: '' } as Message] = toMessages({
      ...this.#turn,
      calls: [],
    })
    this.#append({
      ...last,
      content: text,
      ...(!isComplete && { extra: { finish_reason: finishReason } }),
    })
    return true
  }
}
