import ignore from 'ignore'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Fetched, FetchOptions, Listed, Source, SourceItem, SourceRoot } from '../source.ts'

type ServerOptions = {
  readonly maxItems: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** Characters of a path, so that lists stay readable. */
const MAX_PATH_CHARS = 1_024

/** Characters of a version, so that a server cannot fill the catalog. */
const MAX_VERSION_CHARS = 1_000

class ServerSource implements Source {
  readonly #source: Source
  readonly #options: ServerOptions

  constructor(source: Source, options: ServerOptions) {
    this.#source = source
    this.#options = options
  }

  async *list(signal?: AbortSignal): AsyncGenerator<Listed> {
    const { maxItems } = this.#options
    const isIncluded = this.#createFilter()
    const paths = new Set<string>()
    for await (const item of this.#source.list(signal)) {
      if (!('error' in item) && !isIncluded(item.path)) continue
      if (paths.size >= maxItems) throw createTooMany(maxItems)
      if (paths.size < paths.add(item.path).size)
        yield hasReadablePath(item) ? limitVersion(item) : createUnnamed(item)
    }
  }

  async fetch(item: SourceItem, options: FetchOptions): Promise<Fetched> {
    return await this.#source.fetch(item, options)
  }

  async *watch(signal: AbortSignal): AsyncGenerator<void> {
    if (this.#source.watch) yield* this.#source.watch(signal)
  }

  async close(): Promise<void> {
    await this.#source.close?.()
  }

  #createFilter(): (path: string) => boolean {
    const { include, exclude = [] } = this.#options
    const included = include?.length ? ignore().add([...include]) : undefined
    const excluded = ignore().add([...exclude])
    return path =>
      ignore.isPathValid(path)
        ? (included?.ignores(path) ?? true) && !excluded.ignores(path)
        : included === undefined
  }
}

export function openServerRoot(name: string, source: Source, options: ServerOptions): SourceRoot {
  const root = getSourceRoot(name)
  const toSource = (
    path: string, // `#` begins the name of an attachment
  ) => `${root}/${path.replaceAll('%', '%25').replaceAll('#', '%23')}`
  return { root, source: new ServerSource(source, options), name, toSource }
}

export function getSourceRoot(name: string): string {
  return `sync:${name}`
}

function hasReadablePath({ path }: Listed): boolean {
  return path !== '' && path.length <= MAX_PATH_CHARS && !/[\p{Cc}\p{Cs}]/u.test(path)
}

function limitVersion(item: Listed): Listed {
  if (!('version' in item)) return item
  const { version = '' } = item
  const isUsable = version !== '' && version.length <= MAX_VERSION_CHARS
  return isUsable ? item : { ...item, version: undefined }
}

function createUnnamed({ path }: Listed): Listed {
  const shown = path.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD').slice(0, MAX_PATH_CHARS)
  const message = localizable`The name ${shown} has control characters or is longer than ${MAX_PATH_CHARS} characters.`
  return { path: shown, error: withMessage({ code: 'invalid_input' }, message) }
}

function createTooMany(maxItems: number): AppError {
  const message = localizable`The source has more than ${maxItems} documents. Nothing was changed.`
  return new AppError('too_large', message, {
    advice: 'Raise its maxItems, or choose with include and exclude.',
  })
}
