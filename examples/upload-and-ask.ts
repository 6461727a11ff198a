/**
 * Upload files and ask about them. Run it from the repository, with a chat model or without one:
 *
 *   npx tsx examples/upload-and-ask.ts report.pdf "What is the notice period?"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import type { AgentResult, Passim } from '../src/index.ts'
import { runExample } from './run.ts'

/** Index the files in a collection of their own, then answer from it. */
export async function uploadAndAsk(
  passim: Passim,
  files: readonly string[],
  question: string,
): Promise<AgentResult> {
  const { documents } = await passim.index(files, { collection: 'uploads', keep: true })
  for (const { source, error } of documents) if (error) console.error(`${source}: ${error.message}`)
  return await passim.ask({ question, collections: ['uploads'] }).result
}

await runExample({ file: import.meta.filename, usage: 'FILE QUESTION' }, async (passim, args) => {
  const { text, citations } = await uploadAndAsk(passim, args.slice(0, -1), args.at(-1) ?? '')
  console.log(text)
  for (const { marker, doc, page, text } of citations)
    console.log(`[${marker}] ${doc}${page ? `, p. ${page}` : ''}: ${text}`)
})
