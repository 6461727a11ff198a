import { localizable, withMessage } from '../../../errors/localizable.ts'
import { ZipArchive } from '../detection/zip.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { AttachedFiles } from './attached-files.ts'
import { toBlockEvents } from './block-events.ts'

/** Limit of attachments of one document. */
const MAX_FILES = 1_000
/** Resource forks of macOS, and caches of Windows and macOS. */
const BY_PROGRAMS = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/

export const zipParser: Parser = { id: 'zip@2', mediaTypes: ['application/zip'], parse: parseZip }

async function* parseZip(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const archive = await ZipArchive.open(input.path, input.name, input.countBytes)
  try {
    archive.refuseBombs()
    const names = archive.entryNames.filter(name => !name.endsWith('/') && !BY_PROGRAMS.test(name))
    const read = names.slice(0, MAX_FILES)
    const blocks = read.map(text => ({ kind: 'list' as const, text: text.trim() || '(no name)' }))
    const heading = { kind: 'heading' as const, level: 1, text: input.name }
    yield* toBlockEvents(blocks.length > 0 ? [heading, ...blocks] : [], input.name, signal)
    const files = new AttachedFiles(input)
    for (const name of read) {
      signal?.throwIfAborted()
      const bytes = await archive.read(name)
      if (bytes) yield* await files.add(name, bytes)
    }
    if (names.length > read.length) yield buildOmissionWarning(names.length - read.length)
  } finally {
    archive.close()
  }
}

function buildOmissionWarning(count: number): ParserEvent {
  const message = localizable`${count} files were left out: at most ${MAX_FILES} of an archive are read. Unpack it and add the folder.`
  return { type: 'warning', warning: withMessage({ code: 'too_large' }, message) }
}
