/** Absolute paths, of which only the last name is anybody's business. URLs are none. */
const POSIX_PATH = /(?<![\w:/.@~-])\/(?:[^\s/'"`:;,()<>]+\/)+([^\s/'"`:;,()<>]*)/g
const WINDOWS_PATH = /\b[A-Za-z]:\\(?:[^\\\s'"`:;,()<>]+\\)*([^\\\s'"`:;,()<>]*)/g
const FILE_URL = /\bfile:\/\/\/?(?:[^\s/'"`]+\/)*([^\s/'"`]*)/g

/** Keys as the usual services write them, and what stands in an authorization header. */
const KEY = /\b(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA|AIza)[-_]?[\w-]{8,}|\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g

/** Stack lines say where our code lies. */
const STACK = /\n\s+at .*/g

/** The text as a model may see it: no stack, no path of this machine but the file's own name, no key. */
export function redact(text: string): string {
  return text
    .replace(STACK, '')
    .replace(FILE_URL, '$1')
    .replace(POSIX_PATH, '$1')
    .replace(WINDOWS_PATH, '$1')
    .replace(KEY, (_, scheme?: string) => (scheme ? `${scheme} ***` : '***'))
}
