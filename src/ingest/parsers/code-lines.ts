/** A line that begins something at the top of a file. Brackets and the words that go on with a statement begin nothing. */
const CONTINUES =
  /^(?:[)\]}>]|end\b|else\b|elif\b|elsif\b|except\b|finally\b|catch\b|rescue\b|ensure\b|then\b|do\b|done\b|fi\b|esac\b|#\s*(?:else|elif|endif)\b)/

/** Words that define something, after what may stand before them. */
const DEFINES =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|open|override|async|unsafe|extern|inline|virtual|partial|data|pub(?:\([\w:]+\))?)\s+)*(?:class|interface|enum|struct|union|trait|impl|protocol|extension|object|record|type|namespace|module|mod|package|function|func|fun|fn|def|defp|defmodule|sub|procedure|macro_rules!|template|contract|CREATE|ALTER|INSERT)\b/i

/** Comments, decorators and attributes belong to what follows them. */
const LEADS = /^(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|else|endif|import|pragma))|--|;|%|"""|'''|@|\[\w|<!--)/

/** What a line is in the structure of a file. */
export type CodeLine = 'blank' | 'inner' | 'lead' | 'definition' | 'statement'

export function kindOfLine(line: string): CodeLine {
  if (line.trim() === '') return 'blank'
  if (/^\s/.test(line) || CONTINUES.test(line)) return 'inner'
  if (LEADS.test(line)) return 'lead'
  return DEFINES.test(line) ? 'definition' : 'statement'
}
