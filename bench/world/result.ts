import { z } from 'zod'

/** One line of a results file: how Passim read a foreign file, beside another reader. */
export const FILE_RESULT = z.object({
  /** Relative to the folder that was read. */
  file: z.string(),
  /** The file's extension in small letters, with its dot. */
  format: z.string(),
  /** `completed`, or the code of the error. */
  outcome: z.string(),
  message: z.string().optional(),
  /** Codes of the warnings of the parser. */
  warnings: z.array(z.string()),
  words: z.number(),
  /** CPU time of the parser's process, in seconds. */
  cpuSeconds: z.number(),
  /** Largest resident memory of the parser's process, in bytes. */
  peakBytes: z.number(),
  /** The reader that it is compared with. */
  reader: z.string().optional(),
  /** What that reader said if it refused the file. */
  readerError: z.string().optional(),
  otherWords: z.number().optional(),
  found: z.number().optional(),
  order: z.number().optional(),
})

export type FileResult = z.infer<typeof FILE_RESULT>
