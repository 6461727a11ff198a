import { type AgentResult, isLimit } from '../../agent/event.ts'
import type { Citation } from '../../answer/citations/citation.ts'
import { parseArguments } from '../../conversations/items.ts'
import type { NumberedEvent, Run, RunEvent } from '../../conversations/runs.ts'
import { getNotice } from '../../errors/localizable.ts'
import { parseOwnJson } from '../../system/own-json.ts'
import type { UiPartJson } from '../../wire/conversation.ts'
import { localize, type RequestContext } from '../http/context.ts'
import { readStoredFailure } from '../http/errors.ts'
import type { SentEvent } from '../http/event-stream.ts'
import { showSource } from '../http/shown-source.ts'
import { getPlace } from './turn-request.ts'

/** `before` is what the message contains already. */
export async function* streamUiMessage(
  c: RequestContext,
  stream: RunStream,
): AsyncGenerator<SentEvent> {
  yield* encodeRun(c, stream) // a generator of its own, so that the answer is released at its end
  yield { data: '[DONE]' }
}

async function* encodeRun(
  c: RequestContext,
  { run, events, before = [] }: RunStream,
): AsyncGenerator<SentEvent> {
  const encoder = new UiMessageEncoder(c, run, { before, shown: await readReplayData(c, run) })
  for await (const { event } of events)
    for await (const chunk of encoder.push(event)) yield { data: chunk }
}

type RunStream = {
  readonly run: Run
  readonly events: AsyncIterable<NumberedEvent>
  readonly before?: readonly UiPartJson[]
}

export type UiReplayData = { readonly messageId?: string; readonly denied?: readonly string[] }

export async function readReplayData(c: RequestContext, run: Run): Promise<UiReplayData> {
  return (await c.var.passim.conversationService.runs.findReplayData([run.id])).get(run.id) ?? {}
}

class UiMessageEncoder {
  readonly #c: RequestContext
  readonly #run: Run
  readonly #replayData: UiReplayData
  readonly #before: readonly UiPartJson[]
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  #parts = 0

  constructor(
    c: RequestContext,
    run: Run,
    { before, shown }: { readonly before: readonly UiPartJson[]; readonly shown: UiReplayData },
  ) {
    this.#c = c
    this.#run = run
    this.#before = before
    this.#replayData = shown
  }

