import { unixSeconds } from '../../text/iso-date.ts'
import { primaryLanguage } from '../parse/document-language.ts'
import type { Attributes, Document } from './catalog/document.ts'

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
    created: created && unixSeconds(created),
    modified: modified && unixSeconds(modified),
    language: primaryLanguage(language),
    mediaType: document.mediaType,
    name: document.name,
    source: document.source,
    pages: document.pages,
  }
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { ...(Object.fromEntries(known) as Attributes), ...document.attributes } // undefined was just taken out
}
