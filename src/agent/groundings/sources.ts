import type { TokenCounter } from '../../ingest/chunk/tokens.ts'
import { type PackedContext, packContext, renderContext } from '../../search/passages/context.ts'
import {
  compareByPosition,
  type Excerpt,
  type Passage,
  toPassage,
} from '../../search/passages/passage.ts'
import type { CitablePlace, NumberedPlace } from '../event.ts'
import { createFence } from '../messages/fence.ts'
import { labelDocuments, type NamedSource } from '../messages/source-labels.ts'

export type AddedSources = {
  readonly added: readonly Passage[]
  readonly repeated: readonly Passage[]
  /** True if found passages did not fit. */
  readonly isFull: boolean
}

type SourcesOptions = {
  readonly counter: TokenCounter
  readonly maxTokens: number
  readonly labels?: (documents: readonly NamedSource[]) => Promise<ReadonlyMap<string, string>>
  readonly findDate?: (documentId: string) => Promise<string | undefined>
}

/** Share of the budget for the first search, so that the model can search again. */
const FIRST_SHARE = 0.75

/** Length of an ISO 8601 day. */
const ISO_DAY = 10

export class Sources {
  #passages: readonly Passage[] = []
  #tokens = 0
  readonly #sources: NamedSource[] = []
  readonly #labels = new Map<string, string>()
  readonly #options: SourcesOptions

  constructor(options: SourcesOptions) {
    this.#options = options
  }

  get passages(): readonly Passage[] {
    return this.#passages
  }

  find(id: number): Passage | undefined {
    return this.#passages.find(passage => passage.id === id)
  }

  get nextId(): number {
    return (this.#passages.at(-1)?.id ?? 0) + 1
  }

  /** Earlier passages keep their numbers and are not repeated. */
  async add(hits: readonly Excerpt[]): Promise<AddedSources> {
    const labelled = await this.#labelAll(hits)
    const holders = labelled.map(hit => this.#passages.find(passage => isWithin(passage, hit)))
    const fresh = labelled.filter((_, index) => !holders[index])
    const { passages: added, omitted, tokens } = this.#pack(fresh)
    this.#passages = [...this.#passages, ...added]
    this.#tokens += tokens
    const isFull = omitted.some(({ reason }) => reason === 'budget')
    return { added, repeated: [...new Set(holders.filter(holder => holder !== undefined))], isFull }
  }

  /** Numbers may be missing. */
  async restore(
    parts: readonly { readonly number: number; readonly excerpt: Excerpt }[],
  ): Promise<void> {
    const labelled = await this.#labelAll(parts.map(({ excerpt }) => excerpt))
    const runs = new Map<number, Excerpt[]>()
    for (const [index, { number }] of parts.entries())
      runs.set(number, [...(runs.get(number) ?? []), labelled[index]!])
    const passages = [...runs].map(([number, run]) =>
      toPassage(run.toSorted(compareByPosition), number),
    )
    this.#passages = passages.toSorted((a, b) => a.id - b.id)
    this.#tokens = this.#options.counter.count(renderContext(this.#passages, renderSource))
  }

  findNumber(place: CitablePlace): number | undefined {
    return this.#passages.find(passage => isWithin(passage, place))?.id
  }

  numberPlaces(places: readonly CitablePlace[]): readonly NumberedPlace[] {
    return places.flatMap(({ documentId, charStart, charEnd }) => {
      const number = this.findNumber({ documentId, charStart, charEnd })
      return number === undefined ? [] : [{ documentId, charStart, charEnd, number }]
    })
  }

  async #labelAll(hits: readonly Excerpt[]): Promise<readonly Excerpt[]> {
    const { labels = async found => labelDocuments(found, this.#sources) } = this.#options
    const fresh = hits.filter(({ source }) => !this.#labels.has(source))
    this.#sources.push(...fresh.map(({ source, name }) => ({ source, name })))
    for (const [source, label] of await labels(fresh))
      if (!this.#labels.has(source)) this.#labels.set(source, label)
    return await Promise.all(hits.map(hit => this.#label(hit)))
  }

  async #label(hit: Excerpt): Promise<Excerpt> {
    const label = this.#labels.get(hit.source)
    const date = (await this.#options.findDate?.(hit.documentId))?.slice(0, ISO_DAY)
    return {
      ...hit,
      ...(label !== undefined && label !== hit.name && { label }),
      ...(date && { date }),
    }
  }

  #pack(hits: readonly Excerpt[]): PackedContext {
    const { counter, maxTokens: all } = this.#options
    const maxTokens =
      this.#passages.length === 0 ? Math.floor(all * FIRST_SHARE) : all - this.#tokens
    return packContext(hits, { counter, maxTokens, render: renderSource, firstId: this.nextId })
  }
}

/**
 * Share of the best score below which hits are dropped: 187 of 188 development questions keep
 * their evidence, 2026.
 */
const RELEVANT = 0.5
const MIN_HITS = 4
/** A text is a site's menu from this many lines, each a short link. */
const MIN_LINKS = 6
const MAX_LINK_CHARS = 30

/** Returns hits until relevance falls, the first always, without menus. */
export function selectRelevantHits<Found extends { readonly score: number; readonly text: string }>(
  hits: readonly Found[],
): readonly Found[] {
  const best = Math.max(0, ...hits.map(({ score }) => score))
  return hits.filter(
    ({ score, text }, index) => index < MIN_HITS || (score >= RELEVANT * best && !isMenu(text)),
  )
}

function isMenu(text: string): boolean {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return (
    lines.length >= MIN_LINKS &&
    lines.every(line => line.length <= MAX_LINK_CHARS && !/[\d|:：.。,，;；]/.test(line))
  )
}

export function renderSource(passage: Passage): string {
  const name = [passage.label ?? passage.name, formatPages(passage.pages)]
    .filter(Boolean)
    .join(', ')
  const place = passage.date ? `${name} (${passage.date})` : name
  const head = [place, passage.context].filter(Boolean).join('\n')
  const quoted = `${head}\n\n${passage.text}`
  const fence = createFence(quoted)
  return `[${passage.id}]\n${fence}\n${quoted}\n${fence}`
}

export function renderSources(passages: readonly Passage[]): string {
  const titled = passages.map((passage, index) => {
    const isFirst =
      passages.findIndex(({ documentId }) => documentId === passage.documentId) === index
    return isFirst ? passage : { ...passage, context: removeTitle(passage) }
  })
  return renderContext(titled, renderSource)
}

function removeTitle({ title, context }: Passage): string {
  const [first = '', ...lines] = context.split('\n')
  return title !== '' && first.trim() === title.trim() ? lines.join('\n') : context
}

function formatPages(pages: Passage['pages']): string {
  if (!pages) return ''
  return pages[0] === pages[1] ? `p. ${pages[0]}` : `pp. ${pages[0]}-${pages[1]}`
}

function isWithin(passage: Passage, hit: CitablePlace): boolean {
  return (
    passage.documentId === hit.documentId &&
    passage.charStart <= hit.charStart &&
    hit.charEnd <= passage.charEnd
  )
}
