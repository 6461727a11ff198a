import { decodeBytes } from './charsets.ts'
import { RtfHeader } from './header.ts'
import { CHARACTERS } from './reader.ts'
import { type RtfToken, RtfTokens } from './tokens.ts'

type Group = {
  readonly destination: 'html' | 'tag' | 'fonts' | 'nowhere'
  readonly font: number | undefined
  /** Whether this is only for readers of RTF. */
  readonly isForRtf: boolean
  /** Number of characters after `\u` that stand in for it. */
  readonly fallbacks: number
}

/** Maximum depth of groups, as for RTF itself. Deeper ones are read as their parent. */
const MAX_DEPTH = 2_000
/** Groups without text of the page, besides unknown ones marked `\*`. */
const NOWHERE = new Set(['colortbl', 'stylesheet', 'info', 'pict', 'object'])

/** Outlook stores pages this way ([MS-OXRTFEX] 2.1.2). */
export function hasHtmlInRtf(rtf: string): boolean {
  return /\\fromhtml1?\b/.test(rtf.slice(0, 1_024))
}

/** The markup is in separate groups, the text as in any RTF. */
export function extractHtml(rtf: string): string {
  const reader = new HtmlInRtfReader()
  const tokens = new RtfTokens()
  for (const token of tokens.add(rtf)) reader.read(token)
  for (const token of tokens.end()) reader.read(token)
  return reader.end()
}

class HtmlInRtfReader {
  readonly #header = new RtfHeader()
  readonly #groups: Group[] = []
  readonly #parts: string[] = []
  #group: Group = { destination: 'html', font: undefined, isForRtf: false, fallbacks: 1 }
  #bytes = ''
  #skip = 0
  #isOptional = false

  read(token: RtfToken): void {
    if (token.type === 'bytes') {
      const skipped = Math.min(this.#skip, token.bytes.length)
      this.#skip -= skipped
      this.#bytes += token.bytes.slice(skipped)
      return
    }
    this.#flush()
    if (token.type === 'word') this.#readWord(token.name, token.value)
    else this.#skip = 0
    if (token.type === 'open' && this.#groups.length < MAX_DEPTH) this.#groups.push(this.#group)
    else if (token.type === 'close') this.#group = this.#groups.pop() ?? this.#group
  }

  end(): string {
    this.#flush()
    return this.#parts.join('')
  }

  #readWord(word: string, value: number | undefined): void {
    if (this.#skip > 0 && word !== 'u') {
      this.#skip--
      return
    }
    if (word === '*') this.#isOptional = true
    else if (!this.#enter(word)) this.#apply(word, value)
    if (word !== '*') this.#isOptional = false
  }

  #enter(word: string): boolean {
    const { destination } = this.#group
    if (destination === 'nowhere') return true
    const isTag = word === 'htmltag' && this.#isOptional
    if (isTag) this.#group = { ...this.#group, destination: 'tag', isForRtf: false }
    else if (word === 'fonttbl') this.#group = { ...this.#group, destination: 'fonts' }
    else if (NOWHERE.has(word) || this.#isOptional)
      this.#group = { ...this.#group, destination: 'nowhere' }
    else return false
    return true
  }

  #apply(word: string, value: number | undefined): void {
    const { destination } = this.#group
    if (destination === 'fonts') this.#header.setFont(word, value)
    else if (word === 'htmlrtf') this.#group = { ...this.#group, isForRtf: value !== 0 }
    else if (word === 'f') this.#group = { ...this.#group, font: value ?? 0 }
    else if (word === 'uc') this.#group = { ...this.#group, fallbacks: Math.max(0, value ?? 1) }
    else if (word === 'u') {
      this.#write(String.fromCharCode((value ?? 0) & 0xffff))
      this.#skip = this.#group.fallbacks
    } else if (word === 'par') this.#write('\n')
    else if (CHARACTERS[word] !== undefined) this.#write(CHARACTERS[word])
    else this.#header.setDocument(word, value)
  }

  #flush(): void {
    const bytes = this.#bytes
    this.#bytes = ''
    if (bytes) this.#write(decodeBytes(bytes, this.#header.getCodePage(this.#group.font)))
  }

  #write(text: string): void {
    const { destination, isForRtf } = this.#group
    if ((destination === 'html' && !isForRtf) || destination === 'tag') this.#parts.push(text)
  }
}
