import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { KnowledgeBase } from '../memory/knowledge-base.ts'
import type { Tool, ToolContent } from '../tool.ts'
import { defineTool } from './define-tool.ts'
import type { PythonAnswer, PythonSessions } from './python-sessions.ts'

type PythonToolOptions = {
  readonly sessions: PythonSessions
  readonly knowledge: KnowledgeBase
  readonly readBytes: (document: Document, signal?: AbortSignal) => Promise<Buffer>
  /** Per call. */
  readonly maxFileBytes: number
}

const MAX_CODE = 100_000

const code = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CODE)
  .describe('Python code; the value of its last line is answered.')
const files = z
  .array(z.string().min(1))
  .max(20)
  .optional()
  .describe('Documents to put into the working directory first: names or ids.')

const WHERE =
  'It runs in a sandbox without network and without files but those it is given; write pictures as PNG to the working directory to show them.'

/** Keeps definitions for the conversation. */
export function createCodeInterpreterTool(options: PythonToolOptions): Tool {
  const own = randomUUID()
  return defineTool({
    name: 'code_interpreter',
    description: `Run Python code, to compute or to analyse files. Variables stay for the next call. ${WHERE}`,
    parameters: z.object({ code, files }),
    async call({ code, files = [] }, signal, { conversation } = {}) {
      const request = { code, files: await readFiles(files, options, signal) }
      return toAnswer(await options.sessions.run(conversation ?? own, request, signal))
    },
  })
}

/** Keeps nothing between calls. */
export function createPythonExecutorTool(options: PythonToolOptions): Tool {
  return defineTool({
    name: 'python_executor',
    description: `Run Python code for one computation; nothing is kept for the next call. ${WHERE}`,
    parameters: z.object({ code, files }),
    async call({ code, files = [] }, signal) {
      return toAnswer(
        await options.sessions.runAlone(
          { code, files: await readFiles(files, options, signal) },
          signal,
        ),
      )
    },
  })
}

async function readFiles(
  references: readonly string[],
  { knowledge, readBytes, maxFileBytes }: PythonToolOptions,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {}
  let room = maxFileBytes
  for (const reference of references) {
    const { documents, failures } = await knowledge.resolve([reference], signal)
    const [document] = documents
    if (!document)
      throw new AppError(
        failures[0]?.code ?? 'not_found',
        failures[0]?.message ?? `There is no ${reference}.`,
      )
    const bytes = await readBytes(document, signal)
    room -= bytes.length
    if (room < 0)
      throw new AppError(
        'too_large',
        `The files have more than ${Math.round(maxFileBytes / 2 ** 20)} MiB together: give fewer at once.`,
      )
    files[document.name] = bytes.toString('base64')
  }
  return files
}

function toAnswer({ pictures, files, output, ...rest }: PythonAnswer): object | ToolContent {
  const answer = { ...(output && { output }), ...rest, ...(files.length > 0 && { files }) }
  const visibleAnswer = Object.keys(answer).length > 0 ? answer : { output: '' }
  if (pictures.length === 0) return visibleAnswer
  const images = pictures.map(({ type, data }) => ({ image: `data:${type};base64,${data}` }))
  return {
    content: [{ text: JSON.stringify({ ...visibleAnswer, pictures: pictures.length }) }, ...images],
  }
}
