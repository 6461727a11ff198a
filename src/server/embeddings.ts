import { z } from 'zod'
import type { RequestContext } from './context.ts'
import { embeddingInputSchema, textsOf } from './embedding-input.ts'
import { unsupported } from './errors.ts'
import { readBody } from './input.ts'

export const embeddingsSchema = z.strictObject({
  input: embeddingInputSchema,
  /** One model embeds here, whatever it is called there. */
  model: z.string(),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().min(1).optional(),
  /** Ours: questions and passages are embedded differently. */
  input_type: z.enum(['query', 'passage']).default('passage'),
  user: z.string().optional(),
})

/** `POST /v1/embeddings`: with the model that documents are embedded with. */
export async function embed(c: RequestContext): Promise<Response> {
  const { texts: models } = c.var.passim
  const { input, encoding_format, dimensions, input_type } = await readBody(c, embeddingsSchema)
  const { embedderId: model } = models
  if (dimensions !== undefined && dimensions !== models.dimensions) {
    throw unsupported(`${model} gives ${models.dimensions} dimensions, and no others.`, 'dimensions')
  }
  const { vectors, tokens } = await models.embed(textsOf(input), input_type, c.var.signal)
  const encode = encoding_format === 'base64' ? base64 : (vector: Float32Array) => [...vector]
  const list = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) }))
  return c.json({ object: 'list', data: list, model, usage: { prompt_tokens: tokens, total_tokens: tokens } })
}

/** Little-endian float32, which is what OpenAI's client asks for when its caller asks for nothing. */
function base64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}
