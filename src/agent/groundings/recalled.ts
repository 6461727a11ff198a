import type { Language } from '../../text/language.ts'
import type { AgentEvent } from '../event.ts'
import type { Ground, GroundedRun, Grounding } from '../grounding.ts'
import { type KnowledgeItem, knowledgePrompt, nothingKnown } from '../memory/knowledge.ts'
import type { Memory } from '../memory/memory.ts'
import { QUOTED, UNREADABLE } from '../phrases.ts'
import { redact } from '../redact.ts'

/** What an agent is given to know for each answer. */
export class GivenKnowledge implements Grounding {
  readonly #knowledge: string | readonly KnowledgeItem[]

  constructor(knowledge: string | readonly KnowledgeItem[]) {
    this.#knowledge = knowledge
  }

  // biome-ignore lint/correctness/useYield: it looks nothing up
  async *begin({ language }: GroundedRun): AsyncGenerator<AgentEvent, Ground> {
    return knowing(knowledgePrompt(this.#knowledge, language), language)
  }
}

/** What an agent looks up in its memory, for each answer anew. */
export class RecalledKnowledge implements Grounding {
  readonly #memory: Memory

  constructor(memory: Memory) {
    this.#memory = memory
  }

  async *begin({ messages, language, signal }: GroundedRun): AsyncGenerator<AgentEvent, Ground> {
    const { snippets, failures, usage, isInVain } = await this.#memory.recall(messages, signal)
    if (usage) yield { type: 'usage', usage }
    if (failures.length > 0) yield { type: 'notice', name: 'memory', text: unreadable(failures, language) }
    if (isInVain) return knowing(nothingKnown(language), language)
    const items = snippets.map(({ source, text }) => ({ source, label: source, content: text }))
    return knowing(knowledgePrompt(items, language), language)
  }
}

/** That what tools return is data is said once. */
function knowing(text: string, language: Language): Ground {
  const quoted = QUOTED[language]
  return {
    system: hasTools => (hasTools && !text.includes(quoted) ? [text, quoted].filter(Boolean).join('\n\n') : text),
  }
}

/** For the user, whose files they are. */
export function unreadable(failures: readonly { file: string; message: string }[], language: Language): string {
  const lines = failures.map(({ file, message }) => `- ${redact(file)}: ${redact(message)}`)
  return [UNREADABLE[language], ...lines].join('\n')
}
