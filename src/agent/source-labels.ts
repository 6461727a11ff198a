import { getDataUriName, isDataUri } from '../system/data-uri.ts'

/** What distinguishes a document to a reader: its base name, with as many folders in front as tell it from the others. */
export function labelSources(sources: readonly string[]): ReadonlyMap<string, string> {
  const unique = [...new Set(sources)]
  const parts = unique.map(source => splitPath(source))
  const label = (at: number, depth: number) => parts[at]!.slice(-depth).join('/') // each source has its parts
  return new Map(
    unique.map((source, at) => {
      let depth = 1
      const isShared = () =>
        parts.some((_, other) => other !== at && label(other, depth) === label(at, depth))
      while (depth < parts[at]!.length && isShared()) depth++
      return [source, label(at, depth)]
    }),
  )
}

/** A document as it is told apart. */
export type NamedSource = { readonly source: string; readonly name: string }

/**
 * What a model is to call documents, by source: the name, or with folders in front where others at hand have it as well, found
 * or not. So a label means one document whatever else was found, and may be given back (`isLabelOf`).
 */
export function labelDocuments(
  documents: readonly NamedSource[],
  atHand: readonly NamedSource[],
): ReadonlyMap<string, string> {
  return new Map(
    documents.map(({ source, name }) => {
      const sharing = [...documents, ...atHand]
        .filter(other => other.name === name)
        .map(other => other.source)
      if (new Set(sharing).size === 1) return [source, name]
      const label = labelSources(sharing).get(source) ?? source
      return [source, label.endsWith(name) ? label : source] // a page may be called otherwise than its address ends
    }),
  )
}

/** Whether the label stands for the source: its end, folder by folder. */
export function isLabelFor(label: string, source: string): boolean {
  const wanted = label.split('/').filter(Boolean)
  return wanted.length > 0 && splitPath(source).slice(-wanted.length).join('/') === wanted.join('/')
}

/** As it may stand in a Markdown link: it cannot end it, nor its line. */
export function toLinkText(name: string): string {
  return name.replace(/[\s[\]()]+/g, ' ').trim()
}

/** Folders and base name of a path or URL; a data URI has a name alone; a URL's query is left out and its escapes read. */
function splitPath(source: string): readonly string[] {
  if (isDataUri(source)) return [getDataUriName(source)]
  const isUrl = /^[a-z][\w+.-]+:\/\//i.test(source)
  const bare = isUrl
    ? source.replace(/^[^:]+:\/\//, '').replace(/[?#].*$/, '')
    : source.replace(/^upload:/, '')
  const parts = bare.split(isUrl ? '/' : /[/\\]/).filter(Boolean)
  return isUrl ? parts.map(unescapePart) : parts
}

function unescapePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a lone % is a character
  }
}
