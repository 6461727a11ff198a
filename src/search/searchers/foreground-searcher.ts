import type { Foreground } from '../../system/foreground.ts'
import type { Hit, Query, Searcher } from '../searcher.ts'

/** A searcher before whose searches indexing stands back. */
export class ForegroundSearcher implements Searcher {
  readonly #searcher: Searcher
  readonly #foreground: Foreground

  constructor(searcher: Searcher, foreground: Foreground) {
    this.#searcher = searcher
    this.#foreground = foreground
  }

  search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    return this.#foreground.run(() => this.#searcher.search(query, signal))
  }
}
