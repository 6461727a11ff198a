import type { LoadOptions, Settings } from '../config.ts'
import { openParsing, type Parsing } from './ingesting.ts'
import { type OpenOptions, openSearchParts, type SearchParts } from './search-parts.ts'

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
