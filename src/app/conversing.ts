import type { ContentItem } from '../agent/content-item.ts'
import { filesOf, type Message, shownIn, textContent } from '../agent/message.ts'
import { readableBytes } from '../agent/recent-turns.ts'
import type { AgentRun } from '../agent/run.ts'
import type { Settings } from '../config.ts'
import type { BackgroundRuns, Claim } from '../conversations/background-runs.ts'
import {
  type Conversation,
  Conversations,
  type CreateOptions,
} from '../conversations/conversations.ts'
import { Guard, Interruption } from '../conversations/guard.ts'
import type { ConversationHooks } from '../conversations/hooks.ts'
import {
  currentItems,
  type Item,
  type NewItem,
  supersedes,
  toMessages,
} from '../conversations/items.ts'
import { Listeners } from '../conversations/listeners.ts'
import {
  decisionsOn,
  foundIn,
  interruptedTurn,
  interruptionOf,
  requireAsked,
} from '../conversations/resuming.ts'
import { type Ending, endRun, leftBehind, STOPPED } from '../conversations/run-ending.ts'
import {
  type NumberedEvent,
  type Run,
  type RunEvent,
  type RunRequest,
  Runs,
} from '../conversations/runs.ts'
import { StoredResponses } from '../conversations/stored-responses.ts'
import { UnlistedConversations } from '../conversations/unlisted.ts'
import { AppError, toFailure } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import { newId } from '../system/digest.ts'
import type { AskOptions } from './ask-options.ts'
import { keptFiles, LeftFiles, withGone } from './conversation-files.ts'
import type { FileAdmin } from './documents/file-admin.ts'
import type { Store } from './stores/store.ts'
import type { ResumeOptions, TurnContext, TurnOptions } from './turn-options.ts'
import { requireIdle, writeTurn } from './turn-start.ts'
import { type Asker, type NewTurn, OPERATOR, TurnWork } from './turn-work.ts'
import { type Turn, turnsOf } from './turns.ts'

type ConversingParts = {
  readonly ask: (options: AskOptions) => AgentRun
  readonly settings: Pick<Settings, 'server' | 'model'>
  readonly store: Store
  readonly background: BackgroundRuns
  readonly hooks: ConversationHooks
  readonly files: Pick<FileAdmin, 'deleteIf'>
}

/** Conversations at work: turns that go on whoever listens, and can be listened to from any point, by any process. */
export class Conversing {
  readonly #parts: ConversingParts
  readonly #leftFiles: LeftFiles
  readonly #conversations: Conversations
  readonly #runs: Runs
  readonly #listeners = new Listeners()
  readonly #stopping = new Set<string>()
  readonly #work: TurnWork

