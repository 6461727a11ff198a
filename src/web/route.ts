import { signal } from '@preact/signals'

/** Path segments and query of the location's hash. */
type Route = { readonly path: readonly string[]; readonly query: URLSearchParams }

export const route = signal(read())

addEventListener('hashchange', () => {
  route.value = read()
})

type Part = string | Readonly<Record<string, string | undefined>>

/** Builds a link: `linkTo('documents', id, { page: '3' })`. */
export function linkTo(...parts: readonly Part[]): string {
  const names = parts.filter(part => typeof part === 'string').map(encodeURIComponent)
  const fields = parts.flatMap(part => (typeof part === 'string' ? [] : Object.entries(part)))
  const query = new URLSearchParams(
    fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return `#/${names.join('/')}${query.size > 0 ? `?${query}` : ''}`
}

export function openView(...parts: readonly Part[]): void {
  location.hash = linkTo(...parts)
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return {
    path: path.split('/').filter(Boolean).map(decodePart),
    query: new URLSearchParams(query),
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