  async *push(event: RunEvent): AsyncGenerator<UiPartJson> {
    switch (event.type) {
      case 'start':
        yield {
          type: 'start',
          messageId: this.#replayData.messageId ?? this.#run.id,
          messageMetadata: getPlace(this.#run),
        }
        for (const part of this.#before) yield* this.#repeat(part)
        return yield { type: 'start-step' }
      case 'text-delta':
        return yield* this.#addText('text', event.text)
      case 'reasoning-delta':
        return yield* this.#addText('reasoning', event.text)
      case 'tool-call': {
        yield* this.#end()
        const { id: toolCallId, name: toolName, arguments: text } = event.call
        return yield {
          type: 'tool-input-available',
          toolCallId,
          toolName,
          input: parseArguments(text),
          ...RUN_HERE,
        }
      }
      case 'approval':
        return yield {
          type: 'tool-approval-request',
          approvalId: event.call.id,
          toolCallId: event.call.id,
        }
      case 'tool-result':
        if (this.#replayData.denied?.includes(event.call.id)) {
          return yield { type: 'tool-output-denied', toolCallId: event.call.id }
        }
        return yield {
          type: 'tool-output-available',
          toolCallId: event.call.id,
          output: event.text,
          ...RUN_HERE,
        }
      case 'notice':
        return yield toNoticePart(event.name, localize(this.#c, getNotice(event)))
      case 'citation':
        return yield await this.#toSourcePart(event.citation)
      case 'finish':
        return yield* this.#finish(event.result)
      case 'stopped':
        yield* this.#end()
        return yield {
          type: 'abort',
          reason: localize(this.#c, event.message ?? 'The answer was stopped.'),
        }
      case 'failed':
        yield* this.#end()
        return yield { type: 'error', errorText: readStoredFailure(event.failure, this.#c).message }
      default:
        return // searches are shown by their results
    }
  }

  async #toSourcePart(citation: Citation): Promise<UiPartJson> {
    const mediaTypes = await findMediaTypes(this.#c, [citation])
    return toSourcePart(showSource(this.#c, citation), mediaTypes)
  }

  *#repeat(part: UiPartJson): Iterable<UiPartJson> {
    switch (part.type) {
      case 'step-start':
        return yield { type: 'start-step' }
      case 'text':
      case 'reasoning':
        yield* this.#addText(part.type, String(part.text))
        return yield* this.#end()
      case 'dynamic-tool': {
        const { toolCallId, toolName, input, state, output } = part
        yield { type: 'tool-input-available', toolCallId, toolName, input, ...RUN_HERE }
        if (state === 'output-available')
          yield { type: 'tool-output-available', toolCallId, output, ...RUN_HERE }
        if (state === 'output-denied') yield { type: 'tool-output-denied', toolCallId }
        return
      }
      default:
        return yield part
    }
  }

  *#addText(kind: 'text' | 'reasoning', delta: string): Iterable<UiPartJson> {
    if (this.#open?.kind !== kind) {
      yield* this.#end()
      this.#open = { kind, id: String(++this.#parts) }
      yield { type: `${kind}-start`, id: this.#open.id }
    }
    yield { type: `${kind}-delta`, id: this.#open.id, delta }
  }

  *#end(): Iterable<UiPartJson> {
    if (this.#open) yield { type: `${this.#open.kind}-end`, id: this.#open.id }
    this.#open = undefined
  }

  /** Puts the checked text into the metadata, because streamed text stays. */
  *#finish(result: AgentResult): Iterable<UiPartJson> {
    yield* this.#end()
    yield { type: 'finish-step' }
    const { finishReason: reason } = result
    const finishReason = isLimit(reason) || reason === 'approval' ? 'other' : reason
    yield {
      type: 'finish',
      finishReason,
      messageMetadata: { ...getPlace(this.#run), ...toUiFacts(result) },
    }
  }
}

type Facts = Pick<AgentResult, 'text' | 'abstained' | 'mode' | 'usage'> &
  Partial<Pick<AgentResult, 'unsupported' | 'unconfirmed' | 'toolCitations'>>

/** Tools run here, with types unknown to the client. */
const RUN_HERE = { providerExecuted: true, dynamic: true }

export function toUiFacts({ text: answer, abstained, mode, unsupported = [], ...more }: Facts) {
  const { unconfirmed, toolCitations, usage } = more
  return {
    answer,
    abstained,
    mode,
    unsupported,
    ...(unconfirmed && { unconfirmed }),
    ...(toolCitations && { toolCitations }),
    ...(usage && { usage }),
  }
}

function toNoticePart(name: string, text: string): UiPartJson {
  return { type: 'data-notice', data: { name, text }, transient: true }
}

/** Puts the place of a source under `passim`. */
export function toSourcePart(
  citation: Citation,
  mediaTypes: ReadonlyMap<string, string>,
): UiPartJson {
  const { marker, source, doc, documentId } = citation
  const providerMetadata = { passim: parseOwnJson<object>(JSON.stringify(citation)) } // drops undefined, which the SDK refuses
  const sourceId = `${marker}:${documentId}:${citation.charStart}`
  if (isOfWeb(citation))
    return { type: 'source-url', sourceId, url: source, title: doc, providerMetadata }
  const mediaType = mediaTypes.get(documentId) ?? 'application/octet-stream'
  return {
    type: 'source-document',
    sourceId,
    mediaType,
    title: doc,
    filename: doc,
    providerMetadata,
  }
}

/** Leaves out web pages and removed documents. */
export async function findMediaTypes(
  c: RequestContext,
  citations: readonly Citation[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(
    citations.filter(citation => !isOfWeb(citation)).map(({ documentId }) => documentId),
  )
  if (ids.size === 0) return new Map()
  return new Map(
    (await c.var.passim.library.findAll([...ids])).map(({ id, mediaType }) => [id, mediaType]),
  )
}

function isOfWeb({ source }: Citation): boolean {
  return /^https?:/.test(source)
}
