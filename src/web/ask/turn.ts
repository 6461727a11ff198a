import type { AnswerJson, CitationJson, ToolCitationJson } from '../../wire/answer.ts'
import type { StreamEvent } from '../connection.ts'
import type { Told } from '../told.tsx'

/** A question and what has become of it so far. */
export type Turn = {
  readonly question: string
  readonly state: 'asking' | 'done' | 'stopped' | 'failed'
  readonly answer: string
  readonly citations: readonly CitationJson[]
  readonly toolCitations?: readonly ToolCitationJson[]
  readonly unsupported: readonly string[]
  readonly unconfirmed?: readonly string[]
  /** Passages that were found, once they were. */
  readonly found?: number
  readonly isThinking?: boolean
  readonly isAbstained?: boolean
  readonly isQuoted?: boolean
  readonly incomplete?: AnswerJson['incomplete']
  readonly warnings?: AnswerJson['warnings']
  readonly problem?: Told
  /** It came to no end, and can be gone on with. */
  readonly canGoOn?: boolean
  /** Of the last event, to go on from. */
  readonly seen?: string
  readonly number?: number
}

export function newTurn(question: string): Turn {
  return { question, state: 'asking', answer: '', citations: [], unsupported: [] }
}

/** Selects contradicted claims: unsupported ones that are not merely unconfirmed. */
export function selectContradicted({ unsupported, unconfirmed = [] }: Turn): readonly string[] {
  return unsupported.filter(sentence => !unconfirmed.includes(sentence))
}

/** A turn as it is kept by the service. */
export type StoredTurn = {
  readonly turn: number
  readonly question: string
  readonly answer: string
  readonly citations: readonly CitationJson[]
  readonly toolCitations?: readonly ToolCitationJson[]
  readonly unsupported?: readonly string[]
  readonly unconfirmed?: readonly string[]
  readonly abstained?: boolean
  readonly mode?: AnswerJson['mode']
  readonly incomplete?: AnswerJson['incomplete']
  readonly status: 'completed' | 'in_progress' | 'stopped' | 'failed'
  readonly superseded?: boolean
  readonly error?: Told
}

const STATES = {
  completed: 'done',
  in_progress: 'asking',
  stopped: 'stopped',
  failed: 'failed',
} as const

export function restored(stored: StoredTurn): Turn {
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
    ...(error && { problem: error }),
    ...((status === 'stopped' || wasInterrupted(error)) && { canGoOn: true }),
  }
}

/** Its process ended before the answer did: a restart, or a crash. */
export function wasInterrupted(error: Told | undefined): boolean {
  return error?.code === 'cancelled'
}

type Payload = {
  readonly text: string
  readonly hits: readonly unknown[]
  readonly reason?: string
  readonly message?: string
  readonly turn?: number
  readonly error: Told
} & AnswerJson

/** The turn after one event of its stream. */
export function after(turn: Turn, { event, id, data }: StreamEvent): Turn {
  const seen = id === undefined ? turn : { ...turn, seen: id }
  const told = data as Payload & CitationJson // by its event; the service's own types
  switch (event) {
    case 'start':
      return told.turn === undefined ? seen : { ...seen, number: told.turn }
    case 'stopped':
      return stopped(seen, told)
    case 'retrieval':
      return { ...seen, found: (seen.found ?? 0) + told.hits.length }
    case 'reasoning':
      return { ...seen, isThinking: true }
    case 'token':
      return { ...seen, answer: seen.answer + told.text, isThinking: false }
    case 'token_reset':
      return { ...seen, answer: '', isThinking: true }
    case 'citation':
      return { ...seen, citations: [...seen.citations, told] }
    case 'answer':
      return answered(seen, told)
    case 'error':
      return { ...seen, state: 'failed', problem: told.error, canGoOn: wasInterrupted(told.error) }
    default:
      return seen
  }
}

function answered(turn: Turn, answer: AnswerJson): Turn {
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

/** Reasons after which an answer can be gone on with from here. */
const RESUMABLE = ['credits', 'expired']

/** By the user, or for a reason that is told; what a guardrail takes back is not shown any more. */
function stopped(turn: Turn, { reason, message = '' }: Pick<Payload, 'reason' | 'message'>): Turn {
  const problem = reason === undefined ? {} : { problem: { message, code: `stopped ${reason}` } }
  const isWithdrawn = reason === 'revoked'
  const said = isWithdrawn ? { answer: '', citations: [], unsupported: [], unconfirmed: [] } : {}
  return {
    ...turn,
    ...said,
    ...problem,
    state: 'stopped',
    canGoOn: reason === undefined || RESUMABLE.includes(reason),
  }
}
