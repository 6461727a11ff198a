import { type AgentEvent, type AgentResult, getCutReason, isLimit } from '../agent/event.ts'
import type { ReasoningOrigin } from '../agent/message.ts'
import type { Hit } from '../search/searcher.ts'
import {
  type AnswerFacts,
  type Filed,
  type FoundPassage,
  getItemPrefix,
  type NewItem,
} from './items.ts'

/** Separates run id and item number. */
const ITEM_MARK = 'i'

export class PartIds {
  readonly #base: string
  #last = 0

  constructor(runId: string) {
    this.#base = runId.replace(/^[a-z]+_/, '')
  }

  next(prefix: string): string {
    return `${prefix}${this.#base}${ITEM_MARK}${this.#last++}`
  }
}

export function toRunId(partId: string, prefix: string): string {
  return partId.replace(/^[a-z]+_/, prefix).replace(new RegExp(`${ITEM_MARK}\\d+$`), '')
}

type TurnItemsOptions = {
  readonly runId: string
  /** Calls end the answer: the client runs them. */
  readonly callersTools?: ReadonlySet<string>
}

type ToolCallEvent = Extract<AgentEvent, { type: 'tool-call' }>

export class TurnItems {
  readonly #ids: PartIds
  readonly #callersTools: ReadonlySet<string>
  #text = ''
  #thought = ''
  #origin: ReasoningOrigin | undefined

  constructor({ runId, callersTools = new Set() }: TurnItemsOptions) {
    this.#ids = new PartIds(runId)
    this.#callersTools = callersTools
  }

  push(event: AgentEvent): readonly NewItem[] {
    switch (event.type) {
      case 'text-delta':
        return this.#createMessage(event.text)
      case 'reasoning-delta': {
        const ended = this.#text === '' ? [] : this.#endTexts()
        this.#thought += event.text
        return ended
      }
      case 'text-as-reasoning':
        this.#thought += event.text
        this.#text = ''
        return []
      case 'reasoning-end':
        this.#origin = event.origin
        return []
      case 'retrieval':
        return [...this.#endTexts(), this.#search(event.query, event.hits)]
      case 'tool-call':
        return [...this.#endTexts(), this.#call(event)]
      case 'tool-result':
        return [
          ...this.#endTexts(),
          { kind: 'result', callId: event.call.id, name: event.call.name, content: event.text },
        ]
      case 'finish':
        return this.#finish(event.result)
      default:
        return []
    }
  }

  cut(): readonly NewItem[] {
    return [...this.#endThought(), ...this.#endText({ isIncomplete: true })]
  }

  #createMessage(text: string): readonly NewItem[] {
    this.#text += text
    return []
  }

  #endTexts(): readonly NewItem[] {
    return [...this.#endThought(), ...this.#endText()]
  }

  /** Ends the thoughts, whose origin arrives after the following text. */
  #endThought(): readonly NewItem[] {
    const text = this.#thought
    const origin = this.#origin
    this.#thought = ''
    this.#origin = undefined
    if (text === '' && !origin) return []
    return [
      {
        id: this.#ids.next(getItemPrefix('reasoning')),
        kind: 'reasoning',
        text,
        ...(origin && { origin }),
      },
    ]
  }

  #endText(facts: { readonly isIncomplete?: true } = {}): readonly NewItem[] {
    const content = this.#text
    this.#text = ''
    if (content === '') return []
    return [
      {
        id: this.#ids.next(getItemPrefix('message')),
        kind: 'message',
        role: 'assistant',
        content,
        ...facts,
      },
    ]
  }

  #search(query: string, hits: readonly Hit[]): NewItem {
    return {
      id: this.#ids.next(getItemPrefix('search')),
      kind: 'search',
      query,
      results: hits.map(toPassage),
    }
  }

  #call({
    call: { id: callId, name, arguments: text, reasoningOrigin: origin },
    mayRepeat,
  }: ToolCallEvent): NewItem {
    const facts = { ...(mayRepeat && { mayRepeat }), ...(origin && { origin }) }
    const call = { kind: 'call', callId, name, arguments: text, ...facts } as const
    if (!this.#callersTools.has(name)) return call
    return { id: this.#ids.next(getItemPrefix('call')), ...call, isCallers: true }
  }

  #finish(result: AgentResult): readonly NewItem[] {
    const thought = this.#endThought()
    const isStored = this.#text === '' && result.calls !== undefined
    this.#text = ''
    const statuses = toStatuses(result)
    if (isStored || result.text === '') return [...thought, ...statuses]
    const id = this.#ids.next(getItemPrefix('message'))
    const isIncomplete = getCutReason(result) !== undefined
    const facts = { ...(isIncomplete && { isIncomplete }), answer: toAnswerFacts(result) }
    return [
      ...thought,
      { id, kind: 'message', role: 'assistant', content: result.text, ...facts },
      ...statuses,
    ]
  }
}

function toStatuses({ finishReason, calls = [] }: AgentResult): readonly NewItem[] {
  if (isLimit(finishReason)) {
    const message =
      finishReason === 'max-model-calls'
        ? 'The limit of model calls for one answer is reached.'
        : 'The limit of tool calls for one answer is reached.'
    return [{ kind: 'status', code: 'limit', message }]
  }
  if (finishReason !== 'approval') return []
  const extra = { pending: calls.map(({ id }) => id) }
  return [{ kind: 'status', code: 'approval', message: 'Calls of tools wait for approval.', extra }]
}

function toAnswerFacts(result: AgentResult): AnswerFacts {
  const { abstained, mode, citations, toolCitations, unsupported, unconfirmed, warnings, usage } =
    result
  const incomplete = getCutReason(result)
  return {
    abstained,
    mode,
    citations,
    ...(toolCitations && { toolCitations }),
    ...(unsupported.length > 0 && { unsupported }),
    ...(unconfirmed && { unconfirmed }),
    ...(warnings && { warnings }),
    ...(usage && { usage }),
    ...(incomplete && { incomplete }),
  }
}

function toPassage(hit: Filed<Hit>): FoundPassage {
  const { documentId, fileId, name, score, confidence, attributes } = hit
  const file = fileId === undefined ? {} : { fileId }
  const sure = confidence === undefined ? {} : { confidence }
  return { documentId, ...file, name, score, ...sure, attributes }
}
