import type { Citation } from '../../answer/citations/citation.ts'
import type { AgentEvent } from '../event.ts'

/** An answer that no model wrote. A refusal may cite what is nearest. */
type UnwrittenAnswer = {
  readonly question: string
  readonly text: string
  readonly citations?: readonly Citation[]
  readonly abstained?: boolean
  readonly confidence?: number
}

export async function* emitUnwrittenAnswer({
  question,
  text,
  citations = [],
  abstained = false,
  confidence,
}: UnwrittenAnswer): AsyncGenerator<AgentEvent> {
  yield { type: 'text-delta', text }
  if (!abstained) for (const citation of citations) yield { type: 'citation', citation }
  yield {
    type: 'finish',
    result: {
      question,
      text,
      abstained,
      ...(confidence !== undefined && { confidence }),
      citations,
      mode: 'extractive',
      unsupported: [],
      messages: [{ role: 'assistant', content: text, name: 'assistant' }],
      finishReason: 'stop',
    },
  }
}
