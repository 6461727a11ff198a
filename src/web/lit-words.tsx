import { splitByMatches } from './query-words.ts'

type LitProps = {
  readonly text: string
  readonly query: string
  /** Matched terms; a stem lights the words that begin with it. */
  readonly terms?: readonly string[]
}

export function LitWords({ text, query, terms }: LitProps) {
  return (
    <>
      {splitByMatches(text, query, terms).map((part, index) =>
        index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
      )}
    </>
  )
}
