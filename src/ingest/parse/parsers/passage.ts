import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'

/** Documents that programs pass: `{"title": "…", "text": "…"}`. */
export const PASSAGE_MEDIA_TYPE = 'application/vnd.passim.passage+json'

const passageSchema = z.object({ title: z.string().default(''), text: z.string() })

export const passageParser: Parser = {
  id: 'passage@1',
  mediaTypes: [PASSAGE_MEDIA_TYPE],
  async *parse({ path, name }: ParserInput): AsyncGenerator<ParserEvent> {
    const passage = passageSchema.safeParse(parseJson(await readFile(path, 'utf8')))
    if (!passage.success)
      throw new AppError('corrupt', localizable`${name} is not a passage: it needs a "text".`)
    const { title, text } = passage.data
    yield { type: 'metadata', metadata: { title } }
    for (const paragraph of text.split(/\n\s*\n/)) {
      if (paragraph.trim())
        yield { type: 'block', block: { kind: 'paragraph', text: paragraph.trim() } }
    }
    if (!text.trim()) throw new AppError('no_text', localizable`${name} has no text.`)
  },
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
