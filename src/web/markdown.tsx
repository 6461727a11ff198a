import { lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren, JSX } from 'preact'

/** Kinds of sentences that the sources do not state. */
export type Doubt = 'contradicted' | 'unconfirmed'

/** Renders the signs of an answer: markers of sources, and sentences that the sources do not state. */
type AnswerSigns = {
  readonly marker: (marker: number) => ComponentChildren
  readonly doubt: (kind: Doubt, words: ComponentChildren) => ComponentChildren
}

/** Signs around a sentence that the sources do not state, from Unicode's private use area. */
const BEGIN: Readonly<Record<Doubt, string>> = { contradicted: '\uE000', unconfirmed: '\uE002' }
const END = '\uE001'
const DOUBTS: readonly Doubt[] = ['contradicted', 'unconfirmed']
const SIGN = /(\[\d{1,3}\]|[\uE000-\uE002])/
/** Space and markers between the words of a sentence. */
const BETWEEN = '(?:\\s|\\[\\d{1,3}\\])*'

/** Markdown as nodes: nothing of it is ever taken for HTML, and nothing is loaded that it names. */
export function Markdown({ text, doubts, signs }: MarkdownProps) {
  return (
    <div class="markdown">{new MarkdownNodes(signs).blocks(lexer(markDoubts(text, doubts)))}</div>
  )
}

type MarkdownProps = {
  readonly text: string
  readonly doubts: Readonly<Record<Doubt, readonly string[]>>
  readonly signs: AnswerSigns
}

function markDoubts(text: string, { contradicted, unconfirmed }: MarkdownProps['doubts']): string {
  const clean = text.replace(/[\uE000-\uE002]/g, '')
  return markSentences(
    'unconfirmed',
    unconfirmed,
    markSentences('contradicted', contradicted, clean),
  )
}

function markSentences(kind: Doubt, sentences: readonly string[], text: string): string {
  return sentences.reduce((all, sentence) => {
    const words = sentence.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []
    if (words.length === 0) return all
    const pattern = new RegExp(
      words.map(word => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join(BETWEEN),
    )
    return all.replace(pattern, found => BEGIN[kind] + found + END)
  }, text)
}

class MarkdownNodes {
  readonly #signs: AnswerSigns
  /** Kind of the sentence that is being rendered; a sentence may span several inline parts. */
  #doubt: Doubt | undefined

  constructor(signs: AnswerSigns) {
    this.#signs = signs
  }

  blocks(tokens: readonly Token[]): ComponentChildren {
    return tokens.map(token => this.#block(token))
  }

  #block(token: Token): ComponentChildren {
    switch (token.type) {
      case 'space':
      case 'def':
        return null
      case 'heading':
        return this.#heading(token as Tokens.Heading)
      case 'paragraph':
        return <p>{this.#inlines(token)}</p>
      case 'list':
        return this.#list(token as Tokens.List)
      case 'table':
        return this.#table(token as Tokens.Table)
      case 'code':
        return (
          <pre>
            <code>{token.text}</code>
          </pre>
        )
      case 'blockquote':
        return <blockquote>{this.blocks(token.tokens ?? [])}</blockquote>
      case 'hr':
        return <hr />
      default:
        return 'tokens' in token && token.tokens ? (
          this.#inlines(token)
        ) : (
          <p>{this.#text(token.raw)}</p>
        )
    }
  }

  /** The page has its own first heading, so those of an answer begin with the third. */
  #heading({ depth, tokens }: Tokens.Heading): ComponentChildren {
    const Level = `h${Math.min(6, depth + 2)}` as 'h3'
    return <Level>{tokens.map(token => this.#inline(token))}</Level>
  }

  #list({ ordered, start, items }: Tokens.List): ComponentChildren {
    const parts = items.map(item => <li>{this.blocks(item.tokens)}</li>)
    return ordered ? <ol start={Number(start) || 1}>{parts}</ol> : <ul>{parts}</ul>
  }

  #table({ header, rows }: Tokens.Table): ComponentChildren {
    const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td') =>
      row.map(cell => <Cell>{cell.tokens.map(token => this.#inline(token))}</Cell>)
    return (
      <div class="table-scroll">
        <table>
          <thead>
            <tr>{cells(header, 'th')}</tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr>{cells(row, 'td')}</tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  }

  #inlines(token: Token): ComponentChildren {
    const tokens = 'tokens' in token ? token.tokens : undefined
    return tokens ? tokens.map(inner => this.#inline(inner)) : this.#text(token.raw)
  }

  #inline(token: Token): ComponentChildren {
    switch (token.type) {
      case 'strong':
        return <strong>{this.#inlines(token)}</strong>
      case 'em':
        return <em>{this.#inlines(token)}</em>
      case 'del':
        return <del>{this.#inlines(token)}</del>
      case 'codespan':
        return <code>{token.text}</code>
      case 'br':
        return <br />
      case 'link':
        return this.#link(token as Tokens.Link)
      case 'image':
        return this.#text(token.text)
      case 'text':
        return 'tokens' in token && token.tokens ? this.#inlines(token) : this.#text(token.raw)
      case 'escape':
        return this.#text(token.text)
      default:
        return this.#text(token.raw)
    }
  }

  #link(token: Tokens.Link): ComponentChildren {
    const words = this.#inlines(token)
    if (!/^(https?:|mailto:)/i.test(token.href)) return words
    const attributes: JSX.AnchorHTMLAttributes = {
      href: token.href,
      target: '_blank',
      rel: 'noopener noreferrer',
    }
    return <a {...attributes}>{words}</a>
  }

  #text(text: string): ComponentChildren {
    return text.split(SIGN).map(part => {
      if (/^[\uE000-\uE002]$/.test(part)) {
        this.#doubt = DOUBTS.find(kind => BEGIN[kind] === part)
        return null
      }
      const number = /^\[(\d{1,3})\]$/.exec(part)?.[1]
      if (number) return this.#signs.marker(Number(number))
      return this.#doubt && part ? this.#signs.doubt(this.#doubt, part) : part
    })
  }
}
