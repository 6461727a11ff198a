/** Lists parameters that neither Passim nor a known model server has. */
export const IGNORED_HEADER = 'x-passim-ignored'

/** Names and their length, so that the header stays far below proxies' 8 KiB. */
const MAX_NAMES = 16
const MAX_NAME_CHARS = 64

/** Percent-encodes names where necessary, in request order. */
export function listIgnored(names: readonly string[]): string {
  const listed = names
    .slice(0, MAX_NAMES)
    .map(name => encodeURIComponent(Buffer.from(name.slice(0, MAX_NAME_CHARS)).toString()))
  const more = names.length - listed.length
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
