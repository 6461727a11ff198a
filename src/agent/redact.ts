/** Paths between quotation marks, whole: whatever stands in them belongs to them. */
const QUOTED_PATH = /(['"`])(?:\/(?!\/)|~\/|[A-Za-z]:[\\/]|\\\\)[^'"`\n]*?([^'"`\n\\/]*)\1/g

/**
 * Absolute paths, of which only the last name is anybody's business; URLs are none. A folder's name may have blanks,
 * brackets and commas where a slash still follows; the last name ends with the first of them.
 */
const FOLDER = String.raw`[^\s\\/'"${'`'}:;<>]+(?: [^\s\\/'"${'`'}:;<>]+){0,4}[\\/]+`
const NAME = String.raw`([^\s\\/'"${'`'}:;,()<>]*)`
const WINDOWS_PATH = new RegExp(
  String.raw`(?<![\w])(?:[A-Za-z]:[\\/]+|\\\\)(?:${FOLDER})*${NAME}`,
  'g',
)
const POSIX_PATH = new RegExp(String.raw`(?<![\w/.@~-])~?\/(?!\/)(?:${FOLDER})+${NAME}`, 'g')
const FILE_URL = /\bfile:\/\/\/?(?:[^\s/'"`]+\/)*([^\s/'"`]*)/g

/** Keys as the usual services write them, and what stands in an authorization header. */
const KEY =
  /\b(?:sk|pk|rk|ghp|gho|github_pat|glpat|gsk|hf|xox[abp]|AKIA|AIza)[-_]?[\w-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g

/** As `api_key=…`, `x-api-key: …`, and what stands before the host of a URL. */
const NAMED_KEY = /\b((?:x-)?api[-_]?key|access[-_]?token|secret|password)(\s*[=:]\s*)[^\s,;&'"]+/gi
const URL_LOGIN = /(\/\/)[^\s/@:]+:[^\s/@]+@/g

/** Stack lines say where our code lies. */
const STACK = /\n[^\S\n]+at .*/g

/** The text as a model may see it: no stack, no path of this machine but the file's own name, no key. */
export function redact(text: string): string {
  return text
    .replace(STACK, '')
    .replace(FILE_URL, '$1')
    .replace(QUOTED_PATH, '$1$2$1')
    .replace(WINDOWS_PATH, '$1')
    .replace(POSIX_PATH, '$1')
    .replace(URL_LOGIN, '$1***@')
    .replace(KEY, (_, scheme?: string) => (scheme ? `${scheme} ***` : '***'))
    .replace(NAMED_KEY, '$1$2***')
}
