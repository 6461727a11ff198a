import type { LoadOptions, Settings } from '../config.ts'
import type { Parser } from '../ingest/parser.ts'
import { openParsing, type Parsing } from './ingesting.ts'
import { openSearchParts, type SearchParts, type SearchPartsOptions } from './search-parts.ts'

export type OpenOptions = LoadOptions &
  SearchPartsOptions & {
    /** Instead of the built-in ones; `[...builtinParsers, mine]` adds one. */
    readonly parsers?: readonly Parser[]
    /** Where failures of background work are told. */
    readonly onBackgroundError?: (message: string, error: unknown) => void
  }

/** What a store is made of when it is open. */
export type PassimParts = SearchParts & {
  readonly parsing: Parsing
  readonly onError: (message: string, error: unknown) => void
}

/** Choose and open everything that a store works with. */
export async function openParts(
  settings: Settings,
  options: Omit<OpenOptions, keyof LoadOptions>,
): Promise<PassimParts> {
  const parts = await openSearchParts(settings, options)
  const parsing = openParsing(settings, options.parsers)
  return { ...parts, parsing, onError: options.onBackgroundError ?? (() => {}) }
}
