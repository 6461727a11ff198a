import type { Settings } from '../../config.ts'
import { ParserProcesses } from '../../ingest/parse/isolation/parser-processes.ts'

/** Needs no store, so that one process can start while the store loads. */
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
