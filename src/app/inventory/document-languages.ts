import { toPrimaryLanguage } from '../../ingest/parse/document-language.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Language } from '../../text/language.ts'

/** Names that CLDR does not list. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  汉语: 'zh',
  华语: 'zh',
  mandarin: 'zh',
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

const displayNames = new Map<Language, Intl.DisplayNames>()

let tags: ReadonlyMap<string, string> | undefined

/** Returns a primary BCP 47 tag. */
export function findLanguageTag(name: string): string | undefined {
  tags ??= listTags()
  const written = name.toLowerCase()
  return tags.get(written) ?? tags.get(written.replace(/文$/u, '语'))
}

function listTags(): ReadonlyMap<string, string> {
  const codes = LETTERS.flatMap(first => LETTERS.map(second => first + second))
  const named = codes.flatMap(code =>
    (['en', 'zh'] as const).flatMap(language => {
      const name = getDisplayNames(language).of(code)
      const tag = Intl.getCanonicalLocales(code)[0]
      return name === undefined || tag === undefined ? [] : [[name.toLowerCase(), tag] as const]
    }),
  )
  return new Map([...Object.entries(OTHER_NAMES), ...named])
}

export function getLanguageTag({ metadata }: Pick<Document, 'metadata'>): string | undefined {
  return toPrimaryLanguage(metadata.language)
}

export function nameLanguage(tag: string, language: Language): string {
  return getDisplayNames(language).of(tag) ?? tag
}

function getDisplayNames(language: Language): Intl.DisplayNames {
  const cached = displayNames.get(language)
  if (cached) return cached
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
  displayNames.set(language, names)
  return names
}
