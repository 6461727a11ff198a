import type { DocumentReader } from '../ingest/document.ts'
import type { TokenCounter } from '../ingest/tokens.ts'
import type { Hit, Searcher } from '../search/searcher.ts'
import {
  type AgentEvent,
  type Answer,
  type Answerer,
  type AskRequest,
  type Citation,
  reportFailures,
} from './answer.ts'
import { cite, type Reference } from './citations.ts'
import { searchWordsOf } from './follow-up.ts'
import { FunctionCallingAgent, generation, type LoopEvent } from './function-calling.ts'
import { replyLanguage } from './language.ts'
import { findMarkers, rewriteMarkers } from './markers.ts'
import type { Meaning } from './meaning.ts'
import { type Message, textContent } from './message.ts'
import type { ChatModel } from './model.ts'
import { readOverviews } from './overview.ts'
import { asksForOverview } from './overview-question.ts'
import { ABSTENTION, STOPPED } from './phrases.ts'
import { systemPrompt } from './prompts.ts'
import { Sources } from './sources.ts'
import { supportFor } from './support.ts'
import { Terms } from './terms.ts'
import { SearchTool } from './tools/search.ts'
import { addUsage, type Usage } from './usage.ts'

export type AssistantOptions = {
  readonly model: ChatModel
  readonly searcher: Searcher
  readonly reader: DocumentReader
  readonly counter: TokenCounter
  /** Finds the sentence that a claim rests on where the two share no word, as across languages. */
  readonly meaning?: Meaning
  /** For the sources of one search. */
  readonly maxSourceTokens?: number
  readonly maxModelCalls?: number
  /** Hits of one search, unless the request says. */
  readonly limit?: number
}

type Retrieval = Extract<AgentEvent, { type: 'retrieval' }>
type Finish = Extract<LoopEvent, { type: 'finish' }>

/** Answers with a language model: knowledge first, then the loop, then every citation checked against its document. */
export class Assistant implements Answerer {
  readonly #options: AssistantOptions
  readonly #limit: number
  readonly #terms = new Terms()

  constructor(options: AssistantOptions) {
    this.#options = options
    this.#limit = options.limit ?? 20
  }

  answer(request: AskRequest, signal?: AbortSignal): AsyncIterable<AgentEvent> {
    return reportFailures(this.#steps(request, signal), signal)
  }

  async *#steps(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { counter, maxSourceTokens: maxTokens = 20_000 } = this.#options
    const sources = new Sources({ counter, maxTokens })
    let usage: Usage | undefined
    for await (const event of this.#retrieve(request, sources, signal)) {
      if (event.type === 'usage') usage = addUsage(usage, event.usage)
      yield event
    }
    const searches: Retrieval[] = []
    const agent = this.#agent(request, sources, searches)
    for await (const event of agent.run(conversation(request, sources), signal)) {
      if (event.type === 'usage') usage = addUsage(usage, event.usage)
      if (event.type === 'tool-result') yield* searches.splice(0)
      if (event.type === 'finish') return yield* this.#conclude(request, sources, event, usage, signal)
      yield event
      if (event.type === 'error') return
    }
  }

  /** Knowledge before the model is asked: of the documents as a whole when the question is about them, else by search. */
  async *#retrieve(request: AskRequest, sources: Sources, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { searcher, reader } = this.#options
    const { collectionIds, documentIds, limit = this.#limit } = request
    if (asksForOverview(request)) {
      const overviews = await readOverviews(request, reader, signal)
      sources.add(overviews.map(overview => overview.opening))
      return
    }
    const where = { collectionIds, ...(documentIds && { documentIds }) }
    const { text: query, usage } = await searchWordsOf(request, this.#options.model, signal)
    if (usage) yield { type: 'usage', usage }
    const hits = await searcher.search({ ...where, text: query, limit }, signal)
    sources.add(hits)
    yield { type: 'retrieval', query, hits }
  }

  #agent(request: AskRequest, sources: Sources, searches: Retrieval[]): FunctionCallingAgent {
    const { model, searcher, maxModelCalls } = this.#options
    const limit = request.limit ?? this.#limit
    const onSearch = (query: string, hits: readonly Hit[]) => searches.push({ type: 'retrieval', query, hits })
    const tools = [new SearchTool({ searcher, sources, scope: request, limit, onSearch })]
    return new FunctionCallingAgent({ ...generation(request), model, tools, ...(maxModelCalls && { maxModelCalls }) })
  }

  async *#conclude(
    { question }: AskRequest,
    sources: Sources,
    finish: Finish,
    usage: Usage | undefined,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    if (finish.reason === 'max-model-calls') yield { type: 'text-delta', text: STOPPED[replyLanguage(question)] }
    const citations = await this.#check(finish.text, sources, signal)
    for (const citation of citations) yield { type: 'citation', citation }
    const answer = answerText(question, finish, sources)
    const abstained = citations.length === 0 && Object.values(ABSTENTION).some(sentence => answer.includes(sentence))
    const cut = finish.reason === 'length' || finish.reason === 'max-model-calls' ? finish.reason : undefined
    const { calls } = finish
    const how = {
      mode: 'model',
      ...(usage && { usage }),
      ...(cut && { incomplete: cut }),
      ...(calls && { calls }),
    } as const
    yield { type: 'answer', answer: { question, answer, abstained, citations, ...how } satisfies Answer }
  }

  /** A citation for each place that a marker points to, in the order of the text; markers of no source point nowhere. */
  async #check(text: string, sources: Sources, signal?: AbortSignal): Promise<readonly Citation[]> {
    const { meaning, reader } = this.#options
    const references: Reference[] = []
    for (const { id: marker, claim } of findMarkers(text)) {
      const passage = sources.find(marker)
      if (!passage) continue
      const spans = await supportFor(claim, passage, {
        terms: this.#terms,
        ...(meaning && { meaning }),
        ...(signal && { signal }),
      })
      references.push(...spans.map(span => ({ marker, passage, span })))
    }
    const unique = references.filter((one, at) => references.findIndex(other => samePlace(one, other)) === at)
    return Promise.all(unique.map(reference => cite(reader, reference, signal)))
  }
}

/** The system message first; what a caller's own system messages say follows ours. */
function conversation({ question, history = [], turn = [] }: AskRequest, sources: Sources): readonly Message[] {
  const own = history.filter(message => message.role === 'system').map(textContent)
  const content = [systemPrompt(replyLanguage(question), sources.passages), ...own].join('\n\n')
  const earlier = history.filter(message => message.role !== 'system')
  return [{ role: 'system', content }, ...earlier, { role: 'user', content: question }, ...turn]
}

function answerText(question: string, finish: Finish, sources: Sources): string {
  if (finish.reason === 'max-model-calls') return STOPPED[replyLanguage(question)]
  return rewriteMarkers(finish.text, id => sources.find(id) !== undefined).trim()
}

function samePlace(a: Reference, b: Reference): boolean {
  return a.marker === b.marker && a.span.start === b.span.start && a.span.end === b.span.end
}
