import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { ComponentChildren, JSX } from 'preact'

export type Doubt = 'contradicted' | 'unconfirmed'

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

/** Renders Markdown as nodes: takes nothing for HTML, and loads nothing that it names. */
export function Markdown({ text, doubts, signs }: MarkdownProps) {
  return (
    <div class="markdown">
      {new MarkdownNodes(signs).renderBlocks(lexer(markDoubts(text, doubts)))}
    </div>
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
  /** Kind of the current sentence, which may span several inline parts. */
  #doubt: Doubt | undefined

  constructor(signs: AnswerSigns) {
    this.#signs = signs
  }

  renderBlocks(tokens: readonly Token[]): ComponentChildren {
    return tokens.map(token => this.#renderBlock(token))
  }

  #renderBlock(read: Token): ComponentChildren {
    const token = toOwnToken(read)
    switch (token.type) {
      case 'space':
      case 'def':
        return null
      case 'heading':
        return this.#renderHeading(token)
      case 'paragraph':
        return <p>{this.#renderInlines(token)}</p>
      case 'list':
        return this.#renderList(token)
      case 'table':
        return this.#renderTable(token)
      case 'code':
        return (
          <pre>
            <code>{token.text}</code>
          </pre>
        )
      case 'blockquote':
        return <blockquote>{this.renderBlocks(token.tokens ?? [])}</blockquote>
      case 'hr':
        return <hr />
      default:
        return 'tokens' in token && token.tokens ? (
          this.#renderInlines(token)
        ) : (
          <p>{this.#renderText(token.raw)}</p>
        )
    }
  }

  #renderHeading({ depth, tokens }: Tokens.Heading): ComponentChildren {
    const Level = `h${Math.min(6, depth + 2)}` as 'h3'
    return <Level>{tokens.map(token => this.#renderInline(token))}</Level>
  }

  #renderList({ ordered, start, items }: Tokens.List): ComponentChildren {
    const parts = items.map(item => <li>{this.renderBlocks(item.tokens)}</li>)
    return ordered ? <ol start={Number(start) || 1}>{parts}</ol> : <ul>{parts}</ul>
  }

  #renderTable({ header, rows }: Tokens.Table): ComponentChildren {
    const renderCells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td') =>
      row.map(cell => <Cell>{cell.tokens.map(token => this.#renderInline(token))}</Cell>)
    return (
      <div class="table-scroll">
        <table>
          <thead>
            <tr>{renderCells(header, 'th')}</tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr>{renderCells(row, 'td')}</tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  }

  #renderInlines(token: Token): ComponentChildren {
    const tokens = 'tokens' in token ? token.tokens : undefined
    return tokens ? tokens.map(inner => this.#renderInline(inner)) : this.#renderText(token.raw)
  }

  #renderInline(read: Token): ComponentChildren {
    const token = toOwnToken(read)
    switch (token.type) {
      case 'strong':
        return <strong>{this.#renderInlines(token)}</strong>
      case 'em':
        return <em>{this.#renderInlines(token)}</em>
      case 'del':
        return <del>{this.#renderInlines(token)}</del>
      case 'codespan':
        return <code>{token.text}</code>
      case 'br':
        return <br />
      case 'link':
        return this.#renderLink(token)
      case 'image':
        return this.#renderText(token.text)
      case 'text':
        return 'tokens' in token && token.tokens
          ? this.#renderInlines(token)
          : this.#renderText(token.raw)
      case 'escape':
        return this.#renderText(token.text)
      default:
        return this.#renderText(token.raw)
    }
  }

  #renderLink(token: Tokens.Link): ComponentChildren {
    const words = this.#renderInlines(token)
    if (!/^(https?:|mailto:)/i.test(token.href)) return words
    const attributes: JSX.AnchorHTMLAttributes = {
      href: token.href,
      target: '_blank',
      rel: 'noopener noreferrer',
    }
    return <a {...attributes}>{words}</a>
  }

  #renderText(text: string): ComponentChildren {
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

function toOwnToken(token: Token): MarkedToken {
  return token as MarkedToken
}
