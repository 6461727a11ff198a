import type { Language } from '../text/language.ts'
import type { Agent, AgentStep, RunOptions } from './agent.ts'
import { reportFailures } from './answer.ts'
import { type ContentItem, itemValue } from './content-item.ts'
import { FunctionCallingAgent, type FunctionCallingOptions } from './function-calling.ts'
import { conversationLanguage } from './language.ts'
import { type KnowledgeItem, knowledgePrompt, nothingKnown } from './memory/knowledge.ts'
import { filesOf, type Memory } from './memory/memory.ts'
import { type Message, withTextBefore } from './message.ts'
import { FILE, QUOTED, UNREADABLE, UPLOADED } from './phrases.ts'
import { redact } from './redact.ts'
import { linkName, sourceLabels } from './source-labels.ts'
import type { MoreTools, Tool } from './tool.ts'
import { requireDistinct } from './tools/tool-registry.ts'

export type FnCallAgentOptions = FunctionCallingOptions & {
  readonly name?: string
  /** Before the system messages of a conversation. */
  readonly system?: string
  /** What the agent knows for each answer, instead of looking it up. */
  readonly knowledge?: string | readonly KnowledgeItem[] | undefined
  /** Where it looks up what bears on the question. */
  readonly memory?: Memory | undefined
  /** Tools besides, looked for when an answer begins. */
  readonly moreTools?: MoreTools | undefined
}

/** Answers with a model and its tools; knows what it is given, or looks it up in its memory, for each answer anew. */
export class FnCallAgent implements Agent {
  readonly name: string
  readonly #options: FnCallAgentOptions

  /** Throws `conflict` for two tools of one name. */
  constructor(options: FnCallAgentOptions) {
    requireDistinct(options.tools)
    this.name = options.name ?? 'assistant'
    this.#options = options
  }

  events(messages: readonly Message[], options: RunOptions = {}): AsyncIterable<AgentStep> {
    return reportFailures(this.#steps(messages, options), options.signal)
  }

  async *#steps(messages: readonly Message[], options: RunOptions): AsyncGenerator<AgentStep> {
    const { signal, language } = options
    const words = language ?? conversationLanguage(messages)
    const knowledge = yield* this.#recall(messages, words, signal)
    const tools = await this.#tools(signal)
    const system = this.#system(knowledge, words, tools.length > 0)
    const loop = new FunctionCallingAgent({ ...this.#options, tools })
    yield* loop.run(
      instructed(
        messages.map(message => named(message, words)),
        system,
      ),
      options,
    )
  }

  async *#recall(
    messages: readonly Message[],
    language: Language,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentStep, string> {
    const { knowledge, memory } = this.#options
    if (knowledge !== undefined) return knowledgePrompt(knowledge, language)
    if (!memory) return ''
    const { snippets, failures, usage, isInVain } = await memory.recall(messages, signal)
    if (usage) yield { type: 'usage', usage }
    if (failures.length > 0) {
      const lines = failures.map(({ file, message }) => `- ${redact(file)}: ${redact(message)}`)
      yield { type: 'notice', name: 'memory', text: [UNREADABLE[language], ...lines].join('\n') }
    }
    if (isInVain) return nothingKnown(language)
    return knowledgePrompt(
      snippets.map(({ source, text }) => ({ source, label: source, content: text })),
      language,
    )
  }

  async #tools(signal?: AbortSignal): Promise<readonly Tool[]> {
    const { tools, moreTools } = this.#options
    if (!moreTools) return tools
    const taken = tools.map(tool => tool.name)
    return [...tools, ...(await moreTools(taken, signal))]
  }

  #system(knowledge: string, language: Language, hasTools: boolean): string {
    const { system = '' } = this.#options
    const warning = hasTools && !knowledge.includes(QUOTED[language]) ? QUOTED[language] : ''
    return [system, knowledge, warning].filter(Boolean).join('\n\n')
  }
}

/** Answers with one model call, without tools. */
export function basicAgent(options: Omit<FnCallAgentOptions, 'tools' | 'maxModelCalls' | 'toolChoice'>): Agent {
  return new FnCallAgent({ ...options, tools: [], maxModelCalls: 1 })
}

/** The agent's instructions before the conversation's, a blank line between. */
function instructed(messages: readonly Message[], system: string): readonly Message[] {
  if (system === '') return messages
  const own = messages.find(message => message.role === 'system')
  if (!own) return [{ role: 'system', content: system }, ...messages]
  return messages.map(message => (message === own ? withTextBefore(own, `${system}\n\n`) : message))
}

/** A model is told of the files that came with a message by their names. */
function named(message: Message, language: Language): Message {
  const files = filesOf([message])
  if (files.length === 0 || typeof message.content === 'string') return message
  const labels = sourceLabels(files)
  const names = files.map(file => `[${FILE[language]}](${linkName(labels.get(file) ?? file)})`)
  const rest: readonly ContentItem[] = message.content.filter(
    item => !('file' in item && files.includes(itemValue(item))),
  )
  const [first, ...others] = rest
  const said = UPLOADED[language](names.join(' '))
  const content = first && 'text' in first ? [{ text: said + first.text }, ...others] : [{ text: said }, ...rest]
  return { ...message, content }
}
