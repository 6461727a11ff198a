/** An option of a command: `-c`, `-maxdepth`, `--dry-run`; no range, no hyphen in a word, no number of two digits. */
const OPTION = /(?<![\p{L}\p{N}_\-/.=:])--?(?!\d\d)[A-Za-z\d][A-Za-z\d]*(?:-[A-Za-z\d]+)*(?![\p{Script=Latin}\d-])/gu

/** What stands before a defined option: the mark of a list, and what sets off code. */
const LEADING = /^\s*(?:[*•·‣▪◦]\s+|-\s+)?[`'"‘“*]*/u
/** Where what is written of an option itself ends: at a gap, a cell, a colon, a dash, or with Han text. */
const HEAD_END = /\s{2,}|\t|\s\|\s|[:：](?:\s|$)|\s[–—-]\s|\s(?=\p{Script=Han})/u
/** Of one way to write it, its values: a longer one is a sentence that begins with an option. */
const MAX_WORDS = 3
const MAX_OPTIONS = 8

/** The options that a text names, each once, as they are written. */
export function optionsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(OPTION)].map(([option]) => option))].slice(0, MAX_OPTIONS)
}

/** The options that a line is the head of a definition of (`-c, --checksum`, `-maxdepth LEVELS`); none where it is no such line. */
export function definedOptions(line: string): readonly string[] {
  const text = line.replace(LEADING, '')
  if (!text.startsWith('-')) return []
  const head = text.slice(0, HEAD_END.exec(text)?.index ?? text.length)
  const ways = head.split(/[,，/|]|\s(?:or|或)\s/u).map(way => way.trim().replace(/[`'"’”*]+$/u, ''))
  if (ways.some(way => way.split(/\s+/).length > MAX_WORDS)) return []
  return ways.flatMap(way => optionsIn(way.split(/[\s=[]/u)[0] ?? ''))
}
