import type { AgentEvent } from '../../agent/event.ts'
import type { Ground, GroundedRun, Grounding } from '../../agent/grounding.ts'
import { type ContentItem, type Message, textContent } from '../../agent/message.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import { toDataUri } from '../../system/data-uri.ts'
import { findPastedText, type PasteLimits } from '../pasted-text.ts'

/** Replaces texts of users that are longer than the model reads by files. */
export class PastedTexts implements Grounding {
  readonly #inner: Grounding
  readonly #limits: PasteLimits

  constructor(inner: Grounding, limits: PasteLimits) {
    this.#inner = inner
    this.#limits = limits
  }

  async *start(run: GroundedRun): AsyncGenerator<AgentEvent, Ground> {
    const files = new Map<string, readonly ContentItem[]>()
    let warning: Warning | undefined
    for (const message of run.messages) {
      const text = textContent(message)
      const pasted =
        message.role === 'user' && !files.has(text)
          ? await findPastedText(text, this.#limits, run.signal)
          : undefined
      if (!pasted) continue
      files.set(text, [{ text: pasted.excerpt }, { file: toDataUri(pasted.file) }])
      if (!warning) yield pasted.notice
      warning = pasted.warning
    }
    if (!warning) return yield* this.#inner.start(run)
    const replace = (message: Message) => replaceText(message, files)
    const messages = run.messages.map(replace)
    const spoken = run.spoken.map(replace)
    const ground = yield* this.#inner.start({ ...run, messages, spoken })
    return { messages, ...ground, warnings: [...(ground.warnings ?? []), warning] }
  }
}

function replaceText(
  message: Message,
  files: ReadonlyMap<string, readonly ContentItem[]>,
): Message {
  const file = message.role === 'user' ? files.get(textContent(message)) : undefined
  if (!file) return message
  const others =
    typeof message.content === 'string' ? [] : message.content.filter(item => !('text' in item))
  return { ...message, content: [...file, ...others] }
}
