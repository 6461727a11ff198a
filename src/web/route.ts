import { signal } from '@preact/signals'

/** Where one is: the parts of the path, and what stands after `?`. */
type Route = { readonly path: readonly string[]; readonly query: URLSearchParams }

export const route = signal(read())

addEventListener('hashchange', () => {
  route.value = read()
})

/** A name in the path, or what stands after `?`. */
type Part = string | Readonly<Record<string, string | undefined>>

/** A place as a link names it: `href('documents', id, { page: '3' })`. */
export function href(...parts: readonly Part[]): string {
  const names = parts.filter(part => typeof part === 'string').map(encodeURIComponent)
  const fields = parts.flatMap(part => (typeof part === 'string' ? [] : Object.entries(part)))
  const query = new URLSearchParams(
    fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return `#/${names.join('/')}${query.size > 0 ? `?${query}` : ''}`
}

export function go(...parts: readonly Part[]): void {
  location.hash = href(...parts)
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
