import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { citedAlike, documentOf, type Peer } from './peer.ts'

const run = promisify(execFile)

const FOUND = z.array(z.object({ file: z.string(), score: z.number(), snippet: z.string() }))

type QmdOptions = {
  readonly command: string
  /** `search` is by words; `query` also by meaning and a reranker, whose models it fetches. */
  readonly mode: 'search' | 'query'
}

/** qmd, a search of Markdown notes on one's own disk, without a chat model: the best snippet is the answer, and cites itself. */
export function qmdPeer({ command, mode }: QmdOptions): Peer {
  const index = `cite-check-${process.pid}`
  const qmd = async (signal: AbortSignal, ...words: string[]) =>
    (await run(command, ['--index', index, ...words], { signal, maxBuffer: 16 * 2 ** 20 })).stdout
  return {
    name: `qmd ${mode}, top snippet`,
    async prepare(files, signal) {
      const [first] = files
      if (!first) throw new Error('qmd is given no files.')
      await qmd(
        signal,
        'collection',
        'add',
        dirname(first),
        '--name',
        'cite-check',
        '--mask',
        '**/*.{md,txt}',
      )
      if (mode === 'query') await qmd(signal, 'embed')
    },
    async answer(question, signal) {
      const [best] = FOUND.parse(JSON.parse(await qmd(signal, mode, question, '--json', '-n', '1')))
      if (!best) return { text: '', refused: true, sentences: [] }
      const text = best.snippet.replace(/^@@[^\n]*\n/, '')
      const citation = { document: documentOf(best.file), quote: text }
      return {
        text,
        refused: false,
        confidence: best.score,
        sentences: citedAlike(text, [citation]),
      }
    },
    close: async () => {},
  }
}
