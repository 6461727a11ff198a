/**
 * A long text with citations. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/write-report.ts "A report on our contracts"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import { type AgentRun, type Passim, writeFromScratch } from '../src/index.ts'
import { runExample } from './run.ts'

/** An outline first, then each section by an agent that cites; with `effort` it searches more for each. */
export function writeReport(passim: Passim, task: string): AgentRun {
  const writer = passim.agent({ name: 'writer', citations: true })
  return writeFromScratch(writer, { maxSections: 6 }).run(task)
}

await runExample(
  { file: import.meta.filename, usage: 'SUBJECT' },
  async (passim, [subject = '']) => {
    for await (const piece of writeReport(passim, subject).textStream) process.stdout.write(piece)
  },
)
