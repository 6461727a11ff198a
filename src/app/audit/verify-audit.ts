import path from 'node:path'
import { z } from 'zod'
import { localizable, withMessage } from '../../errors/localizable.ts'
import type { AuditProblem, AuditVerification } from '../../wire/checks.ts'
import { getAuditFolder, hashLine, listAuditFiles, readHead, readLines } from './audit-log.ts'

/** Protects the size of a report. */
const MAX_PROBLEMS = 100

const lineSchema = z.object({ unmapped: z.object({ previous: z.string() }) })

type File = {
  readonly number: number
  readonly hashes: readonly string[]
  /** May be continued, too, because this file had no line for long. */
  readonly earlier: readonly string[]
}

export async function verifyAudit(home: string, signal?: AbortSignal): Promise<AuditVerification> {
  const problems: AuditProblem[] = []
  let before: File | undefined
  let lines = 0
  const files = await listAuditFiles(getAuditFolder(home))
  for (const file of files) {
    signal?.throwIfAborted()
    const read = await checkFile(file, before, problems)
    lines += read.lines
    before = read
  }
  const ok = problems.length === 0
  return { ok, files: files.length, lines, problems: problems.slice(0, MAX_PROBLEMS) }
}

async function checkFile(
  file: string,
  before: File | undefined,
  problems: AuditProblem[],
): Promise<File & { readonly lines: number }> {
  const name = path.basename(file)
  const number = Number.parseInt(name, 10)
  const head = await readHead(file) // before the lines, to which a running process may add
  const lines = await readLines(file)
  const hashes = lines.map(hashLine)
  if (before && before.number + 1 !== number)
    problems.push(withMessage({}, localizable`Files are missing before ${name}.`))
  for (const [index, line] of lines.entries()) {
    const previous = readPrevious(line)
    const isChained = index > 0 ? previous === hashes[index - 1] : isContinuation(previous, before)
    if (!isChained)
      problems.push(
        withMessage(
          {},
          localizable`${name}, line ${index + 1}: a line before it is changed or missing.`,
        ),
      )
  }
  if (head && head.lines > 0 && hashes[head.lines - 1] !== head.hash)
    problems.push(withMessage({}, localizable`${name}: the last lines are changed or missing.`))
  if (!head && lines.length > 0)
    problems.push(withMessage({}, localizable`${name}: its head file is missing.`))
  const [first] = lines
  if (first === undefined && before) return { ...before, number, lines: 0 }
  const earlier = listEarlier(readPrevious(first ?? ''), before)
  return { number, lines: lines.length, hashes, earlier }
}

function isContinuation(previous: string | undefined, before: File | undefined): boolean {
  if (!before?.hashes.length) return true
  return previous !== undefined && [...before.hashes, ...before.earlier].includes(previous)
}

function listEarlier(previous: string | undefined, before: File | undefined): readonly string[] {
  if (previous === undefined) return []
  if (!before?.hashes.length) return [previous]
  return before.hashes.includes(previous) ? before.hashes : [...before.hashes, ...before.earlier]
}

function readPrevious(line: string): string | undefined {
  try {
    return lineSchema.parse(JSON.parse(line)).unmapped.previous
  } catch {
    return undefined
  }
}
