import { say } from '../../../errors/said.ts'
import { AppError } from '../../../errors.ts'

/** Length that servers commonly accept, so that a stored source is bounded. */
const MAX_URL_CHARS = 2_048

export function looksLikeUrl(given: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given)
}

/** Omits the fragment. Throws `forbidden_source` for other protocols and for credentials. */
export function parseWebUrl(given: string, base?: URL): URL {
  if (given.length > MAX_URL_CHARS || !URL.canParse(given, base?.href)) {
    throw new AppError('invalid_input', say`${redactUrl(given)} is not a URL.`)
  }
  const url = new URL(given, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AppError(
      'forbidden_source',
      say`${redactUrl(given)} is refused: only http and https URLs are read.`,
    )
  }
  if (url.username || url.password) {
    const message = say`A URL of ${url.host} is refused, because it holds a user name or password, which would be stored.`
    throw new AppError(
      'forbidden_source',
      say`${message} Download the file and index it from there.`,
    )
  }
  url.hash = ''
  return url
}

export function redactUrl(given: string): string {
  return given.slice(0, 200).replace(/\/\/[^/@]*@/, '//…@')
}
