import type { TokenCounter } from '../../ingest/chunk/tokens.ts'
import {
  compareByPosition,
  type Excerpt,
  mergeHits,
  type Passage,
  readExtension,
  SEPARATOR,
  toPassage,
} from './passage.ts'

/** A hit that is not in the context, and why. */
type Omission = { readonly hit: Excerpt; readonly reason: 'budget' | 'repeated' }

export type PackedContext = {
  readonly passages: readonly Passage[]
  readonly omitted: readonly Omission[]
  /** Of the rendered passages. */
  readonly tokens: number
}

type PackOptions = {
  readonly counter: TokenCounter
  readonly maxTokens: number
  /** A passage as the model will see it, frame and all: that is what is counted. */
  readonly render: (passage: Passage) => string
  /** The first passage's id, when others were given out before. */
  readonly firstId?: number
}

/** For counting, while it is not known which number a passage will have. */
const WIDEST_ID = 999

/**
 * What fits of the hits: whole chunks, best first, never more tokens than allowed. Chunks that overlap or touch become
 * one passage. Documents stand in the order of their best hit, passages in the order of the document. A chunk that
 * does not fit is passed over and the next one tried.
 */
export function packContext(hits: readonly Excerpt[], options: PackOptions): PackedContext {
  const { counter, maxTokens, render } = options
  const renderFrame = (parts: readonly Excerpt[]) => render(toPassage(parts, WIDEST_ID, ''))
  const runs = new PackedRuns({ counter, renderFrame })
  const omitted: Omission[] = []
  const texts = new Set<string>()
  const taken: Excerpt[] = []
  for (const hit of hits) {
    const key = textKey(hit)
    const addition = texts.has(key) ? undefined : runs.plan(hit, maxTokens)
    if (!addition) {
      omitted.push({ hit, reason: texts.has(key) ? 'repeated' : 'budget' })
      continue
    }
    runs.take(addition)
    texts.add(key)
    taken.push(hit)
  }
  return trimToBudget(taken, omitted, options)
}

/** The text as the packed passages make it: what the budget holds for. */
export function renderContext(passages: readonly Passage[], render: PackOptions['render']): string {
  return passages.map(render).join(SEPARATOR)
}

/** Parts do not always count as the whole does, so the whole is counted once, and the worst hits leave until it fits. */
function trimToBudget(
  taken: readonly Excerpt[],
  omitted: readonly Omission[],
  options: PackOptions,
): PackedContext {
  const passages = mergeHits(taken, options.firstId)
  const tokens = options.counter.count(renderContext(passages, options.render))
  if (tokens <= options.maxTokens) return { passages, omitted, tokens }
  const last: Omission = { hit: taken.at(-1)!, reason: 'budget' } // nothing taken counts as no tokens
  return trimToBudget(taken.slice(0, -1), [...omitted, last], options)
}

function textKey(hit: Excerpt): string {
  return hit.text.replace(/\s+/g, ' ').trim()
}

/** Consecutive hits of one document, in its order. */
type Run = {
  readonly parts: readonly Excerpt[]
  readonly start: number
  readonly reach: number
  readonly tokens: number
}

/** What hits would make of the context, and how long it would be. */
type Addition = {
  readonly documentId: string
  readonly runs: readonly Run[]
  readonly tokens: number
}

type PackedRunsOptions = {
  readonly counter: TokenCounter
  /** Everything of a passage but its text, as the model will see it. */
  readonly renderFrame: (parts: readonly Excerpt[]) => string
}

/**
 * Tokens of the passages that hits make, while hits are added. Counting is slow and most hits stand alone: each
 * text is counted once, as what it adds to the one before it, and only the passage that a hit joins is looked at.
 */
class PackedRuns {
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
    const isMet = (run: Run) =>
      run.start <= hit.charEnd + SEPARATOR.length && hit.charStart <= run.reach
    const met = runs.filter(isMet)
    const parts = [...met.flatMap(run => run.parts), hit].toSorted(compareByPosition)
    const before = this.#tokens - met.reduce((sum, run) => sum + run.tokens, 0)
    const frame = this.#frame(parts)
    if (before + frame > maxTokens) return undefined
    const run = this.#run(parts, frame)
    const tokens = before + run.tokens
    return tokens > maxTokens
      ? undefined
      : { documentId, tokens, runs: [...runs.filter(other => !isMet(other)), run] }
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
    const text = readExtension(part, end)
    const known = this.#extensions.get(part)
    if (known?.length === text.length) return known.tokens
    const tokens = this.#options.counter.count(text)
    this.#extensions.set(part, { length: text.length, tokens })
    return tokens
  }
}
