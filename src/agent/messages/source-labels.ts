import { decodePercent, getDataUriName, isDataUri } from '../../system/data-uri.ts'

/** Adds folders until base names differ. */
export function labelSources(sources: readonly string[]): ReadonlyMap<string, string> {
  const unique = [...new Set(sources)]
  const parts = unique.map(source => splitPath(source))
  const label = (index: number, depth: number) => parts[index]!.slice(-depth).join('/')
  return new Map(
    unique.map((source, index) => {
      let depth = 1
      const isAmbiguous = () =>
        parts.some((_, other) => other !== index && label(other, depth) === label(index, depth))
      while (depth < parts[index]!.length && isAmbiguous()) depth++
      return [source, label(index, depth)]
    }),
  )
}

export type NamedSource = { readonly source: string; readonly name: string }

/** Makes labels unique, so that they can be passed back (`isLabelFor`). */
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
      return [source, label.endsWith(name) ? label : source] // a page's name may differ from its address
    }),
  )
}

export function isLabelFor(label: string, source: string): boolean {
  const parts = label.split('/').filter(Boolean)
  return parts.length > 0 && splitPath(source).slice(-parts.length).join('/') === parts.join('/')
}

export function toLinkText(name: string): string {
  return name.replace(/[\s[\]()]+/g, ' ').trim()
}

function splitPath(source: string): readonly string[] {
  if (isDataUri(source)) return [getDataUriName(source)]
  const isUrl = /^[a-z][\w+.-]+:\/\//i.test(source)
  const bare = isUrl
    ? source.replace(/^[^:]+:\/\//, '').replace(/[?#].*$/, '')
    : source.replace(/^upload:/, '')
  const parts = bare.split(isUrl ? '/' : /[/\\]/).filter(Boolean)
  return isUrl ? parts.map(decodePercent) : parts
}
