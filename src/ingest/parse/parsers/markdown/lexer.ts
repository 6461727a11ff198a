import { Marked, type Token, type TokenizerExtension } from 'marked'
import { lexMarkdown } from '../../../../text/markdown.ts'

const FORMULA = /^(\$\$[^$]+\$\$|\$(?![\s$])(?:[^$\n\\]|\\.)*(?<!\s)\$(?!\d))/
const REFERENCE = /^\[\^([^\]\s]{1,80})\](?!:)/
const NOTE =
  /^ {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*([^\n]*(?:\n(?:[ \t]+[^\n]+|[ \t]*(?=\n[ \t]+\S)))*)(?:\n|$)/

/** Keeps signs of a formula that would be read as emphasis. */
const formula: TokenizerExtension = {
  name: 'formula',
  level: 'inline',
  start: source => source.indexOf('$'),
  tokenizer(source) {
    const raw = FORMULA.exec(source)?.[0]
    return raw ? { type: 'formula', raw, text: raw } : undefined
  },
}

const reference: TokenizerExtension = {
  name: 'reference',
  level: 'inline',
  start: source => source.indexOf('[^'),
  tokenizer(source) {
    const [raw, sign] = REFERENCE.exec(source) ?? []
    return raw ? { type: 'reference', raw, text: `[${sign}]` } : undefined
  },
}

const note: TokenizerExtension = {
  name: 'note',
  level: 'block',
  tokenizer(source) {
    const [raw, sign, text = ''] = NOTE.exec(source) ?? []
    if (!raw) return undefined
    const tokens: Token[] = this.lexer.blockTokens(text.replace(/^[ \t]+/gm, ''), [])
    return { type: 'note', raw, sign, tokens }
  },
}

export function lexDocument(source: string): readonly Token[] {
  return lexMarkdown(
    source,
    new Marked({ gfm: true, extensions: [formula, reference, note] }).defaults,
  )
}
