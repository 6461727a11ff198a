import { findProgram, type Settings } from '../../config.ts'
import { createDetector, type Detect } from '../../ingest/parse/detection/detection.ts'
import { addLibreOffice } from '../../ingest/parse/isolation/libreoffice.ts'
import type { ParserProcesses } from '../../ingest/parse/isolation/parser-processes.ts'
import { buildOcrId } from '../../ingest/parse/ocr/availability.ts'
import type { OcrMode, OcrOptions, Parser } from '../../ingest/parse/parser.ts'
import { readablePageParser } from '../../ingest/parse/parsers/html/readable-page.ts'
import { builtinParsers } from '../../ingest/parse/parsers/index.ts'
import { pagePictureParser } from '../../ingest/parse/parsers/page-picture.ts'
import { openParserProcesses } from './open-parser-processes.ts'

export type Parsing = {
  readonly listParsers: (ocr?: OcrMode) => readonly Parser[]
  readonly processes: ParserProcesses
  readonly detect: Detect
  readonly drawer: Parser
  readonly article: Parser
}

/**
 * Runs built-in parsers in child processes, callers' in place. Looks up OCR packages once per
 * mode, because that is slow.
 */
export function openParsing(
  settings: Settings,
  parsers: readonly Parser[] = builtinParsers,
  processes = openParserProcesses(settings),
): Parsing {
  const { ocr } = settings
  const isolated = parsers.map(parser =>
    builtinParsers.includes(parser) ? processes.isolate(parser) : parser,
  )
  const program = findLibreOffice(settings.parsing.libreOffice)
  const { limits } = processes
  const all = program ? addLibreOffice({ program, limits, readers: isolated }) : isolated
  const byMode = new Map<OcrMode, readonly Parser[]>()
  const buildParsers = (mode: OcrMode = ocr.mode) => {
    const parsers = byMode.get(mode) ?? all.map(parser => withOcr(parser, { mode }))
    byMode.set(mode, parsers)
    return parsers
  }
  const drawer = processes.isolate(pagePictureParser)
  const article = processes.isolate(readablePageParser)
  return { listParsers: buildParsers, processes, detect: createDetector(parsers), drawer, article }
}

export function findLibreOffice(setting: string): string | undefined {
  if (setting === 'off') return undefined
  return setting === 'auto' ? findProgram('soffice') : setting
}

/** Adds OCR to the id, so that documents are read again when it changes. */
function withOcr(parser: Parser, options: OcrOptions): Parser {
  if (!parser.usesOcr) return parser
  const id = `${parser.id}+${buildOcrId(options.mode)}`
  const settled = options.mode === 'always' ? {} : { settledId: parser.settledId ?? parser.id }
  return {
    ...parser,
    ...settled,
    id,
    parse: (input, signal) => parser.parse({ ...input, ocr: options }, signal),
  }
}
