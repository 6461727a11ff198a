import type { Citation } from '../../answer/citations/citations.ts'
import type { Answer } from '../../app/answer-json.ts'
import type { StreamEvent } from '../connection.ts'

/** A question and what has become of it so far. */
export type Turn = {
  readonly question: string
  readonly state: 'asking' | 'done' | 'stopped' | 'failed'
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly unsupported: readonly string[]
  /** Passages that were found, once they were. */
  readonly found?: number
  readonly isThinking?: boolean
  readonly isAbstained?: boolean
  readonly isQuoted?: boolean
  readonly incomplete?: Answer['incomplete']
  readonly warnings?: Answer['warnings']
  readonly problem?: string
  /** Of the last event, to go on from. */
  readonly seen?: string
  readonly number?: number
}

export function newTurn(question: string): Turn {
  return { question, state: 'asking', answer: '', citations: [], unsupported: [] }
}

/** A turn as it is kept by the service. */
export type StoredTurn = {
  readonly turn: number
  readonly question: string
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly unsupported?: readonly string[]
  readonly abstained?: boolean
  readonly mode?: Answer['mode']
  readonly incomplete?: Answer['incomplete']
  readonly status: 'completed' | 'in_progress' | 'stopped' | 'failed'
  readonly error?: string | { readonly message: string }
}

const STATES = { completed: 'done', in_progress: 'asking', stopped: 'stopped', failed: 'failed' } as const

export function restored(stored: StoredTurn): Turn {
  const {
    question,
    answer,
    citations,
    unsupported = [],
    status,
    turn: number,
    abstained,
    mode,
    incomplete,
    error,
  } = stored
  return {
    ...{ question, answer: answer ?? '', citations: citations ?? [], unsupported, number, state: STATES[status] },
    ...(abstained && { isAbstained: true }),
    ...(mode === 'extractive' && { isQuoted: true }),
    ...(incomplete && { incomplete }),
    ...(error && { problem: typeof error === 'string' ? error : error.message }),
  }
}

type Payload = {
  readonly text: string
  readonly hits: readonly unknown[]
  readonly message: string
  readonly turn?: number
} & Answer

/** The turn after one event of its stream. */
export function after(turn: Turn, { event, id, data }: StreamEvent): Turn {
  const seen = id === undefined ? turn : { ...turn, seen: id }
  const told = data as Payload & Citation // by its event; the service's own types
  switch (event) {
    case 'start':
      return told.turn === undefined ? seen : { ...seen, number: told.turn }
    case 'stopped':
      return { ...seen, state: 'stopped' }
    case 'retrieval':
      return { ...seen, found: (seen.found ?? 0) + told.hits.length }
    case 'reasoning':
      return { ...seen, isThinking: true }
    case 'token':
      return { ...seen, answer: seen.answer + told.text, isThinking: false }
    case 'citation':
      return { ...seen, citations: [...seen.citations, told] }
    case 'answer':
      return answered(seen, told)
    case 'error':
      return { ...seen, state: 'failed', problem: told.message ?? messageIn(data) }
    default:
      return seen
  }
}

function answered(turn: Turn, answer: Answer): Turn {
  const { abstained, mode, citations, unsupported = [], incomplete, warnings } = answer
  return {
    ...turn,
    ...{ state: 'done', answer: answer.answer, citations, unsupported, isThinking: false },
    ...{ isAbstained: abstained, isQuoted: mode === 'extractive' },
    ...(incomplete && { incomplete }),
    ...(warnings && { warnings }),
  }
}

/** Errors come in the envelope that every route has. */
function messageIn(data: unknown): string {
  const { error } = data as { error?: { message?: string } }
  return error?.message ?? ''
}
