/** Header that lists ignored parameters: neither Passim nor a known model server has them. */
export const IGNORED_HEADER = 'x-passim-ignored'

/** Maximum number and length of names. They keep the header far below the 8 KiB that proxies accept for all headers. */
const MAX_NAMES = 16
const MAX_NAME_CHARS = 64

/** Lists the names for the header in request order, percent-encoded where necessary. */
export function listIgnored(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_NAMES)
    .map(name => encodeURIComponent(Buffer.from(name.slice(0, MAX_NAME_CHARS)).toString()))
  const more = names.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
