import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { AppError } from '../../errors.ts'
import { unigramTables } from '../chunk/tokens/unigram.ts'
import { cutVocabulary } from '../chunk/tokens/vocabulary-text.ts'
import type { TokenCounter, Tokenizer } from '../chunk/tokens.ts'
import { readPacked } from './packed-tokenizer.ts'
import { readUnigramTokenizer } from './unigram-tokenizer.ts'

/** Exact token counts of a local model, from the `tokenizer.json` in its directory. Loads in 0.1 s, counts 2 million tokens a second. */
export async function loadTokenCounter(modelPath: string): Promise<TokenCounter> {
  const tokenizer = await loadTokenizer(modelPath)
  return { id: `${basename(resolve(modelPath))}@1`, count: text => tokenizer.count(text) }
}

/** Beside the `tokenizer.json` of the shipped model: made by bench/tokenizer-tables.ts, as making it takes a quarter of a second. */
export const PACKED = 'tokenizer.tables'

/** The tokenizer of a local model: our own for the e5 family, @huggingface/tokenizers (10 to 50 times slower) for any other. */
export async function loadTokenizer(modelPath: string): Promise<Tokenizer> {
  const path = join(modelPath, 'tokenizer.json')
  const packed = await readPacked(join(modelPath, PACKED), path)
  const known = packed && (await readUnigramTokenizer(parse(packed.rest, path), packed.tables))
  if (known) return known
  const file = await readBytes(path)
  const cut = await cutVocabulary(file)
  const quick =
    cut && (await readUnigramTokenizer(parse(cut.rest, path), await unigramTables(cut.vocabulary)))
  if (quick) return quick
  const json = parse(file.toString(), path)
  return (
    (await readUnigramTokenizer(json)) ??
    (await libraryTokenizer(json, await readConfig(modelPath)))
  )
}

async function libraryTokenizer(json: object, config: object): Promise<Tokenizer> {
  const library = await import('@huggingface/tokenizers')
  const tokenizer = new library.Tokenizer(json, config)
  const ids = (text: string, specials: boolean) =>
    tokenizer.encode(text, { add_special_tokens: specials }).ids
  return {
    count: text => ids(text, false).length,
    encode: (text, maxLength) => cut(ids(text, true), maxLength),
  }
}

/** The token that ends a text stays: some models read the whole text in its state. */
function cut(ids: readonly number[], maxLength: number): readonly number[] {
  return ids.length <= maxLength ? ids : [...ids.slice(0, maxLength - 1), ids.at(-1)!] // it has some
}

async function readConfig(modelPath: string): Promise<object> {
  const path = join(modelPath, 'tokenizer_config.json')
  return existsSync(path) ? await readJson(path) : {}
}

async function readJson(path: string): Promise<object> {
  return parse((await readBytes(path)).toString(), path)
}

async function readBytes(path: string): Promise<Buffer> {
  return await readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
}

function parse(json: string, path: string): object {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function unreadable(path: string, cause: unknown): AppError {
  return new AppError(
    'model_unavailable',
    `Cannot read ${path} of the embedding model. Check the model's directory.`,
    {
      cause,
    },
  )
}
