import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { getSystemCode } from '../../errors.ts'
import { ByteScan } from '../../system/byte-scan.ts'
import { isSha256 } from '../../system/digest.ts'
import type { DeletionReportJson } from '../../wire/deletion.ts'
import type { Trace } from './traces.ts'

type Scan = DeletionReportJson['scan']

const TENANTS = 'tenants'

/** Protects the size of a report. */
const MAX_NAMED = 100

/** Base64 (RFC 4648, 4). */
const GROUP_BYTES = 3
/** Base64 (RFC 4648, 4). */
const GROUP_CHARS = 4

type Scanned = { readonly traces: readonly Trace[]; readonly contents: readonly string[] }

export async function scanHome(
  home: string,
  { traces, contents }: Scanned,
  signal?: AbortSignal,
): Promise<Scan> {
  const scan = new ByteScan<Trace>()
  for (const trace of traces) for (const bytes of listForms(trace)) scan.add(bytes, trace)
  const places = new Map<string, ReadonlySet<Trace>>()
  const shared = new Set<Trace>()
  const seen = { files: 0, bytes: 0 }
  const erased = new Set(contents)
  for await (const file of listFiles(home)) {
    const read = await ignoreVanished(scan.scanFile(file, signal))
    if (!read) continue
    seen.files++
    seen.bytes += read.bytes
    const name = path.relative(home, file)
    const [, , owner = ''] = name.split(path.sep)
    if (isSha256(owner) && !erased.has(owner)) for (const trace of read.found) shared.add(trace)
    else if (read.found.size > 0) places.set(name, read.found)
  }
  const count = (kind: Trace['kind']) => traces.filter(trace => trace.kind === kind).length
  const searched = { texts: count('text'), vectors: count('vector'), originals: count('original') }
  const found = [...places].flatMap(([file, all]) => {
    const own = [...all].filter(trace => !shared.has(trace)).length
    return own > 0 ? [{ file, traces: own }] : []
  })
  return { ...seen, ...searched, shared: shared.size, found: found.slice(0, MAX_NAMED) }
}

function listForms({ bytes, text }: Trace): readonly Buffer[] {
  const plain = text === undefined ? [bytes] : [bytes, Buffer.from(text, 'utf16le')]
  return plain.flatMap(form => [form, ...listBase64Forms(form)])
}

function listBase64Forms(bytes: Buffer): readonly Buffer[] {
  return Array.from({ length: GROUP_BYTES }, (_, before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const encoded = padded.toString('base64')
    const first = before === 0 ? 0 : GROUP_CHARS
    const last = Math.floor(padded.length / GROUP_BYTES) * GROUP_CHARS
    return Buffer.from(encoded.slice(first, last))
  })
}

async function* listFiles(folder: string, isTop = true): AsyncGenerator<string> {
  for (const entry of existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : []) {
    const file = path.join(folder, entry.name)
    if (entry.isFile()) yield file
    else if (entry.isDirectory() && !(isTop && entry.name === TENANTS))
      yield* listFiles(file, false)
  }
}

async function ignoreVanished<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
