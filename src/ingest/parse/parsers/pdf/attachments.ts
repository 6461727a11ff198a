import path from 'node:path'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { z } from 'zod'
import { localizable, withMessage } from '../../../../errors/localizable.ts'
import type { ParserEvent, ParserInput } from '../../parser.ts'
import { AttachedFiles } from '../attached-files.ts'
import type { Annotation } from './fields.ts'

/** Protects against generated files; portfolios hold some dozens. */
const MAX_ATTACHMENTS = 1_000
/** File systems allow 255 bytes, so that a name is valid. */
const MAX_NAME_CHARS = 100

const ATTACHED = z.object({ filename: z.string().catch(''), content: z.instanceof(Uint8Array) })

type Attached = z.infer<typeof ATTACHED>

export async function listAttachments(
  document: PDFDocumentProxy,
  annotations: readonly Annotation[],
): Promise<readonly Attached[]> {
  const listed: unknown = await document.getAttachments().catch(() => null) // damaged: the pages still have their text
  const files = [...Object.values(listed ?? {}), ...annotations.map(({ file }) => file)]
  return files.flatMap(file => {
    const { data } = ATTACHED.safeParse(file)
    return data ? [data] : []
  })
}

export async function* emitAttachments(
  attached: readonly Attached[],
  page: number,
  input: ParserInput,
): AsyncGenerator<ParserEvent> {
  const omitted = attached.length - MAX_ATTACHMENTS
  if (omitted > 0) {
    const message = localizable`${omitted} attachments were left out: at most ${MAX_ATTACHMENTS} of a PDF are read.`
    yield { type: 'warning', warning: withMessage({ code: 'too_large' }, message) }
  }
  const files = new AttachedFiles(input)
  for (const [index, { filename, content }] of attached.slice(0, MAX_ATTACHMENTS).entries()) {
    const name = files.claimName(cleanName(filename) || `attachment ${index + 1}`)
    yield { type: 'block', block: { kind: 'list', text: name, page } }
    yield* await files.write(name, content)
  }
}

function cleanName(written: string): string {
  const base = path.posix.basename(written.replaceAll('\\', '/'))
  const { name, ext } = path.parse(base.replace(/\p{Cc}/gu, '').trim())
  return name.slice(0, MAX_NAME_CHARS) + ext.slice(0, MAX_NAME_CHARS)
}
