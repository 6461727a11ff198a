import { readFile, stat } from 'node:fs/promises'
import { type UnigramTables, unigramTables } from '../chunk/tokens/unigram.ts'
import { cutVocabulary } from '../chunk/tokens/vocabulary-text.ts'

/** A `tokenizer.json` without its vocabulary, and what that is made into. */
type PackedTokenizer = { readonly rest: string; readonly tables: UnigramTables }

/** Raised when the tables have another form. */
const FORM = 1
/** The form, the bytes of the `tokenizer.json` it was made of, pieces, nodes, bytes of the rest; and one more, to end at eight bytes. */
const HEADER = 6
const FLOAT64 = Float64Array.BYTES_PER_ELEMENT

/** What `readPacked` reads; undefined where it is no tokenizer of a unigram model. */
export async function packTokenizer(json: Buffer): Promise<Uint8Array | undefined> {
  const cut = await cutVocabulary(json)
  if (!cut) return undefined
  const { scores, pieces, children, units } = await unigramTables(cut.vocabulary)
  const rest = Buffer.from(cut.rest)
  const header = Uint32Array.of(FORM, json.length, scores.length, pieces.length, rest.length, 0)
  const parts = [header, scores, pieces, children, units, rest]
  return Buffer.concat(
    parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
}

/** Undefined where there is none, or one of another form or another `tokenizer.json`, which is to be read itself then. */
export async function readPacked(
  packedPath: string,
  jsonPath: string,
): Promise<PackedTokenizer | undefined> {
  const [bytes, json] = await Promise.all([
    orAbsent(readFile(packedPath)),
    orAbsent(stat(jsonPath)),
  ])
  if (!bytes || !json || bytes.length < HEADER * 4 || bytes.byteOffset % FLOAT64 !== 0)
    return undefined
  const [form, jsonBytes, pieces = 0, nodes = 0, restBytes = 0] = new Uint32Array(
    bytes.buffer,
    bytes.byteOffset,
    HEADER,
  )
  const whole = HEADER * 4 + pieces * FLOAT64 + nodes * 4 + (nodes + 1) * 4 + nodes * 2 + restBytes
  if (form !== FORM || jsonBytes !== json.size || bytes.length !== whole) return undefined
  let at = bytes.byteOffset + HEADER * 4
  const next = (length: number) => {
    at += length
    return at - length
  }
  const tables = {
    scores: new Float64Array(bytes.buffer, next(pieces * FLOAT64), pieces),
    pieces: new Uint32Array(bytes.buffer, next(nodes * 4), nodes),
    children: new Uint32Array(bytes.buffer, next((nodes + 1) * 4), nodes + 1),
    units: new Uint16Array(bytes.buffer, next(nodes * 2), nodes),
  }
  return { tables, rest: bytes.toString('utf8', at - bytes.byteOffset) }
}

async function orAbsent<Result>(found: Promise<Result>): Promise<Result | undefined> {
  return await found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
