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
import { AppError, builtinParsers, open, type Parser } from '../src/index.ts'

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

async function main([file, query]: readonly string[]): Promise<void> {
  if (!file || !query) throw new AppError('invalid_input', 'Usage: own-parser.ts FILE.srt QUERY')
  const passim = await open({
    home: path.join(tmpdir(), 'passim-own-parser'),
    parsers: [...builtinParsers, subtitleParser],
  })
  try {
    await passim.index([file])
    for (const hit of await passim.search({ query, limit: 3 }))
      console.log(`${hit.name}: ${hit.text}`)
  } finally {
    await passim.close()
  }
}

if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2))
