import { availableParallelism } from 'node:os'
import { z } from 'zod'

const MEBIBYTE = 1024 * 1024

const parsingSchema = z
  .strictObject({
    processes: z.int().min(1).default(Math.min(4, availableParallelism())),
    /** Processor time of a document, and its maximum silence; ten times as long for a disk. */
    timeMs: z.int().min(1).default(120_000),
    timePerMebibyteMs: z.int().min(0).default(1_000),
    /** Per process. */
    memoryBytes: z
      .int()
      .min(64 * MEBIBYTE)
      .default(512 * MEBIBYTE),
    /** All processes. */
    totalMemoryBytes: z
      .int()
      .min(128 * MEBIBYTE)
      .default((256 + 128 * Math.min(4, availableParallelism())) * MEBIBYTE),
    /** Path of its `soffice`; `auto` looks for it on the PATH. */
    libreOffice: z
      .string()
      .regex(/^(?:auto|off|\/.+)$/)
      .default('auto'),
    /** Text of a document. */
    outputBytes: z
      .int()
      .min(1)
      .default(4_096 * MEBIBYTE),
  })
  .prefault({})

const ocrSchema = z
  .strictObject({
    /** Pages with a picture and almost no text, none, or all with a picture. */
    mode: z.enum(['auto', 'off', 'always']).default('auto'),
    /** Accepted without effect, as `languages`: settings of older versions had a choice. */
    engine: z.enum(['auto', 'tesseract', 'pp-ocr']).optional(),
    languages: z
      .array(z.string().regex(/^[a-z][a-z_]{2,20}$/))
      .min(1)
      .optional(),
    /** Processor time of a page, not counted for the document. */
    pageTimeMs: z.int().min(1).default(120_000),
    /** Additional, while a picture is read. */
    memoryBytes: z
      .int()
      .min(0)
      .default(512 * MEBIBYTE),
  })
  .prefault({})

export const parsingSettings = { parsing: parsingSchema, ocr: ocrSchema }
