import path from 'node:path'

type Named = { readonly name: string; readonly source: string }

/** What to call each document of a list: its base name, or its source where several share that name. */
export function sourceNames(documents: readonly Named[]): (document: Named) => string {
  const sources = new Map<string, Set<string>>()
  for (const { name, source } of documents) sources.set(name, (sources.get(name) ?? new Set()).add(source))
  return ({ name, source }) => (sources.get(name)!.size > 1 ? shorter(source) : name) // only asked of the list
}

/** As seen from the working directory, where that is nearer. */
function shorter(source: string): string {
  if (!path.isAbsolute(source)) return source
  const relative = path.relative('', source)
  return relative.startsWith('..') ? source : relative
}
