import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { generatedText } from './generated-text.ts'
import { zipfText } from './zipf-text.ts'

/** Sentences of a paragraph. */
const PARAGRAPH_SENTENCES = 6

/**
 * Write a text of about so many bytes, paragraphs of English and Chinese in turn: words as rare as in a real language,
 * and names that are found once each, so that the dictionary grows to the end.
 */
export async function writeLargeText(file: string, bytes: number): Promise<void> {
  const stream = createWriteStream(file)
  let written = 0
  for (let seed = 0; written < bytes; seed++) {
    const { isChinese, sentences } = zipfText(seed, 60)
    const paragraphs = Array.from({ length: sentences.length / PARAGRAPH_SENTENCES }, (_, index) =>
      sentences.slice(index * PARAGRAPH_SENTENCES, (index + 1) * PARAGRAPH_SENTENCES).join(isChinese ? '' : ' '),
    )
    const text = `${[...paragraphs, generatedText(seed, 400)].join('\n\n')}\n\n`
    written += Buffer.byteLength(text)
    if (!stream.write(text)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
}
