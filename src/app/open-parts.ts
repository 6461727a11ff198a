import type { LoadOptions, Settings } from '../config.ts'
import type { ConversationHooks } from '../conversations/hooks.ts'
import { openParsing, type Parsing } from './indexing/parsing.ts'
import { type OpenOptions, openSearchParts, type SearchParts } from './search-parts.ts'
import { openHooks } from './tenants/hooks-module.ts'

/** What a store is made of when it is open. */
export type PassimParts = SearchParts & {
  readonly parsing: Parsing
  readonly hooks: ConversationHooks
  readonly onError: (message: string, error: unknown) => void
}

/** Choose and open everything that a store works with. */
export async function openParts(
  settings: Settings,
  options: Omit<OpenOptions, keyof LoadOptions>,
): Promise<PassimParts> {
  const hooks = options.hooks ?? (await openHooks(settings))
  const parts = await openSearchParts(settings, options)
  const parsing = openParsing(settings, options.parsers, options.parserProcesses)
  return { ...parts, parsing, hooks, onError: options.onBackgroundError ?? (() => {}) }
}
