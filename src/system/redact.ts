const QUOTED_PATH = /(['"`])(?:\/(?!\/)|~\/|[A-Za-z]:[\\/]|\\\\)[^'"`\n]*?([^'"`\n\\/]*)\1/g

/** Absolute paths except URLs; folder names may have spaces and commas before a slash. */
const FOLDER = String.raw`[^\s\\/'"${'`'}:;<>]+(?: [^\s\\/'"${'`'}:;<>]+){0,4}[\\/]+`
const NAME = String.raw`([^\s\\/'"${'`'}:;,()<>]*)`
const WINDOWS_PATH = new RegExp(
  String.raw`(?<![\w])(?:[A-Za-z]:[\\/]+|\\\\)(?:${FOLDER})*${NAME}`,
  'g',
)
const POSIX_PATH = new RegExp(String.raw`(?<![\w/.@~-])~?\/(?!\/)(?:${FOLDER})+${NAME}`, 'g')
const FILE_URL = /\bfile:\/\/\/?(?:[^\s/'"`]+\/)*([^\s/'"`]*)/g

/** Keys of common services and authorization headers. */
const KEY =
  /\b(?:sk|pk|rk|ghp|gho|github_pat|glpat|gsk|hf|xox[abp]|AKIA|AIza)[-_]?[\w-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g

const NAMED_KEY = /\b((?:x-)?api[-_]?key|access[-_]?token|secret|password)(\s*[=:]\s*)[^\s,;&'"]+/gi
const URL_LOGIN = /(\/\/)[^\s/@:]+:[^\s/@]+@/g

const STACK = /\n[^\S\n]+at .*/g

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
