import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { citedAlike, documentOf, type Peer } from './peer.ts'

const READ = z.object({
  read: z.number(),
  refused: z.array(z.object({ file: z.string(), error: z.string() })),
})
const FOUND = z.array(z.object({ file: z.string(), text: z.string(), score: z.number() }))

type QwenOptions = {
  /** Of an environment with `pip install 'qwen-agent[rag]' soundfile tqdm openpyxl`. */
  readonly python: string
  readonly program?: string
  /** Is told of the files that it could not read. */
  readonly onRefused: (file: string, error: string) => void
}

/** Qwen-Agent's keyword search without a chat model: the passage that it ranks first is the answer, and cites itself. */
export function qwenAgentPeer({
  python,
  program = fileURLToPath(new URL('qwen-agent.py', import.meta.url)),
  onRefused,
}: QwenOptions): Peer {
  let child: ChildProcessByStdio<Writable, Readable, null>
  let lines: AsyncIterator<string>
  let reader: Interface
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('Qwen-Agent ended: see what it wrote on standard error.')
    return JSON.parse(value) as unknown
  }
  return {
    name: 'Qwen-Agent keyword search, top passage',
    async prepare(files, signal) {
      child = spawn(python, [program, ...files], { stdio: ['pipe', 'pipe', 'inherit'], signal })
      const failed = new Promise<never>((_, reject) => child.on('error', reject))
      reader = createInterface(child.stdout)
      lines = reader[Symbol.asyncIterator]()
      const { refused } = READ.parse(await Promise.race([next(), failed]))
      for (const { file, error } of refused) onRefused(file, error)
    },
    async answer(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      const [best] = FOUND.parse(await next())
      if (!best || best.score <= 0) return { text: '', refused: true, sentences: [] }
      const { text, score } = best
      const citation = { document: documentOf(best.file), quote: text }
      return { text, refused: false, confidence: score, sentences: citedAlike(text, [citation]) }
    },
    async close() {
      child.stdin.end()
      reader.close()
    },
  }
}
