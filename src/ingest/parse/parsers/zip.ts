import { localizable, withMessage } from '../../../errors/localizable.ts'
import type { Block } from '../../block.ts'
import { ZipArchive } from '../detection/zip.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { SkippedText } from '../skipped-text.ts'
import { AttachedFiles } from './attached-files.ts'
import { toBlockEvents } from './block-events.ts'

/** Limit of attachments of one document. */
const MAX_FILES = 1_000
/** Bounds what many files with the longest comments have. */
const MAX_COMMENT_CHARS = 1_000
/** Resource forks of macOS, and caches of Windows and macOS. */
const BY_PROGRAMS = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/

export const zipParser: Parser = { id: 'zip@3', mediaTypes: ['application/zip'], parse: parseZip }

async function* parseZip(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const archive = await ZipArchive.open(input.path, input.name, input.countBytes)
  try {
    archive.refuseBombs()
    const names = archive.entryNames.filter(name => !name.endsWith('/') && !BY_PROGRAMS.test(name))
    const read = names.slice(0, MAX_FILES)
    yield* toBlockEvents(listBlocks(archive, read, input.name), input.name, signal)
    const files = new AttachedFiles(input)
    for (const name of read) {
      signal?.throwIfAborted()
      const bytes = await archive.read(name)
      if (bytes) yield* await files.add(name, bytes)
    }
    const skipped = new SkippedText()
    skipped.add('embedded objects', archive.repeatedNames)
    yield* skipped.listWarnings()
    if (names.length > read.length) yield buildOmissionWarning(names.length - read.length)
  } finally {
    archive.close()
  }
}

/** Lists the files with their comments, after the comment of the archive. */
function listBlocks(archive: ZipArchive, names: readonly string[], title: string): Block[] {
  const comment = archive.comment.slice(0, MAX_COMMENT_CHARS).trim()
  if (names.length === 0 && !comment) return []
  const files = names.map((name): Block => {
    const own = archive.readComment(name).slice(0, MAX_COMMENT_CHARS).trim()
    const label = name.trim() || '(no name)'
    return { kind: 'list', text: own ? `${label}: ${own}` : label }
  })
  const about: Block[] = comment ? [{ kind: 'paragraph', text: comment }] : []
  return [{ kind: 'heading', level: 1, text: title }, ...about, ...files]
}

function buildOmissionWarning(count: number): ParserEvent {
  const message = localizable`${count} files were left out: at most ${MAX_FILES} of an archive are read. Unpack it and add the folder.`
  return { type: 'warning', warning: withMessage({ code: 'too_large' }, message) }
}
