import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ReadWebPage, WebArticle } from '../../agent/tools/web-extractor.ts'
import { AppError } from '../../errors.ts'
import { chooseParser } from '../../ingest/parse/parser.ts'
import type { Fetched, Fetcher } from '../../ingest/sources/web/fetcher.ts'
import type { Parsing } from '../indexing/parsing.ts'

type WebReaderParts = {
  readonly fetcher: Pick<Fetcher, 'get'>
  readonly parsing: Pick<Parsing, 'article' | 'parsersFor' | 'detect'>
}

const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** Reads a page of the web as its article, any other file as documents are read: in a process with limits, and kept nowhere. */
export function webReader({ fetcher, parsing }: WebReaderParts): ReadWebPage {
  return async (url, maxChars, signal) => {
    const page = await fetcher.get(url, { signal })
    if (page.kind !== 'page')
      throw new AppError('not_found', page.kind === 'gone' ? page.message : `${url.href} is gone.`)
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-'))
    try {
      const file = path.join(folder, 'page')
      await pipeline(page.body, createWriteStream(file), { signal })
      return {
        url: page.url.href,
        ...(await read(file, nameOf(page), { parsing, maxChars, signal })),
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** A server's word for what it is decides where the address has no ending. */
function nameOf({ url, fileName, mediaType }: Extract<Fetched, { kind: 'page' }>): string {
  const name = fileName ?? (path.posix.basename(url.pathname) || url.host)
  return PAGES.has(mediaType) && path.extname(name) === '' ? `${name}.html` : name
}

type Reading = Pick<WebReaderParts, 'parsing'> & {
  readonly maxChars: number
  readonly signal: AbortSignal | undefined
}

async function read(
  file: string,
  name: string,
  { parsing, maxChars, signal }: Reading,
): Promise<Omit<WebArticle, 'url'>> {
  const mediaType = await parsing.detect(file, name)
  const parser = PAGES.has(mediaType)
    ? parsing.article
    : chooseParser(parsing.parsersFor(), { name, mediaType })
  const texts: string[] = []
  let about: Omit<WebArticle, 'url' | 'text'> = {}
  let chars = 0
  for await (const event of parser.parse({ path: file, name, mediaType }, signal)) {
    if (event.type === 'metadata') about = { ...about, ...headOf(event.metadata) }
    if (event.type !== 'block') continue
    texts.push(event.block.text)
    chars += event.block.text.length
    if (chars > maxChars) break
  }
  return { ...about, text: texts.join('\n\n') }
}

function headOf({
  title,
  created,
}: {
  readonly title?: string | undefined
  readonly created?: string | undefined
}) {
  return { ...(title && { title }), ...(created && { date: created }) }
}
