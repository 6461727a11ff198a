import type { AgentEvent } from '../../agent/event.ts'
import { withCheckedText } from '../../agent/event.ts'
import type { Message } from '../../agent/message.ts'
import { identifyServer } from '../../agent/models/openai/openai.ts'
import type { AskOptions } from '../../app/ask-options.ts'
import { addFileIdsToEvent } from '../../conversations/filed-events.ts'
import type { Filed } from '../../conversations/items.ts'
import type { Run } from '../../conversations/runs.ts'
import { type StoredResponse, StoredResponses } from '../../conversations/stored-responses.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { type Hit, measureLikelihood } from '../../search/searcher.ts'
import type {
  FileSearchResultJson,
  ResponseEventJson,
  ResponseHeadJson,
} from '../../wire/response.ts'
import { toFileCitations } from '../generation/citation-notes.ts'
import { getModelName, toAskOptions } from '../generation/generation.ts'
import { addCitationNotes } from '../generation/metadata.ts'
import {
  toAttributesJson,
  toSupportJson,
  toWarningsJson,
  withResolvableMarkers,
} from '../generation/passim-fields.ts'
import type { RequestContext } from '../http/context.ts'
import { hideModel, readStoredFailure, reportFailure } from '../http/errors.ts'
import { joinSearches } from './joined-searches.ts'
import { toInputItems, toMessages, toNewItems } from './openai-input.ts'
import { createResponseId, ENCRYPTED_THOUGHTS, SEARCH_RESULTS } from './openai-items.ts'
import { ResponseBuilder } from './response-builder.ts'
import { getFunctions, type ResponseRequest, toGeneration } from './response-request.ts'
import { createTurnContext } from './turn-request.ts'

type Prepared = {
  readonly id: string
  readonly messages: readonly Message[]
  readonly options: AskOptions<string>
  readonly skeleton: ResponseReplayData['skeleton']
}

export class ResponseRun {
  readonly id: string
  readonly builder: ResponseBuilder
  readonly #c: RequestContext
  readonly #request: ResponseRequest
  readonly #options: AskOptions<string>
  readonly #messages: readonly Message[]
  readonly #isStored: boolean
  readonly #replayData: ResponseReplayData
  #hasRecord = false

  private constructor(c: RequestContext, request: ResponseRequest, prepared: Prepared) {
    this.#c = c
    this.#request = request
    this.#messages = prepared.messages
    this.#isStored = request.store !== false
    this.#options = prepared.options
    this.id = prepared.id
    this.#replayData = {
      skeleton: prepared.skeleton,
      showsResults: request.include?.includes(SEARCH_RESULTS) ?? false,
      thoughtServer: findThoughtServer(c, request, prepared.options),
      functionNames: getFunctions(request).map(({ name }) => name),
      metadata: request.metadata ?? {},
    }
    this.builder = createBuilder(c, this.id, this.#replayData)
  }

  static async create(c: RequestContext, request: ResponseRequest): Promise<ResponseRun> {
    const id = createResponseId()
    const messages = toMessages(request.input)
    const options = await toAskOptions(c, {
      ...toGeneration(request),
      names: { conversation: 'input', format: 'text.format' },
      messages: [...(await readMessagesBefore(c, request)), ...messages],
    })
    return new ResponseRun(c, request, {
      id,
      messages,
      options,
      skeleton: await createSkeleton(c, id, request),
    })
  }

