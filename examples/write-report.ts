/**
 * A long text with citations. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/write-report.ts "A report on our contracts"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import { type AgentRun, open, type Passim, writeFromScratch } from '../src/index.ts'

/** An outline first, then each section by an agent that cites; with `effort` it searches more for each. */
export function writeReport(passim: Passim, task: string): AgentRun {
  const writer = passim.agent({ name: 'writer', citations: true })
  return writeFromScratch(writer, { maxSections: 6 }).run(task)
}

if (process.argv[1] === import.meta.filename) {
  const passim = await open()
  for await (const piece of writeReport(passim, process.argv[2] ?? '').textStream)
    process.stdout.write(piece)
  await passim.close()
}
