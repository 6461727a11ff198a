import { textContent } from '../agent/message.ts'
import type { Citation } from '../answer/citations/citation.ts'
import type { Failure } from '../errors.ts'
import type { Conversations } from './conversations.ts'
import {
  type AnswerFacts,
  findSuperseded,
  findWithdrawn,
  type Item,
  isSuperseded,
} from './items.ts'
import type { Run, RunStatus, Runs } from './runs.ts'

export type Turn = Pick<AnswerFacts, 'toolCitations' | 'unconfirmed' | 'incomplete' | 'judgement'> &
  Partial<Pick<AnswerFacts, 'abstained' | 'mode'>> & {
    readonly turn: number
    readonly question: string
    readonly answer: string
    readonly citations: readonly Citation[]
    readonly unsupported: readonly string[]
    readonly status: RunStatus
    readonly superseded?: true
    readonly createdAt: number
    readonly failure?: Failure
  }

type TurnsOptions = {
  readonly conversations: Conversations
  readonly runs: Runs
  readonly id: string
  /** Exclusive; default the last turns. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Size of a page of turns, so that a response stays below some 5 MB. */
const PAGE_BYTES = 4 * 1024 * 1024

/** Returns the last turns, oldest first; fewer if they exceed a page. */
export async function readTurns({
  conversations,
  runs,
  id,
  before,
  limit,
}: TurnsOptions): Promise<readonly Turn[]> {
  const { turns } = await conversations.get(id)
  const range = {
    before: Math.min(turns + 1, before ?? Number.MAX_SAFE_INTEGER),
    limit,
    maxBytes: PAGE_BYTES,
  }
  const items = await conversations.readHistoryBefore(id, range)
  const found = [...new Set(items.map(item => item.turn))]
  const later = before === undefined ? [] : await conversations.findSupersededSince(id, before)
  const replaced = [...findSuperseded(items), ...later]
  const runsOf = await runs.findByTurns(id, found.at(0) ?? 0, found.at(-1) ?? 0)
  return found.map(turn => {
    const ofTurn = items.filter(item => item.turn === turn)
    return {
      ...toTurn(turn, ofTurn, runsOf.get(turn)),
      ...(isSuperseded(turn, replaced) && { superseded: true }),
    }
  })
}

type MessageItem = Extract<Item, { kind: 'message' }>

function toTurn(turn: number, items: readonly Item[], run: Run | undefined): Turn {
  const withdrawn = findWithdrawn(items)
  const messages = items
    .filter(item => item.kind === 'message')
    .filter(({ id }) => !withdrawn.has(id))
  const answers = messages.filter(({ role }) => role === 'assistant')
  const checked = answers.findLast(({ answer }) => answer !== undefined)
  const {
    citations = [],
    toolCitations,
    unsupported = [],
    unconfirmed,
    abstained,
    mode,
    incomplete,
    judgement,
  } = checked?.answer ?? {}
  return {
    turn,
    question: joinTexts(messages.filter(({ role }) => role === 'user')),
    answer: checked ? textContent(checked) : joinTexts(answers),
    citations,
    unsupported,
    status: run?.status ?? 'completed',
    createdAt: items[0]?.createdAt ?? 0,
    ...(unconfirmed && { unconfirmed }),
    ...(toolCitations && { toolCitations }),
    ...(mode && { abstained, mode }),
    ...(incomplete && { incomplete }),
    ...(judgement && { judgement }),
    ...(run?.failure && { failure: run.failure }),
  }
}

function joinTexts(messages: readonly MessageItem[]): string {
  return messages.map(textContent).filter(Boolean).join('\n\n')
}
