import type { AgentEvent } from '../agent/event.ts'
import type { FoundBefore } from '../agent/grounding.ts'
import type { ContentItem } from '../agent/message.ts'
import { collectMedia, listMessageFiles, type Message, textContent } from '../agent/message.ts'
import type { TurnAnswerer } from '../agent/stored-turns.ts'
import type { Files } from '../ingest/store/contents/files.ts'
import { createId } from '../system/digest.ts'
import type { Conversations } from './conversations.ts'
import { checkFiles, warnOfMissingFiles } from './file-uses.ts'
import { filterCurrentItems, type Item, toMessages, toSupersedingStatus } from './items.ts'
import {
  collectFindings,
  findInterruption,
  mergeDecisions,
  readInterruptedTurn,
  requireRequest,
} from './resuming.ts'
import type { Run, RunEvent, RunRequest, Runs } from './runs.ts'
import type { NewTurn } from './turn-work.ts'

type Decisions = Readonly<Record<string, boolean>>

/** Other options are stored for whoever answers. */
export type TurnQuestion = {
  readonly question: string
  readonly fileIds?: readonly string[] | undefined
  /** Not stored, because a resuming user has other rights. */
  readonly outsideTools?: 'all' | 'read-only' | 'none' | undefined
}

type AnswerContext = {
  /** Replaces the question's. */
  readonly fileIds: readonly string[] | undefined
  readonly history: readonly Message[]
  /** Messages after the question up to the interruption. */
  readonly turn: readonly Message[] | undefined
  readonly approvals: Decisions | undefined
  readonly found: FoundBefore | undefined
  readonly within: string
  readonly signal: AbortSignal
}

/** Author of a turn, and data of a face. */
export type TurnContext = Pick<NewTurn, 'asker'> & {
  readonly failureOf?: NewTurn['failureOf']
  /** Added to the question or the resuming status. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly media?: readonly ContentItem[]
  /** First turn to replace, with later ones. */
  readonly replaces?: number | undefined
  readonly shown?: RunRequest['shown']
  /** Answers instead of the service. */
  readonly agent?: TurnAnswerer | undefined
}

export type ResumeOptions = TurnContext &
  Pick<TurnQuestion, 'outsideTools'> & {
    /** Decisions about waiting calls by id. */
    readonly approvals?: Decisions | undefined
    readonly interruption?: string | undefined
  }

export type NextTurnDeps<Question extends TurnQuestion> = {
  readonly conversations: Conversations
  readonly runs: Runs
  readonly files: Pick<Files, 'findAll'>
  readonly maxBytes: number
  readonly readBytes: number
  readonly answer: (question: Question, context: AnswerContext) => AsyncIterable<AgentEvent>
}

/** Returns the last turns before `before` for the model. Throws `too_large`, `not_found`. */
export async function readHistory(
  { conversations, maxBytes, readBytes }: Omit<NextTurnDeps<TurnQuestion>, 'answer'>,
  id: string,
  before = Number.POSITIVE_INFINITY,
): Promise<readonly Message[]> {
  await conversations.requireRoom(id, maxBytes)
  return toHistory(await conversations.readRecentItems(id, readBytes), before)
}

function toHistory(items: readonly Item[], before: number): readonly Message[] {
  return toMessages(filterCurrentItems(items).filter(({ turn }) => turn < before))
}

type Place = { readonly runId: string; readonly conversationId: string }

/** Throws `too_large`, `not_found`. */
export async function planQuestion<Question extends TurnQuestion>(
  deps: NextTurnDeps<Question>,
  { runId, conversationId }: Place,
  request: Question,
  context: TurnContext,
): Promise<NewTurn> {
  const { extra, shown, asker, failureOf, agent, media = [], replaces } = context
  const history = await readHistory(deps, conversationId, replaces)
  const { question, outsideTools: _, ...stored } = request
  const newFileIds = request.fileIds ?? []
  const content = agent?.content ?? withItems(question, [...media, ...newFileIds.map(toFileItem)])
  const { present, missing } = await checkFiles(deps.files, listMessageFiles(history))
  const fileIds = omitEmpty([...new Set([...present, ...newFileIds])])
  const userMessages: readonly Message[] = [{ role: 'user', content }]
  const superseding =
    replaces === undefined
      ? []
      : [toSupersedingStatus(replaces, await findFirstItemId(deps, conversationId, replaces))]
  return {
    id: runId,
    conversationId,
    question,
    asker,
    failureOf,
    request: {
      ...(!agent && { asked: { ...stored, ...(fileIds && { fileIds }) } }),
      ...(shown && { shown }),
    },
    items: [{ kind: 'message', role: 'user', content, ...(extra && { extra }) }, ...superseding],
    events: buildAnswer(deps, agent, {
      conversationId,
      question: request,
      fileIds,
      missing,
      history,
      messages: userMessages,
    }),
  }
}

