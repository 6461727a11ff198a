import ignore from 'ignore'

/** Protects memory from an endless site. */
const WAITING_PER_PAGE = 100

export type Step = { readonly url: URL; readonly depth: number }

type FrontierOptions = {
  /** Only pages of its origin and folder are in reach. */
  readonly start: URL
  readonly maxDepth: number
  readonly maxPages: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** Pages to request: each once, nearest first. */
export class Frontier {
  readonly #options: FrontierOptions
  readonly #isIncluded: (relative: string) => boolean
  readonly #seen = new Set<string>()
  readonly #waiting: Step[] = []
  #next = 0

  constructor(options: FrontierOptions) {
    this.#options = options
    const include = options.include?.length ? ignore().add([...options.include]) : undefined
    const exclude = ignore().add([...(options.exclude ?? [])])
    this.#isIncluded = relative =>
      (include?.ignores(relative) ?? true) && !exclude.ignores(relative)
  }

  get isCut(): boolean {
    return this.#next >= this.#options.maxPages && this.#next < this.#waiting.length
  }

  add(urls: readonly URL[], depth: number): void {
    const limit = this.#options.maxPages * WAITING_PER_PAGE
    if (depth > this.#options.maxDepth) return
    for (const url of urls) {
      if (this.#waiting.length >= limit) return
      if (this.isInReach(url) && this.markSeen(url)) this.#waiting.push({ url, depth })
    }
  }

  markSeen({ href }: URL): boolean {
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
    const relative = url.pathname.replace(/^\/+/, '') // globs are relative
    if (url.origin !== start.origin || !url.pathname.startsWith(getFolder(start))) return false
    return relative === '' || (ignore.isPathValid(relative) && this.#isIncluded(relative))
  }
}

/** Returns `/docs/` for `/docs/` and for `/docs/intro.html`. */
export function getFolder({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}
