import { z } from 'zod'
import { answerSchema, citationSchema } from './answer.ts'
import { boxSchema } from './document.ts'
import { type Json, time } from './schema.ts'

const hexSchema = z.string().describe('Lower-case hex.')

const receiptSchema = z.object({
  format: z.literal('passim-receipt@1'),
  key: hexSchema.describe('Public Ed25519 key of the store, 64 hex digits.'),
  program: z.string().describe('Name and version of the program that signed.'),
  signedAt: time.describe('Time of the signature in RFC 3339.'),
  answeredAt: time.describe('Time of the answer in RFC 3339.'),
  ...answerSchema.pick({ question: true, answer: true, mode: true }).shape,
  outcome: z
    .enum(['answered', 'refused'])
    .describe('`refused` if the documents contain no answer; the quotations are the nearest ones.'),
  sentences: z
    .array(
      z.object({
        text: z.string(),
        markers: z.array(z.int()),
        status: z
          .enum(['stated', 'not-confirmed', 'unsupported', 'uncited'])
          .describe(
            '`stated`: a source states it. `not-confirmed`: no source states or contradicts it. `unsupported`: a source contradicts it, or none supports it. `uncited`: no claim.',
          ),
      }),
    )
    .describe('Sentences of the answer. Empty if it is refused.'),
  quotations: z.array(
    citationSchema.pick({
      marker: true,
      documentId: true,
      page: true,
      boxes: true,
      charStart: true,
      charEnd: true,
      text: true,
      support: true,
    }),
  ),
  documents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      source: z.string(),
      mediaType: z.string(),
      bytes: z.int(),
      sha256: hexSchema.describe('SHA-256 of the original file.'),
      parser: z.string().describe('Name and version of the parser.'),
      characters: z.int().describe('Length of the parsed text in UTF-16 units.'),
      textSha256: hexSchema.describe('SHA-256 of the parsed text in UTF-16LE.'),
    }),
  ),
  pictures: z
    .array(
      z.object({
        documentId: z.string(),
        page: z.int(),
        width: z.number().describe('Width of the page in the unit of the boxes.'),
        height: z.number(),
        boxes: z.array(boxSchema),
        png: z.string().describe('Picture of the page, base64.'),
      }),
    )
    .describe('Pages of the quotations that can be drawn, at most eight.'),
  undrawn: z.array(z.object({ documentId: z.string(), page: z.int(), reason: z.string() })),
})
export type ReceiptJson = Json<typeof receiptSchema>

/** Written by `passim ask --receipt` and `GET /api/answers/{id}/receipt`. */
export const signedReceiptSchema = z.object({
  receipt: receiptSchema,
  signature: hexSchema.describe(
    'Ed25519 signature of the bytes of `receipt` as they are in the file, 128 hex digits.',
  ),
})

/** Written by `passim receipts key --json`. */
export const receiptKeySchema = receiptSchema.pick({ key: true })
export type ReceiptKeyJson = Json<typeof receiptKeySchema>
