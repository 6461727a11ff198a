import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'

/** Length that servers commonly accept, so that a stored source is bounded. */
const MAX_URL_CHARS = 2_048

export function looksLikeUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
}

/** Omits the fragment. Throws `forbidden_source` for other protocols and for credentials. */
export function parseWebUrl(text: string, base?: URL): URL {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text, base?.href)) {
    throw new AppError('invalid_input', localizable`${redactUrl(text)} is not a URL.`)
  }
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AppError(
      'forbidden_source',
      localizable`${redactUrl(text)} is refused: only http and https URLs are read.`,
    )
  }
  if (url.username || url.password) {
    const message = localizable`A URL of ${url.host} is refused, because it holds a user name or password, which would be stored.`
    throw new AppError(
      'forbidden_source',
      localizable`${message} Download the file and index it from there.`,
    )
  }
  url.hash = ''
  return url
}

export function redactUrl(text: string): string {
  return text.slice(0, 200).replace(/\/\/[^/?#]*@/, '//…@')
}
