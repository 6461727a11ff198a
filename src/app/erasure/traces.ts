import { existsSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { type ContentStore, ORIGINAL } from '../../ingest/store/contents/content.ts'
import { PARSED } from '../../ingest/store/contents/parsed-writer.ts'
import { SingleFile } from '../../ingest/store/contents/single-file.ts'

export type Trace = {
  readonly kind: 'text' | 'vector' | 'original'
  readonly bytes: Buffer
  readonly text?: string
}

/** Contents and traces of each, so that a scan stays in memory. */
const MAX_CONTENTS = 2_000
const TEXTS_A_CONTENT = 16
const PIECES_A_FILE = 8

const WINDOW_CHARS = 400

const PHRASE = /[\p{L}\p{N}][\p{L}\p{N} ,.;:()，。；：、（）-]{10,22}[\p{L}\p{N}]/gu

/** Long, so that no other file has the same bytes by chance. */
const PIECE_BYTES = 32
/** Protects from runs of equal bytes, which many files have. */
const MIN_DISTINCT = 12

export async function collectTraces(
  content: ContentStore,
  contents: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Trace[]> {
  const traces: Trace[] = []
  for (const sha256 of pickEvenly(contents, MAX_CONTENTS)) {
    signal?.throwIfAborted()
    await content.download(sha256, 'all', signal)
    traces.push(...(await readTraces(content.getFolder(sha256))))
  }
  return traces
}

async function readTraces(folder: string): Promise<readonly Trace[]> {
  const traces: Trace[] = []
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const file = path.join(folder, name)
    if (name.endsWith('.whole')) traces.push(...toTextTraces([new SingleFile(file).read().text]))
    else if (name.startsWith('parsed-'))
      traces.push(...toTextTraces(await readWindows(path.join(file, PARSED.text))))
    else if (/^(vectors|pieces)-/.test(name)) traces.push(...(await readPieces(file, 'vector')))
    else if (name === ORIGINAL) traces.push(...(await readPieces(file, 'original')))
  }
  return traces
}

function toTextTraces(texts: readonly string[]): readonly Trace[] {
  const phrases = [...new Set(texts.flatMap(text => text.match(PHRASE) ?? []))]
  return pickEvenly(phrases, TEXTS_A_CONTENT).map(text => {
    return { kind: 'text', bytes: Buffer.from(text), text }
  })
}

async function readWindows(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return []
  const places = await readPlaces(file, 2 * WINDOW_CHARS, TEXTS_A_CONTENT)
  return places.map(bytes => bytes.toString('utf16le'))
}

async function readPieces(file: string, kind: Trace['kind']): Promise<readonly Trace[]> {
  const pieces = await readPlaces(file, PIECE_BYTES, PIECES_A_FILE)
  return pieces
    .filter(bytes => bytes.length === PIECE_BYTES && new Set(bytes).size >= MIN_DISTINCT)
    .map(bytes => ({ kind, bytes }))
}

async function readPlaces(
  file: string,
  sizeBytes: number,
  count: number,
): Promise<readonly Buffer[]> {
  const { size } = await stat(file)
  const pieces = Math.ceil(size / sizeBytes)
  const step = Math.max(1, pieces / count)
  const handle = await open(file)
  try {
    const read: Buffer[] = []
    for (let piece = 0; piece < pieces; piece += step) {
      const start = Math.floor(piece) * sizeBytes
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, start)
      read.push(buffer.subarray(0, bytesRead))
    }
    return read
  } finally {
    await handle.close()
  }
}

function pickEvenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  const step = Math.max(1, items.length / count)
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
