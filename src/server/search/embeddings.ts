import { z } from 'zod'
import { encodingThread } from '../../agent/tokens/encoding-thread.ts'
import { localizable } from '../../errors/localizable.ts'
import type { EmbeddingsJson } from '../../wire/model.ts'
import type { RequestContext } from '../http/context.ts'
import { createNoModel, createUnsupported } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { markTolerant, markWithoutEffect } from '../http/parameters.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'

/** Name of the embedder of any service. */
const EMBEDDER = 'passim-embedder'

const MAX_INPUTS = 2_048

/** OpenAI's limit of 8,192 tokens per input. */
const MAX_TOKENS = 8_192

/** Last text token of cl100k_base; the limit of its decoder. */
const LAST_TOKEN = 100_255

const NO_TOKEN =
  'not a token of cl100k_base, which OpenAI’s embedding models read: send those, or text'
const tokensSchema = z.array(z.int().min(0).max(LAST_TOKEN, NO_TOKEN)).min(1).max(MAX_TOKENS)

const embeddingInputSchema = z.union([
  z.string().min(1),
  z.array(z.string().min(1)).min(1).max(MAX_INPUTS),
  tokensSchema,
  z.array(tokensSchema).min(1).max(MAX_INPUTS),
])

type EmbeddingInput = z.output<typeof embeddingInputSchema>

const embeddingsSchema = markTolerant(
  z.strictObject({
    input: embeddingInputSchema.describe(
      'One text or several, each as a string or as token numbers of cl100k_base.',
    ),
    model: z
      .string()
      .describe(
        `Name of the embedder as in \`GET /v1/models\`, \`${EMBEDDER}\` for the one of this service, or one of the setting \`server.embeddingAliases\`.`,
      ),
    encoding_format: z
      .enum(['float', 'base64'])
      .default('float')
      .describe(
        'Encoding of the vectors: `float` for numbers (the default), or `base64` of little-endian float32.',
      ),
    dimensions: z
      .int()
      .min(1)
      .optional()
      .describe('Length of the vectors. Must be the length of the model, which is the default.'),
    input_type: z
      .enum(['query', 'passage'])
      .default('passage')
      .describe(
        'Extension of Passim: whether the texts are questions (`query`) or passages (`passage`, the default). The model embeds them differently.',
      ),
    user: markWithoutEffect(z.string(), 'the API key identifies the caller'),
  }),
)

export const embeddingRoutes: Routes = {
  'POST /v1/embeddings': {
    summary: 'Create embeddings of texts',
    body: embeddingsSchema,
    example: {
      model: EMBEDDER,
      input: ['What may a hotel cost?'],
      encoding_format: 'float',
      input_type: 'query',
    },
    answer: 'Embeddings',
    mayFailUpstream: true,
    reply: embed,
  },
}

async function embed(c: RequestContext): Promise<Response> {
  const { texts: models } = c.var.passim
  const { input, encoding_format, dimensions, input_type, ...named } = await readBody(
    c,
    embeddingsSchema,
  )
  requireEmbedder(c, named.model)
  const { embedderId: model } = models
  if (dimensions !== undefined && dimensions !== models.dimensions) {
    throw createUnsupported(
      localizable`${model} supports only ${models.dimensions} dimensions.`,
      'dimensions',
    )
  }
  const { vectors, tokens } = await models.embed(
    await readTexts(input, c.var.signal),
    input_type,
    c.var.signal,
  )
  const encode = encoding_format === 'base64' ? toBase64 : (vector: Float32Array) => [...vector]
  const list = vectors.map((vector, index) => ({
    object: 'embedding' as const,
    index,
    embedding: encode(vector),
  }))
  return streamJson<EmbeddingsJson>(c, {
    object: 'list',
    data: list,
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  })
}

/** Refuses another model's name: its vectors would differ. */
function requireEmbedder(c: RequestContext, name: string): void {
  const { texts, settings } = c.var.passim
  const { embeddingAliases } = settings.server
  if ([EMBEDDER, ...texts.embedderNames, ...embeddingAliases].includes(name)) return
  const { dimensions } = texts
  const size = dimensions > 0 ? localizable` (${dimensions} dimensions)` : ''
  throw createNoModel(
    name,
    localizable`This service embeds with ${texts.embedderId}${size}: send that name or ${EMBEDDER}. To make ${name} another name for it, the operator adds it to the setting server.embeddingAliases.`,
  )
}

/** Encodes little-endian float32, the default of OpenAI's client. */
function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

/** Decodes OpenAI's tokens, which LangChain and others send. */
async function readTexts(input: EmbeddingInput, signal: AbortSignal): Promise<readonly string[]> {
  if (typeof input === 'string') return [input]
  const decode = (ids: readonly number[]) => encodingThread.decode('cl100k_base', ids, signal)
  const [first] = input
  if (typeof first === 'number') return [await decode(input as number[])]
  const items = input as (string | number[])[]
  return await Promise.all(items.map(item => (typeof item === 'string' ? item : decode(item))))
}