  constructor(parts: ConversingParts) {
    this.#parts = parts
    this.#leftFiles = new LeftFiles(parts)
    this.#conversations = parts.store.conversations
    this.#runs = parts.store.runs
    this.#work = new TurnWork({
      ...{ store: parts.store, hooks: parts.hooks },
      isStopping: runId => this.#stopping.has(runId),
      conclude: async (runId, ending) => await this.#conclude(runId, async () => ending),
      onWritten: runId => this.#listeners.wake(runId),
    })
  }

  /** Begin to answer; it goes on by itself. Throws `conflict` while another turn of the conversation is under way, `too_large`, `not_found`, `rate_limited`. */
  async begin(turn: NewTurn): Promise<Run> {
    return await this.#claiming(turn.id, async claim => await this.#start(turn, claim))
  }

  async #start(turn: NewTurn, claim: Claim): Promise<Run> {
    const run = await this.#parts.store.catalog.transaction(
      async inside => await writeTurn(inside, turn, this.#maxBytes),
    )
    this.#parts.background.start(run.id, signal => this.#work.work(run, turn, signal), claim)
    return run
  }

  /** Nothing is written where there is no room for the run. */
  async #claiming(runId: string, begin: (claim: Claim) => Promise<Run>): Promise<Run> {
    const claim = await this.#parts.background.claim(runId)
    try {
      return await begin(claim)
    } catch (error) {
      await claim.release()
      throw error
    }
  }

  /** Ask as the next turn of a conversation, or the first of a `new` one. Throws as `begin` does. */
  async ask(asked: TurnOptions, conversation: string, context: TurnContext = {}): Promise<Run> {
    const runId = newId('run_')
    return await this.#claiming(runId, async claim => {
      const { id } =
        conversation === 'new'
          ? await this.#conversations.create()
          : await this.#conversations.get(conversation)
      return await this.#start(await this.#turnOf(runId, id, asked, context), claim)
    })
  }

  async #turnOf(
    runId: string,
    id: string,
    asked: TurnOptions,
    context: TurnContext,
  ): Promise<NewTurn> {
    const { failureOf = toFailure, extra, shown, asker, agent, media = [], replaces } = context
    const history = await this.history(id, this.#readableBytes, replaces)
    const { question, outsideTools: _, ...kept } = asked
    const content =
      agent?.content ??
      withItems(question, [...media, ...(asked.fileIds ?? []).map(file => ({ file }))])
    const { there, gone } = await keptFiles(this.#parts.store, filesOf(history))
    const fileIds = [...new Set([...there, ...(asked.fileIds ?? [])])]
    const files = fileIds.length > 0 && { fileIds }
    const messages: readonly Message[] = [...history, { role: 'user', content }]
    return {
      ...{ id: runId, conversationId: id, question, failureOf, asker },
      request: { ...(!agent && { asked: { ...kept, ...files } }), ...(shown && { shown }) },
      items: [
        { kind: 'message', role: 'user', content, ...(extra && { extra }) },
        ...(replaces === undefined ? [] : [await this.#superseding(id, replaces)]),
      ],
      events: signal =>
        agent?.answer({ messages, signal, conversation: id }) ??
        withGone(
          gone,
          this.#asked({ ...asked, ...files, signal, within: id }, history, messages.slice(-1)),
        ),
    }
  }

  /**
   * Go on with the last answer where it was interrupted: calls that were answered are not made again. Throws
   * `invalid_input` where it was not, or where calls wait for a decision that is not given; `conflict` where it was resumed already.
   */
  async resume(conversationId: string, { approvals, agent, ...how }: ResumeOptions): Promise<Run> {
    const last = await this.run(conversationId)
    const { turns } = await this.#conversations.get(conversationId)
    const turnItems = await this.#conversations.itemsOfTurns(conversationId, turns, turns)
    const interruption = interruptionOf(last, turnItems, {
      conversationId,
      named: how.interruption,
    })
    const request = await this.#runs.request(last!.id) // an interruption is of a run
    if (!agent) requireAsked(last!.id, request) // as above
    const { asked: said, turn, pending, unpaid } = interruptedTurn(turnItems, interruption)
    const question = said.map(textContent).join('\n\n')
    const decided = decisionsOn(turnItems, interruption, approvals)
    const items = await this.#conversations.recentItems(conversationId, this.#readableBytes)
    const history = toMessages(currentItems(items).filter(item => item.turn < last!.turn)) // as above
    const { failureOf = toFailure, extra, shown = request.shown, asker, outsideTools } = how
    const { fileIds = [], ...kept } = (request.asked ?? {}) as Omit<TurnOptions, 'question'> // `ask` wrote it; an agent, nothing
    const { there, gone } = await keptFiles(this.#parts.store, fileIds)
    const asked = { ...kept, ...(there.length > 0 && { fileIds: there }), outsideTools, question }
    const paid = pending.filter(call => !unpaid.includes(call)).map(({ id }) => id)
    const first = pending.length > 0 && {
      pending: pending.map(({ id }) => id),
      decided,
      ...(paid.length > 0 && { paid }),
    }
    const resumes = { resumes: last!.id, message_id: interruption.id, ...first, ...extra } // as above
    const found = await foundIn(this.#eventsOfTurn(conversationId, last!.turn)) // as above
    return await this.begin({
      ...{
        id: newId('run_'),
        conversationId,
        question,
        failureOf,
        asker,
        resumes: resumes.resumes,
      },
      request: { ...request, ...(shown && { shown }) },
      items: [
        { kind: 'status', code: 'resumed', message: 'The answer is gone on with.', extra: resumes },
      ],
      pending: unpaid,
      events: signal => {
        const how = { approvals: decided, found, signal }
        const messages = [...history, ...said, ...turn]
        return (
          agent?.answer({ ...how, messages, conversation: conversationId }) ??
          withGone(
            gone,
            this.#asked({ ...how, ...asked, turn, within: conversationId }, history, said),
          )
        )
      },
    })
  }

  #asked(options: AskOptions, history: readonly Message[], said: readonly Message[]) {
    return this.#parts.ask({ ...options, history: [...history, ...shownIn(said)] }).onlyEvents
  }

  /** Everything that happens in a run from an event on, until it ends. */
  async *events(runId: string, after: number, signal: AbortSignal): AsyncGenerator<NumberedEvent> {
    for (let last = after; ; ) {
      signal.throwIfAborted()
      const isUnderWay = await this.#isUnderWay(runId) // asked first, so that nothing is missed at the end
      const events = await this.#runs.eventsAfter(runId, last)
      for (const event of events) yield event
      last = events.at(-1)?.number ?? last
      if (events.length > 0) continue
      if (!isUnderWay) return
      await this.#listeners.changed(runId, signal)
    }
  }

  /** The same of the turn that a run is the last of: of those before it, which were interrupted, too. */
  async *turnEvents(run: Run, after: number, signal: AbortSignal): AsyncGenerator<NumberedEvent> {
    const { conversationId, turn } = run
    const earlier =
      conversationId === undefined || after === 0
        ? []
        : await this.#runs.after(conversationId, turn, after)
    for (const { id } of earlier) if (id !== run.id) yield* this.events(id, after, signal)
    yield* this.events(run.id, after, signal)
  }

  async *#eventsOfTurn(conversationId: string, turn: number): AsyncIterable<RunEvent> {
    for (const run of await this.#runs.after(conversationId, turn, 0)) {
      for (const { event } of await this.eventsSoFar(run)) yield event
    }
  }

  /** What happened in a run until now. */
  async eventsSoFar({ id, firstEvent }: Run): Promise<readonly NumberedEvent[]> {
    const all: NumberedEvent[] = []
    for (let last = firstEvent - 1; ; ) {
      const events = await this.#runs.eventsAfter(id, last)
      all.push(...events)
      if (events.length === 0) return all
      last = events.at(-1)!.number // there is one
    }
  }

  /** One that begins with these items. Throws `invalid_input` for what a guardrail refuses, `too_large`. */
  async create(
    { id = newId('conv_'), items = [], ...more }: CreateOptions,
    asker?: Asker,
  ): Promise<Conversation> {
    const made = await this.#conversations.create({
      ...more,
      id,
      items: await this.#admitted(items, id, asker),
    })
    const before = more.isUnlisted
      ? await new UnlistedConversations(this.#parts.store.catalog).beside(id)
      : []
    for (const one of before) await this.removeUnused(one.id, one.updatedAt + 1)
    return made
  }

  /** Add items that nobody is to answer. Throws `conflict` while a turn is under way, else as `create`, `not_found`. */
  async add(
    conversationId: string,
    items: readonly NewItem[],
    asker?: Asker,
  ): Promise<readonly Item[]> {
    const admitted = await this.#admitted(items, conversationId, asker)
    return await this.#parts.store.catalog.transaction(async inside => {
      const conversations = new Conversations(inside)
      await conversations.requireRoom(conversationId, this.#maxBytes)
      await requireIdle(inside, conversationId)
      return await conversations.write(conversationId, admitted)
    })
  }

  /** With the warnings of a guardrail. */
  async #admitted(
    items: readonly NewItem[],
    conversation: string,
    asker = OPERATOR,
  ): Promise<readonly NewItem[]> {
    const { tenant, key, isAdmitted } = asker
    const owner = { conversation, tenant, key }
    const asked = {
      pending: [],
      callersTools: new Set<string>(),
      signal: new AbortController().signal,
    }
    try {
      return await new Guard({
        hooks: this.#parts.hooks,
        owner,
        turn: 0,
        isAdmitted,
        ...asked,
      }).look(items)
    } catch (error) {
      if (!(error instanceof Interruption)) throw error
      throw new AppError(
        'invalid_input',
        'A guardrail refuses what was to be added: nothing of it was kept.',
      )
    }
  }

  /** A run with this id, under way or ended; one whose process died is brought to its end. */
  async find(runId: string): Promise<Run | undefined> {
    const run = await this.#runs.find(runId)
    return run?.status === 'in_progress' && !(await this.#isUnderWay(runId))
      ? await this.#runs.find(runId)
      : run
  }

  /** What was asked of it, as long as there is one. */
  async request(runId: string): Promise<RunRequest> {
    return await this.#runs.request(runId)
  }

  /** What the faces that began these runs noted, of each that did. */
  async shown(
    runIds: readonly string[],
  ): Promise<ReadonlyMap<string, NonNullable<RunRequest['shown']>>> {
    return await this.#runs.shown(runIds)
  }

  /** What happened in it can still be read. */
  async hasEvents(runId: string): Promise<boolean> {
    return (await this.#runs.eventsAfter(runId, 0)).length > 0
  }

  /** Stop a run, and forget it where it belongs to no conversation. */
  async forget(runId: string): Promise<void> {
    await this.stop(runId)
    if ((await this.#runs.find(runId))?.conversationId === undefined) await this.#runs.delete(runId)
  }

  /** The run of a conversation that is under way, or its last one. */
  async run(conversationId: string): Promise<Run | undefined> {
    const run = await this.#runs.last(conversationId)
    return run && (await this.find(run.id))
  }

  /** The last run of each of these turns. */
  async lastRuns(
    conversationId: string,
    first: number,
    last: number,
  ): Promise<ReadonlyMap<number, Run>> {
    return await this.#runs.ofTurns(conversationId, first, last)
  }

  /** The last turns, oldest first; `before` is a turn. Throws `not_found`. */
  async turns(
    id: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly Turn[]> {
    await this.run(id) // one that was left behind says so
    return await turnsOf({ conversations: this.#conversations, runs: this.#runs, id, ...page })
  }

  /** What a model is told of a conversation: its last turns before one, in about so many bytes. Throws `too_large`, `not_found`. */
  async history(
    id: string,
    readBytes: number,
    before = Number.POSITIVE_INFINITY,
  ): Promise<readonly Message[]> {
    await this.#conversations.requireRoom(id, this.#maxBytes)
    return toMessages(
      currentItems(await this.#conversations.recentItems(id, readBytes)).filter(
        ({ turn }) => turn < before,
      ),
    )
  }

  async #superseding(id: string, turn: number): Promise<NewItem> {
    return supersedes(turn, (await this.#conversations.itemsOfTurns(id, turn, turn))[0]?.id ?? '')
  }

  /** Stop a run, whichever process it is in; what was said of the answer is kept. False when it had ended. */
  async stop(runId: string): Promise<boolean> {
    if (!(await this.#isUnderWay(runId))) return false
    this.#stopping.add(runId)
    try {
      if (!(await this.#parts.background.cancel(runId)))
        await this.#conclude(runId, async () => STOPPED)
      return true
    } finally {
      this.#stopping.delete(runId)
    }
  }

  /** For good, with all that was said in it and the files that nothing else uses. Throws `not_found`. */
  async delete(conversationId: string): Promise<void> {
    await this.#conversations.get(conversationId)
    await this.remove(conversationId)
    await this.#parts.store.catalog.emptyLog()
  }

  /** The same of one of several: what was said in them is in the catalog's log until that is emptied. */
  async remove(conversationId: string): Promise<void> {
    const run = await this.#runs.last(conversationId)
    if (run) await this.stop(run.id)
    await this.#parts.store.catalog.transaction(async inside => await erase(inside, conversationId))
    await this.#leftFiles.removeOf(conversationId)
  }

  /** The same of one that is in nobody's use: it may have been used again since that was looked for. */
  async removeUnused(conversationId: string, since: number): Promise<void> {
    const { background, store } = this.#parts
    const run = await this.#runs.last(conversationId)
    if (run?.status === 'in_progress' && (await background.isUnderWay(run.id))) return
    const isRemoved = await store.catalog.transaction(async inside => {
      const found = await new Conversations(inside).find(conversationId)
      if (!found || found.updatedAt >= since) return false
      await erase(inside, conversationId)
      return true
    })
    if (isRemoved) await this.#leftFiles.removeOf(conversationId)
  }

  /** One item of it, for good; false when there was none. */
  async deleteItem(conversationId: string, itemId: string): Promise<boolean> {
    const isDeleted = await this.#conversations.deleteItem(conversationId, itemId)
    await this.#parts.store.catalog.emptyLog()
    return isDeleted
  }

  /** A response that was kept, for good; false when there was none. */
  async deleteResponse(id: string): Promise<boolean> {
    const isDeleted = await this.#parts.store.responses.delete(id)
    await this.#parts.store.catalog.emptyLog()
    return isDeleted
  }

  /** Finish what a process left that was killed while it deleted. */
  async sweep(): Promise<void> {
    await this.#leftFiles.sweep()
  }

  get #readableBytes(): number {
    return readableBytes(this.#parts.settings.model?.maxInputTokens)
  }

  get #maxBytes(): number {
    return this.#parts.settings.server.maxConversationBytes
  }

  /** Also true of a run in another process; one whose process died is brought to its end. */
  async #isUnderWay(runId: string): Promise<boolean> {
    if (!(await this.#runs.isUnderWay(runId))) return false
    if (await this.#parts.background.isUnderWay(runId)) return true
    await this.#conclude(runId, async (run, inside) =>
      leftBehind(run, await new Runs(inside).request(runId)),
    )
    return false
  }

  async #conclude(
    runId: string,
    endingOf: (run: Run, inside: Statements) => Promise<Ending>,
  ): Promise<void> {
    const { catalog } = this.#parts.store
    const ending = await catalog.transaction(async inside => {
      const run = await new Runs(inside).find(runId)
      if (run?.status !== 'in_progress') return undefined
      const made = await endingOf(run, inside)
      await endRun(inside, run, made)
      return made
    })
    if (ending?.code === 'revoked') await catalog.emptyLog()
    this.#listeners.wake(runId)
  }
}

/** All that was said in a conversation, and who said it. */
async function erase(inside: Statements, conversationId: string): Promise<void> {
  const responses = new StoredResponses(inside)
  for (const id of await new Runs(inside).deleteOf(conversationId)) await responses.delete(id)
  await new Conversations(inside).remove(conversationId)
}

function withItems(question: string, items: readonly ContentItem[]): Message['content'] {
  return items.length === 0 ? question : [{ text: question }, ...items]
}