function withItems(question: string, items: readonly ContentItem[]): Message['content'] {
  return items.length === 0 ? question : [{ text: question }, ...items]
}

function toFileItem(file: string): ContentItem {
  return { file }
}

function omitEmpty(ids: readonly string[]): readonly string[] | undefined {
  return ids.length > 0 ? ids : undefined
}

async function findFirstItemId(
  { conversations }: Pick<NextTurnDeps<TurnQuestion>, 'conversations'>,
  id: string,
  turn: number,
): Promise<string> {
  return (await conversations.readTurnItems(id, turn, turn))[0]?.id ?? ''
}

/** Throws `invalid_input` if nothing can be resumed or a decision is missing. */
export async function planResumption<Question extends TurnQuestion>(
  deps: NextTurnDeps<Question>,
  conversationId: string,
  last: Run | undefined,
  options: ResumeOptions,
): Promise<NewTurn> {
  const { conversations, runs } = deps
  const { approvals, agent, interruption: named, extra, asker, failureOf, outsideTools } = options
  const { turns } = await conversations.get(conversationId)
  const turnItems = await conversations.readTurnItems(conversationId, turns, turns)
  const { run, status } = findInterruption(last, turnItems, { conversationId, named })
  const request = await runs.findRequest(run.id)
  if (!agent) requireRequest(run.id, request)
  const { userMessages, turn, pending, unpaid } = readInterruptedTurn(turnItems, status)
  const decided = mergeDecisions(turnItems, status, approvals)
  const recent = await conversations.readRecentItems(conversationId, deps.readBytes)
  const history = toHistory(recent, run.turn)
  const question = {
    ...request.asked,
    question: userMessages.map(textContent).join('\n\n'),
    outsideTools,
  } as Question
  const { present, missing } = await checkFiles(deps.files, question.fileIds ?? [])
  const found = await collectFindings(readEventsOfTurn(runs, conversationId, run.turn))
  const { shown = request.shown } = options
  return {
    id: createId('run_'),
    conversationId,
    question: question.question,
    asker,
    failureOf,
    resumes: run.id,
    request: { ...request, ...(shown && { shown }) },
    items: [
      {
        kind: 'status',
        code: 'resumed',
        message: 'Answer resumed.',
        extra: {
          resumes: run.id,
          message_id: status.id,
          ...describePending(pending, unpaid, decided),
          ...extra,
        },
      },
    ],
    pending: unpaid,
    events: buildAnswer(deps, agent, {
      conversationId,
      question,
      fileIds: omitEmpty(present),
      missing,
      history,
      messages: userMessages,
      turn,
      decided,
      found,
    }),
  }
}

type Answerable<Question> = {
  readonly conversationId: string
  readonly question: Question
  readonly fileIds: readonly string[] | undefined
  readonly missing: readonly string[]
  readonly history: readonly Message[]
  readonly messages: readonly Message[]
  readonly turn?: readonly Message[]
  readonly decided?: Decisions
  readonly found?: FoundBefore
}

function buildAnswer<Question extends TurnQuestion>(
  { answer }: NextTurnDeps<Question>,
  agent: TurnAnswerer | undefined,
  {
    conversationId,
    question,
    fileIds,
    missing,
    history,
    messages: newMessages,
    turn,
    ...more
  }: Answerable<Question>,
): NewTurn['events'] {
  const { decided: approvals, found } = more
  return signal => {
    if (agent) {
      const messages = [...history, ...newMessages, ...(turn ?? [])]
      return agent.answer({ messages, approvals, found, signal, conversation: conversationId })
    }
    const events = answer(question, {
      fileIds,
      history: [...history, ...collectMedia(newMessages)],
      turn,
      approvals,
      found,
      within: conversationId,
      signal,
    })
    return warnOfMissingFiles(events, missing)
  }
}

function describePending(
  pending: readonly { readonly id: string }[],
  unpaid: readonly object[],
  decided: Decisions,
): object {
  if (pending.length === 0) return {}
  const paid = pending.filter(call => !unpaid.includes(call)).map(({ id }) => id)
  return { pending: pending.map(({ id }) => id), decided, ...(paid.length > 0 && { paid }) }
}

async function* readEventsOfTurn(
  runs: Runs,
  conversationId: string,
  turn: number,
): AsyncIterable<RunEvent> {
  for (const run of await runs.listAfter(conversationId, turn, 0)) {
    for await (const { event } of runs.readEvents(run)) yield event
  }
}
