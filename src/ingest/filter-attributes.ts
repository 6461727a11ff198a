import type { Attributes, Document } from './document.ts'
import { primaryLanguage } from './document-language.ts'

/**
 * What filters compare of a document: its own facts, and over them the user's attributes, which win where a name is the
 * same. The facts: `title`, `author`, `created` and `modified` (unix seconds), `language` (`en`, `zh`, without region or
 * script), `mediaType`, `name`, `source` and `pages`; each only where it is known.
 */
export function filterAttributes(document: Document): Attributes {
  const { title, author, created, modified, language } = document.metadata
  const facts = {
    title: title ?? document.title,
    author,
    created: unixSeconds(created),
    modified: unixSeconds(modified),
    language: primaryLanguage(language),
    mediaType: document.mediaType,
    name: document.name,
    source: document.source,
    pages: document.pages,
  }
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { ...(Object.fromEntries(known) as Attributes), ...document.attributes } // undefined was just taken out
}

/** Of an ISO 8601 date; one without a zone is taken as UTC, so that it is the same everywhere. */
function unixSeconds(date: string | undefined): number | undefined {
  if (date === undefined) return undefined
  const isLocal = date.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/.test(date)
  const ms = Date.parse(isLocal ? `${date}Z` : date)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
