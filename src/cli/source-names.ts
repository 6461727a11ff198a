import path from 'node:path'
import { oneLine } from './output.ts'

type Named = { readonly name: string; readonly source: string }

/** What to call each document of a list: its base name, or its source where several share that name. */
export function sourceNames(documents: readonly Named[]): (document: Named) => string {
  const sources = new Map<string, Set<string>>()
  for (const { name, source } of documents)
    sources.set(name, (sources.get(name) ?? new Set()).add(source))
  return ({ name, source }) => (sources.get(name)!.size > 1 ? shorter(source) : name) // only asked of the list
}

/** As seen from the working directory, where that is nearer. */
function shorter(source: string): string {
  if (!path.isAbsolute(source)) return source
  const relative = path.relative('', source)
  return relative.startsWith('..') ? source : relative
}

/** In one line, with its source in front unless it says it itself. */
export function naming(source: string, message: string): string {
  return oneLine(message.includes(source) ? message : `${source}: ${message}`)
}
