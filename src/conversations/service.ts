import type { AgentEvent } from '../agent/event.ts'
import { type Message, textContent } from '../agent/message.ts'
import type { StoredTurns, TurnAnswerer } from '../agent/stored-turns.ts'
import { AppError, restoreError } from '../errors.ts'
import type { Leases } from '../ingest/store/catalog/lease.ts'
import type { Catalog, Statements } from '../ingest/store/catalog.ts'
import type { Files } from '../ingest/store/contents/files.ts'
import type { Library } from '../ingest/store/library.ts'
import { createId } from '../system/digest.ts'
import { BackgroundRuns, type Claim } from './background-runs.ts'
import { type Conversation, Conversations, type CreateOptions } from './conversations.ts'
import { deleteConversationFiles, deleteUnusedFiles, type UnusedFilesDeps } from './file-uses.ts'
import { checkItems } from './guard.ts'
import type { ConversationHooks } from './hooks.ts'
import type { Item, NewItem } from './items.ts'
import { Listeners } from './listeners.ts'
import {
  type NextTurnDeps,
  planQuestion,
  planResumption,
  type ResumeOptions,
  readHistory,
  type TurnContext,
  type TurnQuestion,
} from './next-turn.ts'
import { type Ending, endRun, noteLeftBehind, STOPPED } from './run-ending.ts'
import { type NumberedEvent, type Run, Runs } from './runs.ts'
import { StoredResponses } from './stored-responses.ts'
import { answerTurn, type NewTurn, OPERATOR, requireIdle, writeTurn } from './turn-work.ts'
import { readTurns, type Turn } from './turns.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Unused conversations that one sweep deletes, so that nobody waits for it. */
const MAX_FORGOTTEN = 100

type ConversationServiceDeps<Question extends TurnQuestion> = NextTurnDeps<Question> & {
  readonly catalog: Catalog
  readonly leases: Leases
  readonly library: Library
  readonly files: Pick<Files, 'find' | 'findAll'>
  readonly responses: StoredResponses
  readonly deleteFileIf: UnusedFilesDeps['deleteFileIf']
  readonly hooks: ConversationHooks
  /** Days until an unused conversation is deleted; 0 for never. */
  readonly keepDays: number
  /** Called with failures that nobody waits for. */
  readonly onError: (error: unknown) => void
}

/**
 * Plans a turn (`next-turn.ts`), stores and answers it (`turn-work.ts`), and ends its run
 * (`run-ending.ts`). A run goes on when its reader leaves. Any process can read, stop and resume
 * it.
 */
