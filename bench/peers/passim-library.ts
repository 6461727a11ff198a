import type { Passim } from '../../src/app/passim.ts'
import { open } from '../../src/app.ts'
import type { Citation } from '../../src/index.ts'
import type { PeerCitation } from '../cite-check/marking.ts'
import { documentOf, type Peer, withMarkers } from './peer.ts'

type PassimOptions = {
  readonly home: string
  /** How sure an answer has to be, in place of the default. */
  readonly strictness?: number
}

/** Passim by its library, quoting without a chat model, as it is set by default. */
export function passimLibrary({ home, strictness }: PassimOptions): Peer {
  let passim: Passim
  return {
    name: strictness === undefined ? 'passim' : `passim, strictness ${strictness}`,
    async prepare(files, signal) {
      passim = await open({ home })
      const { documents } = await passim.index(files, { signal })
      const failed = documents.filter(({ status }) => status === 'failed')
      if (failed.length)
        throw new Error(`Passim did not index ${failed.map(({ source }) => source).join(', ')}.`)
    },
    async answer(question, signal) {
      const asked = passim.ask({ question, strictness, extractive: true, signal })
      const { text, abstained, confidence, citations } = await asked.result
      const marked = await Promise.all(
        citations.map(
          async citation => [String(citation.marker), await located(passim, citation)] as const,
        ),
      )
      const sentences = withMarkers(withoutOpening(text), /\s*\[(\d+)\]/g, marker =>
        marked.flatMap(([own, citation]) => (own === marker ? [citation] : [])),
      )
      return { text, refused: abstained, confidence, sentences }
    },
    close: async () => await passim.close(),
  }
}

/** An answer in the documents' words begins by saying so, and names the language of a quotation: that claims nothing. */
export const withoutOpening = (text: string): string =>
  text.replace(/^[^\n]*[:：]\n/, '').replace(/^(?:\(Chinese\) |（英文）)/gm, '')

async function located(
  passim: Passim,
  { documentId, doc, page, charStart, charEnd, text }: Citation,
): Promise<PeerCitation> {
  const source = await parsedText(passim, documentId)
  return {
    document: documentOf(doc),
    quote: text,
    page,
    offsets: { source, start: charStart, end: charEnd },
  }
}

/** What the offsets of citations count in: the blocks' texts with a blank line between them. */
async function parsedText(passim: Passim, documentId: string): Promise<string> {
  const texts: string[] = []
  for await (const { text } of passim.library.readBlocks(documentId)) texts.push(text)
  return texts.join('\n\n')
}
