import type { Settings } from '../../config.ts'
import { ParserProcesses } from '../../ingest/parse/isolation/isolated-parser.ts'

/** Where files are parsed, as the settings say. Apart from what opens a store: while that is loaded, a process of these can start. */
export function parserProcesses({
  parsing,
  ocr,
}: Pick<Settings, 'parsing' | 'ocr'>): ParserProcesses {
  return new ParserProcesses({
    ...parsing,
    ocrPageTimeMs: ocr.pageTimeMs,
    ocrMemoryBytes: ocr.memoryBytes,
  })
}
