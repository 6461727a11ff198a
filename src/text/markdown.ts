import { Lexer, type MarkedOptions, type Token } from 'marked'

/** Characters that the lexer reads together: its time grows with their square. */
const MAX_INLINE = 4_096

/** Reads longer texts in parts, which end at a blank: no link or emphasis spans two of them. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    for (let rest = source; rest !== ''; ) {
      const end = findEnd(rest)
      super.inlineTokens(rest.slice(0, end), tokens)
      rest = rest.slice(end)
    }
    return tokens
  }
}

function findEnd(text: string): number {
  if (text.length <= MAX_INLINE) return text.length
  const blank = /\s\S*$/.exec(text.slice(MAX_INLINE / 2, MAX_INLINE))
  return blank ? MAX_INLINE / 2 + blank.index + 1 : MAX_INLINE
}

export function lexMarkdown(source: string, options: MarkedOptions = { gfm: true }): Token[] {
  return new BoundedLexer(options).lex(source)
}