  /** Throws if it cannot start. */
  async start(): Promise<Run> {
    const { question } = this.#options
    const run = await this.#c.get('passim').conversationService.start({
      id: this.id,
      question,
      conversationId: getConversationId(this.#request),
      items: toNewItems(this.#request.input),
      request: { callersTools: this.#replayData.functionNames, shown: this.#replayData },
      events: signal => this.#answer(signal),
      ...createTurnContext(this.#c),
      onEvent: (event, timeMs) => {
        for (const _ of this.builder.push(event, timeMs)); // readers build their own
      },
      onComplete: async inside => await this.keep(new StoredResponses(inside)),
      onEnd: async (ended, isWithdrawn) => await this.#end(ended, isWithdrawn),
    })
    await this.keep()
    return run
  }

  async #end({ status, failure }: Run, isWithdrawn: boolean): Promise<void> {
    if (isWithdrawn) for (const _ of this.builder.withdraw());
    else if (status === 'stopped') for (const _ of this.builder.cancel());
    if (failure) for (const _ of this.builder.fail(hideModel(failure, this.#c)));
    await this.keep()
  }

  /** Throws recorded failures. Stores before the client sees the end. */
  async *streamEvents(signal: AbortSignal): AsyncGenerator<ResponseEventJson> {
    const last = yield* this.#streamSteps(signal)
    yield* last // what made the answer is released, however slowly its last events are read
  }

  async *#streamSteps(
    signal: AbortSignal,
  ): AsyncGenerator<ResponseEventJson, readonly ResponseEventJson[]> {
    let last: readonly ResponseEventJson[] = []
    for await (const runEvent of this.#answer(signal)) {
      const event = await addFileIdsToEvent(runEvent, this.#c.get('passim').library)
      const wire = [...this.builder.push(event)]
      if (event.type !== 'finish') yield* wire
      else {
        await this.keep()
        last = wire
      }
    }
    return last
  }

  /** Reports each search of a model, one of quotations. Only streams show unchecked text. */
  #answer(signal: AbortSignal): AsyncIterable<AgentEvent> {
    const { passim } = this.#c.var
    const { onlyEvents: raw } = passim.ask({
      ...this.#options,
      within: getConversationId(this.#request),
      signal,
    })
    const events = withResolvableMarkers(this.#c, raw)
    const isQuoting = this.#options.extractive || !passim.settings.model
    if (isQuoting) return joinSearches(events)
    return this.#request.stream ? events : withCheckedText(events, { thoughts: 'shown' })
  }

  fail(error: unknown): readonly ResponseEventJson[] {
    return [...this.builder.fail(reportFailure(error, this.#c))]
  }

  async keep(responses: StoredResponses = this.#c.get('passim').responses): Promise<void> {
    if (!this.#isStored) return
    const kind = this.#hasRecord ? 'progress' : 'new'
    this.#hasRecord = true
    const body = this.builder.storedResponse
    const { id } = this
    const record = {
      id,
      previousId: this.#request.previous_response_id ?? undefined,
      status: body.status,
      body,
      messages: [...this.#messages, ...this.builder.messages],
      input: toInputItems(this.#c, this.#request.input),
    }
    await responses.save(record, kind)
  }
}

function findThoughtServer(
  c: RequestContext,
  request: ResponseRequest,
  { model }: AskOptions<string>,
): string | undefined {
  const configured = c.get('passim').settings.model
  if (!configured || !(request.store === false || request.include?.includes(ENCRYPTED_THOUGHTS)))
    return undefined
  return identifyServer({ url: configured.url, name: model ?? configured.name })
}

type ResponseReplayData = {
  readonly skeleton: ResponseHeadJson
  readonly showsResults: boolean
  readonly thoughtServer?: string
  readonly functionNames: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

function createBuilder(
  c: RequestContext,
  id: string,
  { functionNames, metadata, ...shown }: ResponseReplayData,
): ResponseBuilder {
  return new ResponseBuilder({
    ...shown,
    id,
    functionNames: new Set(functionNames),
    toFileCitations: (text, citations) => toFileCitations(c, text, citations),
    toResult: hit => toResultJson(c, hit),
    createFields: answer => ({
      metadata: addCitationNotes(metadata, answer),
      ...toWarningsJson(c, answer),
    }),
    createExtras: answer => toSupportJson(c, answer),
  })
}

export async function* readStoredEvents(
  c: RequestContext,
  run: Run,
): AsyncGenerator<ResponseEventJson> {
  const { runs } = c.get('passim').conversationService
  const builder = createBuilder(
    c,
    run.id,
    (await runs.findRequest(run.id)).shown as ResponseReplayData,
  )
  yield* builder.start()
  const last = yield* readStoredSteps(c, run, builder)
  yield* last // the stored answer is released, however slowly its last events are read
}

/** Returns the events of a complete answer's end. */
async function* readStoredSteps(
  c: RequestContext,
  run: Run,
  builder: ResponseBuilder,
): AsyncGenerator<ResponseEventJson, readonly ResponseEventJson[]> {
  const { conversationService, library } = c.get('passim')
  const stored = conversationService.readEvents(run.id, run.firstEvent, c.get('signal'))
  let last: readonly ResponseEventJson[] = []
  for await (const { event, at } of stored) {
    if (event.type === 'failed') yield* builder.fail(readStoredFailure(event.failure, c))
    else if (event.type === 'stopped') yield* builder.stop(event)
    else if (event.type === 'finish')
      last = [...builder.push(await addFileIdsToEvent(event, library), at)]
    else if (event.type !== 'start')
      yield* builder.push(await addFileIdsToEvent(event, library), at)
  }
  return last
}

export async function rebuildResponse(
  c: RequestContext,
  response: StoredResponse,
  run: Run,
): Promise<StoredResponse> {
  const { conversationService: conversing } = c.get('passim')
  const builder = createBuilder(
    c,
    run.id,
    (await conversing.runs.findRequest(run.id)).shown as ResponseReplayData,
  )
  for await (const { event, at } of conversing.runs.readEvents(run)) {
    const isStep = event.type !== 'start' && event.type !== 'failed' && event.type !== 'stopped'
    if (isStep) for (const _ of builder.push(event, at));
  }
  if (run.failure) for (const _ of builder.fail(hideModel(run.failure, c)));
  else if (run.status === 'stopped') for (const _ of builder.cancel());
  const body = builder.storedResponse
  const messages = [...response.messages, ...builder.messages]
  return { ...response, status: body.status, body, messages }
}

export async function readMessagesBefore(
  c: RequestContext,
  request: Before,
): Promise<readonly Message[]> {
  return [...toInstructions(request), ...(await readEarlierMessages(c, request))]
}

type Before = Pick<ResponseRequest, 'instructions' | 'previous_response_id' | 'conversation'>

async function readEarlierMessages(
  c: RequestContext,
  request: Before,
): Promise<readonly Message[]> {
  const { conversationService: conversing } = c.get('passim')
  const conversationId = getConversationId(request)
  if (conversationId) return await conversing.readHistory(conversationId)
  const { previous_response_id: id } = request
  if (!id) return []
  const messages = await conversing.readResponseHistory(id)
  if (messages) return messages
  throw new AppError(
    'not_found',
    localizable`There is no response ${id} to continue from, or an earlier response was deleted.`,
    { about: id },
  )
}

/** Applies to this response only. */
function toInstructions({ instructions }: Before): readonly Message[] {
  return instructions ? [{ role: 'system', content: instructions }] : []
}

async function createSkeleton(
  c: RequestContext,
  id: string,
  request: ResponseRequest,
): Promise<ResponseHeadJson> {
  return {
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    model: await getModelName(c, request.model),
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    ...(request.conversation && { conversation: { id: getConversationId(request) } }),
    background: request.background ?? false,
    temperature: request.temperature ?? null,
    top_p: request.top_p ?? null,
    text: { format: { type: 'text' }, ...request.text },
    ...(request.reasoning && { reasoning: request.reasoning }),
    ...(request.max_tool_calls && { max_tool_calls: request.max_tool_calls }),
    tool_choice: request.tool_choice ?? 'auto',
    tools: [...(request.tools ?? [])].map(toToolJson),
    truncation: request.truncation ?? 'disabled',
    metadata: request.metadata ?? {},
    ...(request.user && { user: request.user }),
  }
}

function toToolJson(tool: NonNullable<ResponseRequest['tools']>[number]) {
  if (tool.type === 'file_search') return tool
  return { ...tool, parameters: tool.parameters ?? null, strict: tool.strict ?? true }
}

function toResultJson(c: RequestContext, hit: Filed<Hit>): FileSearchResultJson | undefined {
  if (hit.fileId === undefined) return undefined
  const score = measureLikelihood(hit)
  return {
    file_id: hit.fileId,
    filename: hit.name,
    score,
    text: hit.text,
    attributes: toAttributesJson(c, hit),
  }
}

function getConversationId({
  conversation,
}: Pick<ResponseRequest, 'conversation'>): string | undefined {
  return typeof conversation === 'object' ? conversation?.id : conversation
}
