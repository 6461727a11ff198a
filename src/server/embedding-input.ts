import type { Tiktoken } from 'tiktoken/lite'
import { z } from 'zod'
import { openVocabulary } from '../agent/models/openai-vocabulary.ts'

const MAX_INPUTS = 2_048

/** Of one input, as at OpenAI. */
const MAX_TOKENS = 8_192

/** The last of cl100k_base's 100,256 tokens of text; what decodes them does not survive others. */
const LAST_TOKEN = 100_255

const NO_TOKEN = 'not a token of cl100k_base, which OpenAI’s embedding models read: send those, or text'
const tokensSchema = z.array(z.int().min(0).max(LAST_TOKEN, NO_TOKEN)).min(1).max(MAX_TOKENS)

/** One text or many, each as text or as numbers of OpenAI's tokens. */
export const embeddingInputSchema = z.union([
  z.string().min(1),
  z.array(z.string().min(1)).min(1).max(MAX_INPUTS),
  tokensSchema,
  z.array(tokensSchema).min(1).max(MAX_INPUTS),
])

type EmbeddingInput = z.output<typeof embeddingInputSchema>

/** What is to be embedded. */
export function textsOf(input: EmbeddingInput): readonly string[] {
  if (typeof input === 'string') return [input]
  const [first] = input
  if (typeof first === 'number') return [decode(input as number[])] // by the schema, which mixes nothing
  return (input as (string | number[])[]).map(item => (typeof item === 'string' ? item : decode(item)))
}

let vocabulary: Tiktoken | undefined

/** Clients such as LangChain's send tokens of OpenAI's embedding models in place of text; to another model they are text. */
function decode(tokens: readonly number[]): string {
  vocabulary ??= openVocabulary('cl100k_base')
  return new TextDecoder().decode(vocabulary.decode(Uint32Array.from(tokens)))
}
