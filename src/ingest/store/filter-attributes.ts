import { toUnixSeconds } from '../../text/iso-date.ts'
import { toPrimaryLanguage } from '../parse/document-language.ts'
import type { Attributes, Document } from './catalog/document.ts'

/**
 * Returns the user's attributes, which win, and facts: `title`, `author`, `created` and
 * `modified` (unix seconds), `language` (without region or script), `mediaType`, `name`,
 * `source`, `pages`.
 */
export function filterAttributes(document: Document): Attributes {
  const { title, author, created, modified, language } = document.metadata
  const facts = {
    title: title ?? document.title,
    author,
    created: created && toUnixSeconds(created),
    modified: modified && toUnixSeconds(modified),
    language: toPrimaryLanguage(language),
    mediaType: document.mediaType,
    name: document.name,
    source: document.source,
    pages: document.pages,
  }
  const stated = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { ...(Object.fromEntries(stated) as Attributes), ...document.attributes } // without undefined
}
