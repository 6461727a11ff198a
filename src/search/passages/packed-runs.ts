import type { TokenCounter } from '../../ingest/tokens.ts'
import { type Excerpt, extensionOf, inDocumentOrder, SEPARATOR } from './excerpt.ts'

/** Consecutive hits of one document, in its order. */
type Run = {
  readonly parts: readonly Excerpt[]
  readonly start: number
  readonly reach: number
  readonly tokens: number
}

/** What hits would make of the context, and how long it would be. */
type Addition = { readonly documentId: string; readonly runs: readonly Run[]; readonly tokens: number }

type PackedRunsOptions = {
  readonly counter: TokenCounter
  /** Everything of a passage but its text, as the model will see it. */
  readonly renderFrame: (parts: readonly Excerpt[]) => string
}

/**
 * Tokens of the passages that hits make, while hits are added. Counting is slow and most hits stand alone: each
 * text is counted once, as what it adds to the one before it, and only the passage that a hit joins is looked at.
 */
export class PackedRuns {
  readonly #options: PackedRunsOptions
  readonly #separator: number
  readonly #frames = new Map<string, number>()
  readonly #extensions = new Map<Excerpt, { readonly length: number; readonly tokens: number }>()
  readonly #documents = new Map<string, readonly Run[]>()
  #tokens = 0

  constructor(options: PackedRunsOptions) {
    this.#options = options
    this.#separator = options.counter.count(SEPARATOR)
  }

  /** What there would be with the hit, to be taken or left; undefined when that is more than `maxTokens`. */
  plan(hit: Excerpt, maxTokens: number): Addition | undefined {
    const { documentId } = hit
    const runs = this.#documents.get(documentId) ?? []
    const isMet = (run: Run) => run.start <= hit.charEnd + SEPARATOR.length && hit.charStart <= run.reach
    const met = runs.filter(isMet)
    const parts = [...met.flatMap(run => run.parts), hit].toSorted(inDocumentOrder)
    const before = this.#tokens - met.reduce((sum, run) => sum + run.tokens, 0)
    const frame = this.#frame(parts)
    if (before + frame > maxTokens) return undefined
    const run = this.#run(parts, frame)
    const tokens = before + run.tokens
    return tokens > maxTokens ? undefined : { documentId, tokens, runs: [...runs.filter(other => !isMet(other)), run] }
  }

  take({ documentId, runs, tokens }: Addition): void {
    this.#documents.set(documentId, runs)
    this.#tokens = tokens
  }

  #run(parts: readonly Excerpt[], frame: number): Run {
    const start = parts[0]!.charStart // a run has at least one
    let end = start
    let tokens = frame
    for (const part of parts) {
      tokens += this.#extension(part, end)
      end = Math.max(end, part.charEnd)
    }
    return { parts, start, reach: end + SEPARATOR.length, tokens }
  }

  #frame(parts: readonly Excerpt[]): number {
    const text = this.#options.renderFrame(parts)
    const known = this.#frames.get(text)
    if (known !== undefined) return known
    const tokens = this.#options.counter.count(text) + this.#separator
    this.#frames.set(text, tokens)
    return tokens
  }

  /** Of what the part adds to a text that ends here. */
  #extension(part: Excerpt, end: number): number {
    const text = extensionOf(part, end)
    const known = this.#extensions.get(part)
    if (known?.length === text.length) return known.tokens
    const tokens = this.#options.counter.count(text)
    this.#extensions.set(part, { length: text.length, tokens })
    return tokens
  }
}
