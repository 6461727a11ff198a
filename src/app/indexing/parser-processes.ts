import type { Settings } from '../../config.ts'
import { ParserProcesses } from '../../ingest/parse/isolation/isolated-parser.ts'

/** Opens parser processes. Separate from the store, so that one can start while the store loads. */
export function openParserProcesses({
  parsing,
  ocr,
}: Pick<Settings, 'parsing' | 'ocr'>): ParserProcesses {
  return new ParserProcesses({
    ...parsing,
    ocrPageTimeMs: ocr.pageTimeMs,
    ocrMemoryBytes: ocr.memoryBytes,
  })
}
