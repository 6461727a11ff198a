import type { AnswerJson, CitationJson, ToolCitationJson } from '../../wire/answer.ts'
import type { StreamedAskEvent } from '../../wire/ask-event.ts'
import type { TurnJson } from '../../wire/conversation.ts'
import type { FailureJson } from '../../wire/error.ts'

type TurnProblem = Pick<FailureJson, 'message'> & Partial<Pick<FailureJson, 'code'>>

export type Turn = {
  readonly question: string
  readonly state: 'asking' | 'done' | 'stopped' | 'failed'
  readonly answer: string
  readonly citations: readonly CitationJson[]
  readonly toolCitations?: readonly ToolCitationJson[]
  readonly unsupported: readonly string[]
  readonly unconfirmed?: readonly string[]
  readonly found?: number
  readonly isThinking?: boolean
  readonly isAbstained?: boolean
  readonly isQuoted?: boolean
  readonly incomplete?: AnswerJson['incomplete']
  readonly warnings?: AnswerJson['warnings']
  readonly problem?: TurnProblem
  readonly canResume?: boolean
  readonly lastEventId?: string
  readonly number?: number
  readonly judgement?: TurnJson['judgement']
}

export function createTurn(question: string): Turn {
  return { question, state: 'asking', answer: '', citations: [], unsupported: [] }
}

type Doubts = Partial<Pick<Turn, 'unsupported' | 'unconfirmed'>>

export function selectContradicted({
  unsupported = [],
  unconfirmed = [],
}: Doubts): readonly string[] {
  return unsupported.filter(sentence => !unconfirmed.includes(sentence))
}

const STATES = {
  completed: 'done',
  in_progress: 'asking',
  stopped: 'stopped',
  failed: 'failed',
} as const

export function restoreTurn(stored: TurnJson): Turn {
  const {
    question,
    answer,
    citations,
    toolCitations,
    unsupported = [],
    unconfirmed = [],
    status,
    turn: number,
    abstained,
    mode,
    incomplete,
    error,
    judgement,
  } = stored
  return {
    question,
    answer: answer ?? '',
    citations: citations ?? [],
    unsupported,
    unconfirmed,
    number,
    state: STATES[status],
    ...(toolCitations && { toolCitations }),
    ...(abstained && { isAbstained: true }),
    ...(mode === 'extractive' && { isQuoted: true }),
    ...(incomplete && { incomplete }),
    ...(judgement && { judgement }),
    ...(error && { problem: error }),
    ...((status === 'stopped' || wasInterrupted(error)) && { canResume: true }),
  }
}

export function wasInterrupted(error: TurnProblem | undefined): boolean {
  return error?.code === 'cancelled'
}

export function applyEvent(turn: Turn, sent: StreamedAskEvent): Turn {
  const seen: Turn = sent.id === undefined ? turn : { ...turn, lastEventId: sent.id }
  switch (sent.event) {
    case 'start':
      return sent.data.turn === undefined ? seen : { ...seen, number: sent.data.turn }
    case 'stopped':
      return applyStop(seen, sent.data)
    case 'retrieval':
      return { ...seen, found: (seen.found ?? 0) + sent.data.hits.length }
    case 'reasoning':
      return { ...seen, isThinking: true }
    case 'token':
      return { ...seen, answer: seen.answer + sent.data.text, isThinking: false }
    case 'token_reset':
      return { ...seen, answer: '', isThinking: true }
    case 'citation':
      return { ...seen, citations: [...seen.citations, sent.data] }
    case 'answer':
      return applyAnswer(seen, sent.data)
    case 'error':
      return {
        ...seen,
        state: 'failed',
        problem: sent.data.error,
        canResume: wasInterrupted(sent.data.error),
      }
    default:
      return seen
  }
}

function applyAnswer(turn: Turn, answer: AnswerJson): Turn {
  const {
    abstained,
    mode,
    citations,
    toolCitations,
    unsupported = [],
    unconfirmed = [],
    incomplete,
    warnings,
  } = answer
  return {
    ...turn,
    state: 'done',
    answer: answer.answer,
    citations,
    unsupported,
    unconfirmed,
    isThinking: false,
    ...(toolCitations && { toolCitations }),
    isAbstained: abstained,
    isQuoted: mode === 'extractive',
    ...(incomplete && { incomplete }),
    ...(warnings && { warnings }),
  }
}

const RESUMABLE = ['credits', 'expired']

function applyStop(
  turn: Turn,
  { reason, message = '' }: Extract<StreamedAskEvent, { event: 'stopped' }>['data'],
): Turn {
  const problem = reason === undefined ? {} : { problem: { message } }
  const isWithdrawn = reason === 'revoked'
  const withdrawn = isWithdrawn
    ? { answer: '', citations: [], unsupported: [], unconfirmed: [] }
    : {}
  return {
    ...turn,
    ...withdrawn,
    ...problem,
    state: 'stopped',
    canResume: reason === undefined || RESUMABLE.includes(reason),
  }
}
