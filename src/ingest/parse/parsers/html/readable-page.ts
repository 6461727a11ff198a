import { readFile } from 'node:fs/promises'
import { parseIsoDate } from '../../../../text/iso-date.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { toBlockEvents } from '../block-events.ts'
import { readHtmlBlocks } from './blocks.ts'
import { DomWalk, parseDom } from './dom.ts'
import type { DomNode } from './dom-node.ts'
import { decodePage } from './html.ts'

/** Protects against long runs of Readability. */
const MAX_ELEMENTS = 50_000

type ReadabilityOf = new (
  document: DomNode,
) => {
  parse(): {
    readonly title?: string
    readonly content?: string
    readonly publishedTime?: string | null
  } | null
}

/** No file has its media type. */
export const readablePageParser: Parser = {
  id: 'readable-page@4',
  mediaTypes: ['application/vnd.passim.readable-page'],
  async *parse(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
    signal?.throwIfAborted()
    const { text } = decodePage(await readFile(input.path))
    const root = await parseDom(text)
    const article = await extractArticle(root)
    const metadata = {
      title: article?.title,
      created: parseIsoDate(article?.publishedTime ?? undefined),
    }
    yield { type: 'metadata', metadata }
    const content = article?.content ? await parseDom(article.content) : await parseDom(text)
    yield* toBlockEvents(readHtmlBlocks(content), input.name, signal)
  },
}

async function extractArticle(root: DomNode) {
  const count = countElements(root)
  if (count === 0 || count > MAX_ELEMENTS) return undefined
  const { Readability } = (await import('@mozilla/readability')) as unknown as {
    Readability: ReadabilityOf
  }
  return new Readability(root).parse() ?? undefined
}

function countElements(root: DomNode): number {
  let count = 0
  for (const step of new DomWalk().walkSteps(root)) {
    if (step.type === 'open') count++
    if (count > MAX_ELEMENTS) break
  }
  return count
}
