/** Names the parameters of a request that were left out of it because nobody here, nor the server of a model, is known to have them. */
export const IGNORED_HEADER = 'x-passim-ignored'

/** Keeps the header far below the 8 KiB that proxies accept for all headers together. */
const MAX_NAMES = 16
const MAX_NAME_CHARS = 64

/** Returns the names for the header, in the order of the request: characters that a header cannot hold are percent-encoded. */
export function listIgnored(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_NAMES)
    .map(name => encodeURIComponent(Buffer.from(name.slice(0, MAX_NAME_CHARS)).toString()))
  const more = names.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
