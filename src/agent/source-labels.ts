import { dataUriName, isDataUri } from './data-uri.ts'

/** What distinguishes a document to a reader: its base name, with as many folders in front as tell it from the others. */
export function sourceLabels(sources: readonly string[]): ReadonlyMap<string, string> {
  const unique = [...new Set(sources)]
  const parts = unique.map(source => partsOf(source))
  const label = (at: number, depth: number) => parts[at]!.slice(-depth).join('/') // each source has its parts
  return new Map(
    unique.map((source, at) => {
      let depth = 1
      const isShared = () => parts.some((_, other) => other !== at && label(other, depth) === label(at, depth))
      while (depth < parts[at]!.length && isShared()) depth++
      return [source, label(at, depth)]
    }),
  )
}

/** As it may stand in a Markdown link: it cannot end it, nor its line. */
export function linkName(name: string): string {
  return name.replace(/[\s[\]()]+/g, ' ').trim()
}

/** Folders and base name of a path or URL; a data URI has a name alone; a URL's query is left out and its escapes read. */
function partsOf(source: string): readonly string[] {
  if (isDataUri(source)) return [dataUriName(source)]
  const isUrl = /^[a-z][\w+.-]+:\/\//i.test(source)
  const bare = isUrl ? source.replace(/^[^:]+:\/\//, '').replace(/[?#].*$/, '') : source.replace(/^upload:/, '')
  const parts = bare.split(isUrl ? '/' : /[/\\]/).filter(Boolean)
  return isUrl ? parts.map(unescaped) : parts
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a lone % is a character
  }
}
