import type { TokenCounter } from '../ingest/tokens.ts'
import { type PackedContext, type Passage, packContext } from '../search/passages/context.ts'
import type { Excerpt } from '../search/passages/excerpt.ts'
import { fenceFor } from './fence.ts'
import { sourceLabels } from './source-labels.ts'

/** What one search adds: passages new to the model, and those that it was given before. */
export type AddedSources = {
  readonly added: readonly Passage[]
  readonly known: readonly Passage[]
  /** Something was found that there was no room for. */
  readonly isFull: boolean
}

export type SourcesOptions = {
  readonly counter: TokenCounter
  /** For all passages of the answer together, over all its searches. */
  readonly maxTokens: number
}

/** What the first search may take, so that the model can search again. */
const FIRST_SHARE = 0.75

/** The passages that the model of one answer has seen, numbered in the order in which it saw them: what it may cite. */
export class Sources {
  #passages: readonly Passage[] = []
  #tokens = 0
  /** By source. */
  readonly #names = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  readonly #options: SourcesOptions

  constructor(options: SourcesOptions) {
    this.#options = options
  }

  get passages(): readonly Passage[] {
    return this.#passages
  }

  find(id: number): Passage | undefined {
    return this.#passages[id - 1]
  }

  /** The hits as passages, packed into the budget; what was shown before keeps its number and is not shown again. */
  add(hits: readonly Excerpt[]): AddedSources {
    const holders = hits.map(hit => this.#passages.find(passage => covers(passage, hit)))
    const fresh = hits.filter((_, at) => !holders[at])
    const { passages: added, omitted, tokens } = this.#pack(this.#labelled(fresh))
    this.#passages = [...this.#passages, ...added]
    this.#tokens += tokens
    const isFull = omitted.some(({ reason }) => reason === 'budget')
    return { added, known: [...new Set(holders.filter(holder => holder !== undefined))], isFull }
  }

  /** Documents of one name are told apart by their folders; the one that came first keeps the bare name. */
  #labelled(hits: readonly Excerpt[]): readonly Excerpt[] {
    for (const { source, name } of hits) this.#names.set(source, name)
    const fresh = [...this.#names].filter(([source]) => !this.#labels.has(source))
    for (const [source, name] of fresh) {
      const sharing = [...this.#names].filter(([, other]) => other === name).map(([other]) => other)
      this.#labels.set(source, (sharing.length > 1 && sourceLabels(sharing).get(source)) || name)
    }
    return hits.map(hit => {
      const label = this.#labels.get(hit.source)
      return label === undefined || label === hit.name ? hit : { ...hit, label }
    })
  }

  #pack(hits: readonly Excerpt[]): PackedContext {
    const { counter, maxTokens: all } = this.#options
    const maxTokens = this.#passages.length === 0 ? Math.floor(all * FIRST_SHARE) : all - this.#tokens
    return packContext(hits, { counter, maxTokens, render: renderSource, firstId: this.#passages.length + 1 })
  }
}

/**
 * A passage as a model sees it: its marker, then everything that comes from the document, its name included, inside a
 * fence that is longer than any run of backticks in it, so that no content can end its own quotation.
 */
export function renderSource(passage: Passage): string {
  const place = [passage.label ?? passage.name, pageLabel(passage.pages)].filter(Boolean).join(', ')
  const head = [place, passage.context].filter(Boolean).join('\n')
  const quoted = `${head}\n\n${passage.text}`
  const fence = fenceFor(quoted)
  return `[${passage.id}]\n${fence}\n${quoted}\n${fence}`
}

function pageLabel(pages: Passage['pages']): string {
  if (!pages) return ''
  return pages[0] === pages[1] ? `p. ${pages[0]}` : `pp. ${pages[0]}-${pages[1]}`
}

function covers(passage: Passage, hit: Excerpt): boolean {
  return passage.documentId === hit.documentId && passage.charStart <= hit.charStart && hit.charEnd <= passage.charEnd
}
