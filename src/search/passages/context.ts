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

type Omission = { readonly hit: Excerpt; readonly reason: 'budget' | 'repeated' }

export type PackedContext = {
  readonly passages: readonly Passage[]
  readonly omitted: readonly Omission[]
  readonly tokens: number
}

type PackOptions = {
  readonly counter: TokenCounter
  readonly maxTokens: number
  /** Renders a passage as the model sees it and tokens are counted. */
  readonly render: (passage: Passage) => string
  /** Follows the ids given out before. */
  readonly firstId?: number
}

/** Widest expected id, so that counting before numbering never underestimates. */
const WIDEST_ID = 999

/**
 * Packs the best complete chunks into a token budget, touching ones as one passage. Documents
 * follow their best hit, passages the document.
 */
export function packContext(hits: readonly Excerpt[], options: PackOptions): PackedContext {
  const { counter, maxTokens, render } = options
  const renderFrame = (parts: readonly Excerpt[]) => render(toPassage(parts, WIDEST_ID, ''))
  const runs = new PackedRuns({ counter, renderFrame })
  const omitted: Omission[] = []
  const texts = new Set<string>()
  const excerpts: Excerpt[] = []
  for (const hit of hits) {
    const key = buildTextKey(hit)
    const addition = texts.has(key) ? undefined : runs.plan(hit, maxTokens)
    if (!addition) {
      omitted.push({ hit, reason: texts.has(key) ? 'repeated' : 'budget' })
      continue
    }
    runs.take(addition)
    texts.add(key)
    excerpts.push(hit)
  }
  return trimToBudget(excerpts, omitted, options)
}

export function renderContext(passages: readonly Passage[], render: PackOptions['render']): string {
  return passages.map(render).join(SEPARATOR)
}

function trimToBudget(
  excerpts: readonly Excerpt[],
  omitted: readonly Omission[],
  options: PackOptions,
): PackedContext {
  const passages = mergeHits(excerpts, options.firstId)
  const tokens = options.counter.count(renderContext(passages, options.render))
  if (tokens <= options.maxTokens) return { passages, omitted, tokens }
  const last: Omission = { hit: excerpts.at(-1)!, reason: 'budget' }
  return trimToBudget(excerpts.slice(0, -1), [...omitted, last], options)
}

function buildTextKey(hit: Excerpt): string {
  return hit.text.replace(/\s+/g, ' ').trim()
}

type Run = {
  readonly parts: readonly Excerpt[]
  readonly start: number
  readonly reach: number
  readonly tokens: number
}

type Addition = {
  readonly documentId: string
  readonly runs: readonly Run[]
  readonly tokens: number
}

type PackedRunsOptions = {
  readonly counter: TokenCounter
  readonly renderFrame: (parts: readonly Excerpt[]) => string
}

/** Counts only the passage that a hit joins, because counting is slow. */
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

  plan(hit: Excerpt, maxTokens: number): Addition | undefined {
    const { documentId } = hit
    const runs = this.#documents.get(documentId) ?? []
    const isMet = (run: Run) =>
      run.start <= hit.charEnd + SEPARATOR.length && hit.charStart <= run.reach
    const met = runs.filter(isMet)
    const parts = [...met.flatMap(run => run.parts), hit].toSorted(compareByPosition)
    const before = this.#tokens - met.reduce((sum, run) => sum + run.tokens, 0)
    const frame = this.#countFrame(parts)
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
    const start = parts[0]!.charStart
    let end = start
    let tokens = frame
    for (const part of parts) {
      tokens += this.#countExtension(part, end)
      end = Math.max(end, part.charEnd)
    }
    return { parts, start, reach: end + SEPARATOR.length, tokens }
  }

  #countFrame(parts: readonly Excerpt[]): number {
    const text = this.#options.renderFrame(parts)
    const cached = this.#frames.get(text)
    if (cached !== undefined) return cached
    const tokens = this.#options.counter.count(text) + this.#separator
    this.#frames.set(text, tokens)
    return tokens
  }

  #countExtension(part: Excerpt, end: number): number {
    const text = readExtension(part, end)
    const cached = this.#extensions.get(part)
    if (cached?.length === text.length) return cached.tokens
    const tokens = this.#options.counter.count(text)
    this.#extensions.set(part, { length: text.length, tokens })
    return tokens
  }
}
