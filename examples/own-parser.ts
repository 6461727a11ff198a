/**
 * A format of one's own: subtitles (SubRip). Run it from the repository:
 *
 *   npx tsx examples/own-parser.ts film.srt "what she said about the train"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError, builtinParsers, type Parser } from '../src/index.ts'
import { runExample } from './run.ts'

/** Subtitles: a paragraph for each cue, without its number and times. */
export const subtitleParser: Parser = {
  id: 'srt@1',
  mediaTypes: ['application/x-subrip'],
  recognizes: ({ name }) =>
    name.toLowerCase().endsWith('.srt') ? 'application/x-subrip' : undefined,
  async *parse({ path, name }, signal) {
    signal?.throwIfAborted()
    const text = await readFile(path, { encoding: 'utf8', signal })
    if (text === '') throw new AppError('empty', `${name} is empty: it has no bytes.`)
    for (const cue of text.replaceAll('\r', '').split(/\n{2,}/)) {
      const words = cue.split('\n').slice(2).join('\n').trim()
      if (words) yield { type: 'block', block: { kind: 'paragraph', text: words } }
    }
  },
}

await runExample(
  {
    file: import.meta.filename,
    usage: 'FILE.srt QUERY',
    options: {
      home: path.join(tmpdir(), 'passim-own-parser'),
      parsers: [...builtinParsers, subtitleParser],
    },
  },
  async (passim, [file = '', query = '']) => {
    await passim.index([file])
    for (const hit of await passim.search({ query, limit: 3 }))
      console.log(`${hit.name}: ${hit.text}`)
  },
)
