import ignore from 'ignore'

/** A page to be asked for, and how many links it is from the start. */
export type Step = { readonly url: URL; readonly depth: number }

export type FrontierOptions = {
  /** The page that the crawl began at; only pages of its origin, in its folder, are in reach. */
  readonly start: URL
  readonly maxDepth: number
  readonly maxPages: number
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/** Addresses kept per page that may be asked for, so that an endless site takes bounded memory. */
const WAITING_PER_PAGE = 100

/** The pages of a site that are still to be asked for: each once, nearest first, bounded. */
export class Frontier {
  readonly #options: FrontierOptions
  readonly #isWanted: (relative: string) => boolean
  readonly #seen = new Set<string>()
  readonly #waiting: Step[] = []
  #next = 0

  constructor(options: FrontierOptions) {
    this.#options = options
    const include = options.include?.length ? ignore().add([...options.include]) : undefined
    const exclude = ignore().add([...(options.exclude ?? [])])
    this.#isWanted = relative => (include?.ignores(relative) ?? true) && !exclude.ignores(relative)
  }

  /** Whether pages were left out because there are too many. */
  get isCut(): boolean {
    return this.#next >= this.#options.maxPages && this.#next < this.#waiting.length
  }

  add(urls: readonly URL[], depth: number): void {
    const limit = this.#options.maxPages * WAITING_PER_PAGE
    if (depth > this.#options.maxDepth) return
    for (const url of urls) {
      if (this.#waiting.length >= limit) return
      if (this.isInReach(url) && this.see(url)) this.#waiting.push({ url, depth })
    }
  }

  /** False when the page is known already. */
  see({ href }: URL): boolean {
    return this.#seen.size < this.#seen.add(href).size
  }

  hasSeen(href: string): boolean {
    return this.#seen.has(href)
  }

  take(): Step | undefined {
    return this.#next < this.#options.maxPages ? this.#waiting[this.#next++] : undefined
  }

  isInReach(url: URL): boolean {
    const { start } = this.#options
    const relative = url.pathname.replace(/^\/+/, '') // globs are relative, however many slashes a link begins with
    if (url.origin !== start.origin || !url.pathname.startsWith(folderOf(start))) return false
    return relative === '' || (ignore.isPathValid(relative) && this.#isWanted(relative))
  }
}

/** `/docs/` of `/docs/` and of `/docs/intro.html`. */
export function folderOf({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}
