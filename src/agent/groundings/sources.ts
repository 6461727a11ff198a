import type { TokenCounter } from '../../ingest/chunk/tokens.ts'
import { type PackedContext, packContext, renderContext } from '../../search/passages/context.ts'
import {
  compareByPosition,
  type Excerpt,
  type Passage,
  toPassage,
} from '../../search/passages/passage.ts'
import type { CitablePlace, NumberedPlace } from '../event.ts'
import { createFence } from '../fence.ts'
import { labelDocuments, type NamedSource } from '../source-labels.ts'

/** What one search adds: passages new to the model, and those that it was given before. */
export type AddedSources = {
  readonly added: readonly Passage[]
  readonly known: readonly Passage[]
  /** Something was found that there was no room for. */
  readonly isFull: boolean
}

type SourcesOptions = {
  readonly counter: TokenCounter
  /** For all passages of the answer together, over all its searches. */
  readonly maxTokens: number
  /** What to call documents, by source. */
  readonly labels?:
    | ((documents: readonly NamedSource[]) => Promise<ReadonlyMap<string, string>>)
    | undefined
  /** When a document was last changed, as an ISO date, where that is known. */
  readonly findDate?: (documentId: string) => Promise<string | undefined>
}

/** What the first search may take, so that the model can search again. */
const FIRST_SHARE = 0.75

/** Of `2024-03-05T10:00:00Z`, the day. */
const ISO_DAY = 10

/** The passages that the model of one answer has seen, numbered in the order in which it saw them: what it may cite. */
export class Sources {
  #passages: readonly Passage[] = []
  #tokens = 0
  readonly #known: NamedSource[] = []
  /** By source. */
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

  /** What the next one is numbered. */
  get nextId(): number {
    return (this.#passages.at(-1)?.id ?? 0) + 1
  }

  /** The hits as passages, packed into the budget; what was shown before keeps its number and is not shown again. */
  async add(hits: readonly Excerpt[]): Promise<AddedSources> {
    const labelled = await this.#labelAll(hits)
    const holders = labelled.map(hit => this.#passages.find(passage => isWithin(passage, hit)))
    const fresh = labelled.filter((_, at) => !holders[at])
    const { passages: added, omitted, tokens } = this.#pack(fresh)
    this.#passages = [...this.#passages, ...added]
    this.#tokens += tokens
    const isFull = omitted.some(({ reason }) => reason === 'budget')
    return { added, known: [...new Set(holders.filter(holder => holder !== undefined))], isFull }
  }

  /** What an answer that is gone on with had, under the numbers that it had there: some may be missing in between. */
  async restore(
    parts: readonly { readonly number: number; readonly excerpt: Excerpt }[],
  ): Promise<void> {
    const labelled = await this.#labelAll(parts.map(({ excerpt }) => excerpt))
    const runs = new Map<number, Excerpt[]>()
    for (const [at, { number }] of parts.entries())
      runs.set(number, [...(runs.get(number) ?? []), labelled[at]!]) // one each
    const passages = [...runs].map(([number, run]) =>
      toPassage(run.toSorted(compareByPosition), number),
    )
    this.#passages = passages.toSorted((a, b) => a.id - b.id)
    this.#tokens = this.#options.counter.count(renderContext(this.#passages, renderSource))
  }

  /** The source that holds a place; none where there was no room for it. */
  findNumber(place: CitablePlace): number | undefined {
    return this.#passages.find(passage => isWithin(passage, place))?.id
  }

  /** Those of the places that are in a source. */
  numberPlaces(places: readonly CitablePlace[]): readonly NumberedPlace[] {
    return places.flatMap(({ documentId, charStart, charEnd }) => {
      const number = this.findNumber({ documentId, charStart, charEnd })
      return number === undefined ? [] : [{ documentId, charStart, charEnd, number }]
    })
  }

  /** What a document was called once it is called to the end. */
  async #labelAll(hits: readonly Excerpt[]): Promise<readonly Excerpt[]> {
    const { labels = async found => labelDocuments(found, this.#known) } = this.#options
    const fresh = hits.filter(({ source }) => !this.#labels.has(source))
    this.#known.push(...fresh.map(({ source, name }) => ({ source, name })))
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

/** Hits with less than this share of the best score are left out, but never the first few: of 188 questions of the development sets, 187 keep their evidence with 6 of 19 hits. */
const RELEVANT = 0.5
const LEAST_HITS = 4
/** A menu of a site has so many short lines, and no sentence. */
const LEAST_LINKS = 6
const LONGEST_LINK = 30

/** The hits up to where relevance falls, without those that are nothing but a menu. */
export function selectRelevantHits<Found extends { readonly score: number; readonly text: string }>(
  hits: readonly Found[],
): readonly Found[] {
  const best = Math.max(0, ...hits.map(({ score }) => score))
  return hits.filter(
    ({ score, text }, at) => at < LEAST_HITS || (score >= RELEVANT * best && !isMenu(text)),
  )
}

function isMenu(text: string): boolean {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return (
    lines.length >= LEAST_LINKS &&
    lines.every(line => line.length <= LONGEST_LINK && !/[\d|:：.。,，;；]/.test(line))
  )
}

/**
 * A passage as a model sees it: its marker, then everything that comes from the document, its name included, inside a
 * fence that is longer than any run of backticks in it, so that no content can end its own quotation.
 */
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

/** The passages as a model sees them together: the title of a document stands over its first one only. */
export function renderSources(passages: readonly Passage[]): string {
  const titled = passages.map((passage, at) => {
    const isFirst = passages.findIndex(({ documentId }) => documentId === passage.documentId) === at
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