export class ConversationService<Question extends TurnQuestion = TurnQuestion>
  implements StoredTurns
{
  /** Rows of the runs. `findRun` and `findLastRun` end those whose process died. */
  readonly runs: Runs
  readonly #deps: ConversationServiceDeps<Question>
  readonly #background: BackgroundRuns
  readonly #listeners = new Listeners()
  readonly #stopping = new Set<string>()

  constructor(deps: ConversationServiceDeps<Question>) {
    this.#deps = deps
    this.runs = deps.runs
    this.#background = new BackgroundRuns(deps, deps.onError)
  }

  /** Throws `conflict` while another run is under way, `too_large`, `not_found`, `rate_limited`. */
  async start(turn: NewTurn): Promise<Run> {
    return await this.#withClaim(turn.id, async claim => await this.#start(turn, claim))
  }

  async #start(turn: NewTurn, claim: Claim): Promise<Run> {
    const { catalog, library, hooks, maxBytes } = this.#deps
    const run = await catalog.transaction(inside => writeTurn(inside, turn, maxBytes))
    const deps = {
      catalog,
      library,
      hooks,
      isStopping: (runId: string) => this.#stopping.has(runId),
      conclude: (runId: string, ending: Ending) => this.#endRun(runId, async () => ending),
      onWritten: (runId: string) => this.#listeners.notify(runId),
    }
    this.#background.start(run.id, signal => answerTurn(deps, { run, turn, signal }), claim)
    return run
  }

  /** Claims the room first, so that nothing is written if there is none. */
  async #withClaim(runId: string, start: (claim: Claim) => Promise<Run>): Promise<Run> {
    const claim = await this.#background.claim(runId)
    try {
      return await start(claim)
    } catch (error) {
      await claim.release()
      throw error
    }
  }

  /** Starts a conversation if it is `new`. Throws as `start` does. */
  async ask(question: Question, conversation: string, context: TurnContext = {}): Promise<Run> {
    const { conversations } = this.#deps
    const runId = createId('run_')
    return await this.#withClaim(runId, async claim => {
      const { id: conversationId } =
        conversation === 'new'
          ? await conversations.create()
          : await conversations.get(conversation)
      const place = { runId, conversationId }
      return await this.#start(await planQuestion(this.#deps, place, question, context), claim)
    })
  }

  /**
   * Repeats no answered calls. Throws `invalid_input` if the answer was not interrupted or a
   * decision is missing, `conflict` if it was resumed.
   */
  async resume(conversationId: string, options: ResumeOptions): Promise<Run> {
    const last = await this.findLastRun(conversationId)
    return await this.start(await planResumption(this.#deps, conversationId, last, options))
  }

  async *answerForAgent(
    conversation: string,
    agent: TurnAnswerer,
    { approvals, signal }: Parameters<StoredTurns['answerForAgent']>[2],
  ): AsyncGenerator<AgentEvent> {
    const { content } = agent
    const question = { question: textContent({ content: content ?? '' }) } as Question // an agent reads no options
    const run =
      content === undefined
        ? await this.resume(conversation, { agent, approvals })
        : await this.ask(question, conversation, { agent })
    yield* this.follow(run, signal)
  }

  /** Yields events; a caller that leaves early stops the run. Throws why there is no answer. */
  async *follow(
    run: Run,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<AgentEvent> {
    let isOver = false
    try {
      for await (const { event } of this.readEvents(run.id, run.firstEvent, signal)) {
        isOver = event.type === 'finish' || event.type === 'failed' || event.type === 'stopped'
        if (event.type === 'failed') throw restoreError(event.failure)
        if (event.type === 'stopped')
          throw new AppError('cancelled', event.message ?? 'The answer was stopped.')
        if (event.type === 'finish') {
          const result = { ...event.result, conversation: run.conversationId }
          return yield { type: 'finish', result }
        }
        if (event.type !== 'start') yield event
      }
    } finally {
      if (!isOver) await this.stop(run.id)
    }
  }

  async *readEvents(
    runId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedEvent> {
    for (let last = after; ; ) {
      signal.throwIfAborted()
      const isUnderWay = await this.#checkAlive(runId) // read first, so that no event at the end is missed
      const events = await this.runs.readEventsAfter(runId, last)
      yield* events
      last = events.at(-1)?.number ?? last
      if (events.length > 0) continue
      if (!isUnderWay) return
      await this.#listeners.waitForChange(runId, signal)
    }
  }

  async *readTurnEvents(
    run: Run,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedEvent> {
    const { conversationId, turn } = run
    const earlier =
      conversationId === undefined || after === 0
        ? []
        : await this.runs.listAfter(conversationId, turn, after)
    for (const { id } of earlier) if (id !== run.id) yield* this.readEvents(id, after, signal)
    yield* this.readEvents(run.id, after, signal)
  }

  /** Stops a run in any process. Returns false if it had ended. */
  async stop(runId: string): Promise<boolean> {
    if (!(await this.#checkAlive(runId))) return false
    this.#stopping.add(runId)
    try {
      if (!(await this.#background.cancel(runId))) await this.#endRun(runId, async () => STOPPED)
      return true
    } finally {
      this.#stopping.delete(runId)
    }
  }

  async findRun(runId: string): Promise<Run | undefined> {
    const run = await this.runs.find(runId)
    return run?.status === 'in_progress' && !(await this.#checkAlive(runId))
      ? await this.runs.find(runId)
      : run
  }

  async findLastRequest(conversationId: string): Promise<unknown> {
    const { conversations } = this.#deps
    const run = await this.runs.findLast(conversationId)
    if (run) return (await this.runs.findRequest(run.id)).asked
    const items = await conversations.readTurnItems(conversationId, 1, 1)
    return items.flatMap(item => (item.kind === 'message' ? [item.extra?.asked] : []))[0]
  }

  /** Returns the last run. Ends it if its process died. */
  async findLastRun(conversationId: string): Promise<Run | undefined> {
    const run = await this.runs.findLast(conversationId)
    return run && (await this.findRun(run.id))
  }

  /** Ends the runs whose process died, so that their events are sent. */
  async endAbandoned(signal?: AbortSignal): Promise<void> {
    for (const id of await this.runs.listUnderWay()) {
      signal?.throwIfAborted()
      await this.#checkAlive(id)
    }
  }

  /** Throws `invalid_input` for items that a guardrail refuses, `too_large`. */
  async create(
    { id = createId('conv_'), items = [], ...more }: CreateOptions,
    { tenant, key, isAdmitted } = OPERATOR,
  ): Promise<Conversation> {
    const { conversations, hooks } = this.#deps
    const owner = { conversation: id, tenant, key }
    const admitted = await checkItems(items, { hooks, owner, isAdmitted })
    const created = await conversations.create({ ...more, id, items: admitted })
    const before = more.isUnlisted ? await conversations.listUnlisted(id) : []
    for (const earlier of before) await this.deleteUnused(earlier.id, earlier.updatedAt + 1)
    return created
  }

  /** Adds items without an answer. Throws `conflict` while a run is under way, else as `create`. */
  async addItems(
    conversationId: string,
    items: readonly NewItem[],
    { tenant, key, isAdmitted } = OPERATOR,
  ): Promise<readonly Item[]> {
    const { catalog, maxBytes, hooks } = this.#deps
    const owner = { conversation: conversationId, tenant, key }
    const admitted = await checkItems(items, { hooks, owner, isAdmitted })
    return await catalog.transaction(async inside => {
      const conversations = new Conversations(inside)
      await conversations.requireRoom(conversationId, maxBytes)
      await requireIdle(inside, conversationId)
      return await conversations.write(conversationId, admitted)
    })
  }

  /** Returns the last turns before turn `before`, oldest first. Throws `not_found`. */
  async listTurns(
    id: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly Turn[]> {
    await this.findLastRun(id) // ends a run whose process died
    const { conversations } = this.#deps
    return await readTurns({ conversations, runs: this.runs, id, ...page })
  }

  async readHistory(id: string): Promise<readonly Message[]> {
    return await readHistory(this.#deps, id)
  }

  /** Reads the responses up to one; undefined if one was deleted. Throws `too_large`. */
  async readResponseHistory(id: string): Promise<readonly Message[] | undefined> {
    return await this.#deps.responses.readConversation(id, this.#deps)
  }

  /** Deletes a conversation for good, with files that nothing else uses. Throws `not_found`. */
  async delete(conversationId: string): Promise<void> {
    const { conversations, catalog } = this.#deps
    await conversations.get(conversationId)
    const run = await this.runs.findLast(conversationId)
    if (run) await this.stop(run.id)
    await catalog.transaction(async inside => await erase(inside, conversationId))
    await deleteConversationFiles(this.#deps, conversationId)
    await catalog.truncateLog()
  }

  /** Deletes a conversation unless it is in use, or was since a time in milliseconds. */
  async deleteUnused(conversationId: string, since: number): Promise<void> {
    const run = await this.runs.findLast(conversationId)
    if (run?.status === 'in_progress' && (await this.#background.isUnderWay(run.id))) return
    const isRemoved = await this.#deps.catalog.transaction(async inside => {
      const found = await new Conversations(inside).find(conversationId)
      if (!found || found.updatedAt >= since) return false
      await erase(inside, conversationId)
      return true
    })
    if (isRemoved) await deleteConversationFiles(this.#deps, conversationId)
  }

  async deleteItem(conversationId: string, itemId: string): Promise<void> {
    await this.#deps.conversations.deleteItem(conversationId, itemId)
    await this.#deps.catalog.truncateLog()
  }

  /** Leaves the run of a conversation. */
  async deleteResponse(id: string): Promise<void> {
    await this.stop(id)
    if ((await this.runs.find(id))?.conversationId === undefined) await this.runs.delete(id)
    await this.#deps.responses.delete(id)
    await this.#deps.catalog.truncateLog()
  }

  /** Deletes what was to be stored for a time, and what killed deletions left. */
  async removeExpired(): Promise<void> {
    const { responses, conversations, keepDays } = this.#deps
    await responses.prune()
    if (keepDays > 0) {
      const since = Date.now() - keepDays * DAY_MS
      const unused = await conversations.listUnusedSince(since, MAX_FORGOTTEN)
      for (const id of unused) await this.deleteUnused(id, since)
    }
    await deleteUnusedFiles(this.#deps)
    await this.runs.prune()
  }

  requireRoom(): void {
    this.#background.requireRoom()
  }

  get isBusy(): boolean {
    return this.#background.size > 0
  }

  async close(): Promise<void> {
    await this.#background.close()
  }

  /** Returns whether a run goes on. Ends it if its process died. */
  async #checkAlive(runId: string): Promise<boolean> {
    if (!(await this.runs.isUnderWay(runId))) return false
    if (await this.#background.isUnderWay(runId)) return true
    await this.#endRun(runId, noteLeftBehind)
    return false
  }

  async #endRun(
    runId: string,
    decideEnding: (inside: Statements, run: Run) => Promise<Ending>,
  ): Promise<void> {
    const { catalog } = this.#deps
    const ending = await catalog.transaction(async inside => {
      const run = await new Runs(inside).find(runId)
      if (run?.status !== 'in_progress') return undefined
      const made = await decideEnding(inside, run)
      await endRun(inside, run, made)
      return made
    })
    if (ending?.code === 'revoked') await catalog.truncateLog()
    this.#listeners.notify(runId)
  }
}

async function erase(inside: Statements, conversationId: string): Promise<void> {
  const responses = new StoredResponses(inside)
  for (const id of await new Runs(inside).deleteByConversation(conversationId))
    await responses.delete(id)
  await new Conversations(inside).remove(conversationId)
}
