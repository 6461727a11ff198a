import { availableParallelism } from 'node:os'
import { z } from 'zod'

const MEBIBYTE = 1024 * 1024

/** What reading a file may cost. */
const parsingSchema = z
  .strictObject({
    /** Parser processes, at most. */
    processes: z.int().min(1).default(Math.min(4, availableParallelism())),
    /** Longest a document may take, in milliseconds of processor time; as long it may stand still between what it gives, and ten times as long for a disk. */
    timeMs: z.int().min(1).default(120_000),
    /** And so much longer for every MiB of its file, in milliseconds. */
    timePerMebibyteMs: z.int().min(0).default(1_000),
    /** Largest a parser process may grow, in bytes. */
    memoryBytes: z
      .int()
      .min(64 * MEBIBYTE)
      .default(512 * MEBIBYTE),
    /** The same of all parser processes together: one file that needs most of it at a time, beside others that are small. */
    totalMemoryBytes: z
      .int()
      .min(128 * MEBIBYTE)
      .default((256 + 128 * Math.min(4, availableParallelism())) * MEBIBYTE),
    /** Most text a document may yield, in bytes. */
    outputBytes: z
      .int()
      .min(1)
      .default(4_096 * MEBIBYTE),
  })
  .prefault({})

/** How pictures of text are read. */
const ocrSchema = z
  .strictObject({
    /** Which pages are read by OCR: those with a picture and almost no text, none, or all with a picture. */
    mode: z.enum(['auto', 'off', 'always']).default('auto'),
    /** `auto` reads by tesseract.js, and by PP-OCR what that is not sure of. */
    engine: z.enum(['auto', 'tesseract', 'pp-ocr']).default('auto'),
    /** Of tesseract.js: names of packages under `@tesseract.js-data`. */
    languages: z
      .array(z.string().regex(/^[a-z][a-z_]{2,20}$/))
      .min(1)
      .default(['eng', 'chi_sim']),
    /** Longest that one page may take, in milliseconds of processor time; not counted as time of the document. */
    pageTimeMs: z.int().min(1).default(120_000),
    /** How much more than `parsing.memoryBytes` a parser process may grow once a picture of its file is read, in bytes. */
    memoryBytes: z
      .int()
      .min(0)
      .default(512 * MEBIBYTE),
  })
  .prefault({})

export const parsingSettings = { parsing: parsingSchema, ocr: ocrSchema }
