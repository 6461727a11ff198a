import { hasScope } from '../../app/tenants/keys.ts'
import type { RequestContext } from './context.ts'

/** Folders of an absolute path, of POSIX or Windows. */
const FOLDERS = /^(?:[A-Za-z]:)?[\\/](?:.*[\\/])?/s

export function isReader(c: RequestContext): boolean {
  const key = c.get('key')
  return key !== undefined && !hasScope(key.scope, 'write')
}

/** Shows a key that may only read no folder of the server. */
export function showSource<Item extends { readonly source?: string }>(
  c: RequestContext,
  item: Item,
): Item {
  const { source } = item
  if (source === undefined || !isReader(c)) return item
  return { ...item, source: source.replace(FOLDERS, '') }
}

export function showSources<Item extends { readonly source?: string }>(
  c: RequestContext,
  items: readonly Item[],
): readonly Item[] {
  return isReader(c) ? items.map(item => showSource(c, item)) : items
}
