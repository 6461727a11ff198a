import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { describeSchemaFault } from '../../errors/schema-issue.ts'
import type { BatchFault } from '../../ingest/store/catalog/batches.ts'
import { hashParts } from '../../system/digest.ts'
import { readLines } from '../../system/lines.ts'

/** OpenAI's limit of an input file. */
export const MAX_INPUT_BYTES = 200_000_000

/** OpenAI's limit of an input file. */
const MAX_LINES = 50_000

/** Limit of a request body, 4 MiB, and of what surrounds it in a line. */
const MAX_LINE_BYTES = 4 * 1024 * 1024 + 4_096

/** Faults listed, so that the answer stays small. */
const MAX_FAULTS = 100

export type BatchLine = {
  readonly line: number
  readonly customId: string
  readonly body: object
}

const lineSchema = z.object({
  custom_id: z.string().min(1).max(512),
  method: z.literal('POST'),
  url: z.string().max(512), // a message repeats it
  body: z.record(z.string(), z.unknown()),
})

type Parsed = { readonly fault: BatchFault } | { readonly request: BatchLine }

export async function* readBatchLines(path: string, endpoint: string): AsyncGenerator<BatchLine> {
  for await (const parsed of parseLines(path, endpoint))
    if ('request' in parsed) yield parsed.request
}

/** Bounded, because each result of a line rewrites it. */
const namedModelSchema = z.object({ model: z.string().max(200) })

export async function checkBatchFile(
  path: string,
  endpoint: string,
  signal: AbortSignal,
): Promise<{
  readonly total: number
  readonly model: string | undefined
  readonly faults: readonly BatchFault[]
}> {
  let model: string | undefined
  const faults: BatchFault[] = []
  const ids = new Set<string>()
  let total = 0
  for await (const parsed of parseLines(path, endpoint)) {
    signal.throwIfAborted()
    total++
    if (total === 1 && 'request' in parsed)
      model = namedModelSchema.safeParse(parsed.request.body).data?.model
    const fault = 'fault' in parsed ? parsed.fault : findRepetition(parsed.request, ids)
    if (fault) faults.push(fault)
    if (total > MAX_LINES) faults.push(TOO_MANY_LINES)
    if (total > MAX_LINES || faults.length >= MAX_FAULTS) break
  }
  if (total === 0) faults.push({ code: 'empty_file', message: 'The file contains no request.' })
  return { total, model, faults }
}

const TOO_MANY_LINES: BatchFault = {
  code: 'too_many_lines',
  message: `The file has more than ${MAX_LINES} lines. Divide it into several batches.`,
}

async function* parseLines(path: string, endpoint: string): AsyncGenerator<Parsed> {
  for await (const { line, bytes } of readLines(createReadStream(path), MAX_LINE_BYTES))
    yield parseLine(line, bytes, endpoint)
}

function parseLine(line: number, bytes: Buffer | undefined, endpoint: string): Parsed {
  if (!bytes) {
    const message = `The line is larger than ${MAX_LINE_BYTES} bytes.`
    return { fault: { code: 'line_too_large', line, message } }
  }
  const value = parseJson(bytes)
  if (value instanceof Error) {
    const message = `The line is not valid JSON: ${value.message}.`
    return { fault: { code: 'invalid_json_line', line, message } }
  }
  const { data, error } = lineSchema.safeParse(value)
  if (!data) {
    const { field, what } = describeSchemaFault(error)
    const message = field ? `${field} ${what}.` : `The line ${what}.`
    return { fault: { code: 'invalid_line', line, ...(field && { param: `${field}` }), message } }
  }
  if (data.url !== endpoint) {
    const message = `The url is ${JSON.stringify(data.url)}, but the batch is for ${endpoint}.`
    return { fault: { code: 'invalid_url', line, param: 'url', message } }
  }
  return { request: { line, customId: data.custom_id, body: data.body } }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Compares digests, so that 50,000 long ids need little memory. */
function findRepetition({ customId, line }: BatchLine, ids: Set<string>): BatchFault | undefined {
  const digest = hashParts(customId)
  if (!ids.has(digest)) {
    ids.add(digest)
    return undefined
  }
  const message = `The custom_id ${JSON.stringify(customId)} stands in an earlier line, too.`
  return { code: 'duplicate_custom_id', line, param: 'custom_id', message }
}
