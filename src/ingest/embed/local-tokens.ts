import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { getLast } from '../../system/items.ts'
import { buildUnigramTables, type UnigramTables } from '../chunk/tokens/unigram.ts'
import { packVocabulary } from '../chunk/tokens/vocabulary.ts'
import type { TokenCounter, Tokenizer } from '../chunk/tokens.ts'
import { readUnigramTokenizer } from './unigram-tokenizer.ts'

export async function loadTokenCounter(modelPath: string): Promise<TokenCounter> {
  const tokenizer = await loadTokenizer(modelPath)
  return { id: `${basename(resolve(modelPath))}@1`, count: text => tokenizer.count(text) }
}

/** Written by bench/tokenizer-tables.ts. Making the tables takes a quarter of a second. */
export const PACKED = 'tokenizer.tables'

export async function loadTokenizer(modelPath: string): Promise<Tokenizer> {
  const path = join(modelPath, 'tokenizer.json')
  const packed = await readPacked(join(modelPath, PACKED), path)
  const packedTokenizer =
    packed && (await readUnigramTokenizer(parse(packed.rest, path), packed.tables))
  if (packedTokenizer) return packedTokenizer
  const json = await readJson(path)
  return (
    (await readUnigramTokenizer(json)) ??
    (await loadLibraryTokenizer(json, await readConfig(modelPath)))
  )
}

async function loadLibraryTokenizer(json: object, config: object): Promise<Tokenizer> {
  const library = await import('@huggingface/tokenizers')
  const tokenizer = new library.Tokenizer(json, config)
  const ids = (text: string, specials: boolean) =>
    tokenizer.encode(text, { add_special_tokens: specials }).ids
  return {
    count: text => ids(text, false).length,
    encode: (text, maxLength) => cut(ids(text, true), maxLength),
  }
}

/** Keeps the last token, from which some models read the vector. */
function cut(ids: readonly number[], maxLength: number): readonly number[] {
  return ids.length <= maxLength ? ids : [...ids.slice(0, maxLength - 1), getLast(ids)]
}

async function readConfig(modelPath: string): Promise<object> {
  const path = join(modelPath, 'tokenizer_config.json')
  return existsSync(path) ? await readJson(path) : {}
}

async function readJson(path: string): Promise<object> {
  const json = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw createUnreadableError(path, cause)
  })
  return parse(json, path)
}

function parse(json: string, path: string): object {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw createUnreadableError(path, cause)
  }
}

function createUnreadableError(path: string, cause: unknown): AppError {
  return new AppError(
    'model_unavailable',
    localizable`Cannot read ${path} of the embedding model. Check the model's directory.`,
    {
      cause,
    },
  )
}

type PackedTokenizer = { readonly rest: string; readonly tables: UnigramTables }

/** Version of the format, so that older tables are ignored. */
const FORM = 1
/**
 * Numbers in the header: form, bytes of `tokenizer.json`, pieces, nodes, bytes of the rest,
 * padding.
 */
const HEADER = 6
const FLOAT64 = Float64Array.BYTES_PER_ELEMENT

export async function packTokenizer(json: Buffer): Promise<Uint8Array | undefined> {
  const tokenizer = JSON.parse(json.toString())
  const { model } = tokenizer
  if (!Array.isArray(model.vocab)) return undefined
  const tables = await buildUnigramTables(packVocabulary(model.vocab))
  const { scores, pieces, children, units } = tables
  const rest = Buffer.from(JSON.stringify({ ...tokenizer, model: { ...model, vocab: [] } }))
  const header = Uint32Array.of(FORM, json.length, scores.length, pieces.length, rest.length, 0)
  const parts = [header, scores, pieces, children, units, rest]
  return Buffer.concat(
    parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
}

/** Returns undefined if the tables are missing or do not match. */
export async function readPacked(
  packedPath: string,
  jsonPath: string,
): Promise<PackedTokenizer | undefined> {
  const [bytes, json] = await Promise.all([
    ignoreMissing(readFile(packedPath)),
    ignoreMissing(stat(jsonPath)),
  ])
  if (!bytes || !json || bytes.length < HEADER * 4 || bytes.byteOffset % FLOAT64 !== 0)
    return undefined
  const [form, jsonBytes, pieces = 0, nodes = 0, restBytes = 0] = new Uint32Array(
    bytes.buffer,
    bytes.byteOffset,
    HEADER,
  )
  const expectedBytes =
    HEADER * 4 + pieces * FLOAT64 + nodes * 4 + (nodes + 1) * 4 + nodes * 2 + restBytes
  if (form !== FORM || jsonBytes !== json.size || bytes.length !== expectedBytes) return undefined
  let offset = bytes.byteOffset + HEADER * 4
  const next = (length: number) => {
    offset += length
    return offset - length
  }
  const tables = {
    scores: new Float64Array(bytes.buffer, next(pieces * FLOAT64), pieces),
    pieces: new Uint32Array(bytes.buffer, next(nodes * 4), nodes),
    children: new Uint32Array(bytes.buffer, next((nodes + 1) * 4), nodes + 1),
    units: new Uint16Array(bytes.buffer, next(nodes * 2), nodes),
  }
  return { tables, rest: bytes.toString('utf8', offset - bytes.byteOffset) }
}

async function ignoreMissing<Result>(found: Promise<Result>): Promise<Result | undefined> {
  return await found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
