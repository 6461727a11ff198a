import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Attributes } from './document.ts'

/** Bounded, so that ids fit into URLs and lists stay readable. */
export const MAX_EXTERNAL_ID_CHARS = 512

export const EXTERNAL_PREFIX = 'id:'

/**
 * Returns the source of an external id: sources are unique in a collection. Escapes `#`, which
 * begins the name of an attachment. Throws `invalid_input`.
 */
export function toExternalSource(id: string): string {
  if (id.length > MAX_EXTERNAL_ID_CHARS || id.trim() === '' || /[\p{Cc}\p{Cs}]/u.test(id)) {
    const limits = `1 to ${MAX_EXTERNAL_ID_CHARS} characters, not all of them blank, without control characters`
    throw new AppError('invalid_input', localizable`The id of a document has ${limits}.`)
  }
  return EXTERNAL_PREFIX + id.replaceAll('%', '%25').replaceAll('#', '%23')
}

export function parseExternalId(source: string): string | undefined {
  if (!source.startsWith(EXTERNAL_PREFIX) || source.includes('#')) return undefined
  return source.slice(EXTERNAL_PREFIX.length).replaceAll('%23', '#').replaceAll('%25', '%')
}

/** Returns undefined if the attribute `external_id` is absent. Throws `invalid_input`. */
export function readExternalId({ external_id: id }: Attributes): string | undefined {
  if (id === undefined || typeof id === 'string') return id
  if (typeof id === 'number') return String(id)
  throw new AppError('invalid_input', 'The attribute external_id must be a text or a number.')
}
