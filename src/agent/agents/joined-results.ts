import type { Citation, ToolCitation } from '../../answer/citations/citation.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import { rewriteMarkers } from '../../text/markers.ts'
import type { AgentEvent, AgentResult } from '../event.ts'
import type { Message } from '../message.ts'

export class JoinedResults {
  readonly #texts: string[] = []
  readonly #citations: Citation[] = []
  readonly #toolCitations: ToolCitation[] = []
  readonly #unsupported: string[] = []
  readonly #unconfirmed: string[] = []
  readonly #warnings: Warning[] = []
  readonly #messages: Message[] = []
  #isAbstained = true;

  *add(result: AgentResult, heading: string): Iterable<AgentEvent> {
    const before = Math.max(
      0,
      ...[...this.#citations, ...this.#toolCitations].map(({ marker }) => marker),
    )
    const ofTools = result.toolCitations ?? []
    const own = new Set([...result.citations, ...ofTools].map(({ marker }) => marker))
    const numbered = () =>
      rewriteMarkers(result.text, id => own.has(id), { getNumber: id => id + before })
    const text = own.size > 0 ? numbered() : result.text
    const citations = result.citations.map(citation => ({
      ...citation,
      marker: citation.marker + before,
    }))
    const gap = this.#texts.length > 0 ? '\n\n' : ''
    this.#texts.push(`${heading}${text}`)
    this.#citations.push(...citations)
    this.#toolCitations.push(
      ...ofTools.map(citation => ({ ...citation, marker: citation.marker + before })),
    )
    this.#unsupported.push(...result.unsupported)
    this.#unconfirmed.push(...(result.unconfirmed ?? []))
    this.#warnings.push(...(result.warnings ?? []))
    this.#messages.push(...result.messages)
    this.#isAbstained &&= result.abstained
    yield { type: 'text-delta', text: `${gap}${heading}${text}` }
    for (const citation of citations) yield { type: 'citation', citation }
  }

  get text(): string {
    return this.#texts.join('\n\n')
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  finish(
    question: string,
    last?: AgentResult,
    messages: readonly Message[] = this.#messages,
  ): AgentEvent {
    const { finishReason = 'stop', calls } = last ?? {}
    const result: AgentResult = {
      question,
      text: this.text,
      messages,
      finishReason,
      mode: 'model',
      citations: this.#citations,
      unsupported: this.#unsupported,
      abstained: this.#texts.length > 0 && this.#isAbstained,
      ...(this.#unconfirmed.length > 0 && { unconfirmed: this.#unconfirmed }),
      ...(this.#toolCitations.length > 0 && { toolCitations: this.#toolCitations }),
      ...(calls && { calls }),
      ...(this.#warnings.length > 0 && { warnings: this.#warnings }),
    }
    return { type: 'finish', result }
  }
}
