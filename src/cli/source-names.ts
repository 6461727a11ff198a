import path from 'node:path'
import { joinLines } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'

type Named = { readonly name: string; readonly source: string }

export function createSourceNames(documents: readonly Named[]): (document: Named) => string {
  const sources = new Map<string, Set<string>>()
  for (const { name, source } of documents)
    sources.set(name, (sources.get(name) ?? new Set()).add(source))
  return ({ name, source }) => (sources.get(name)!.size > 1 ? shortenPath(source) : name)
}

function shortenPath(source: string): string {
  if (!path.isAbsolute(source)) return source
  const relative = path.relative('', source)
  return relative.startsWith('..') ? source : relative
}

export function withSourceName(source: string, message: string): string {
  return joinLines(message.includes(source) ? message : getUserSentences().named(source, message))
}
