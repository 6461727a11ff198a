import type { Block } from '../../../block.ts'
import type { CompoundFile } from '../../detection/ole2.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText, warnOfHiddenText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { parseCompoundWith } from '../ole2/compound-document.ts'
import { readSummary } from '../ole2/summary.ts'
import { hasMoreThanPageNumber } from '../page-furniture.ts'
import { StoryReader } from './story.ts'
import { openWordFile, readPositions, type Story, TABLE, type WordFile } from './word-file.ts'

/** Separators of notes before the first header ([MS-DOC] 2.3.4). */
const SEPARATORS = 6
/** Size of a reference to a comment, and the place of its author in it. */
const COMMENT_BYTES = 30
const COMMENT_AUTHOR_AT = 20

export const docParser: Parser = {
  id: 'doc@6',
  mediaTypes: ['application/msword'],
  parse: parseCompoundWith(readDoc),
}

async function* readDoc(
  compound: CompoundFile,
  input: ParserInput,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const file = await openWordFile(compound, input.name)
  const skipped = new SkippedText()
  yield { type: 'metadata', metadata: await readSummary(compound, skipped) }
  skipped.add('variables', countStrings(file.readTable(TABLE.variables)))
  skipped.add('embedded objects', compound.find('ObjectPool')?.entries.size ?? 0)
  const notes = numberNotes(file)
  const reader = new StoryReader(file, notes, skipped)
  yield* toBlockEvents(readDocument(file, reader, notes), input.name, signal)
  const boxes = readPositions(file.readTable(TABLE.boxTexts), 22).length - 2
  skipped.add('drawings', reader.drawings - Math.max(0, boxes))
  yield* warnOfHiddenText(reader.hidden)
  yield* skipped.listWarnings()
}

function numberNotes(file: WordFile): ReadonlyMap<number, number> {
  const places = [TABLE.noteReferences, TABLE.endnoteReferences].flatMap(table =>
    readPositions(file.readTable(table), 2).slice(0, -1),
  )
  return new Map(places.toSorted((a, b) => a - b).map((place, index) => [place, index + 1]))
}

function* readDocument(
  file: WordFile,
  reader: StoryReader,
  numbers: ReadonlyMap<number, number>,
): Iterable<Block> {
  const { stories } = file
  yield* reader.read(stories.text)
  for (const [references, texts, story] of [
    [TABLE.noteReferences, TABLE.noteTexts, stories.notes],
    [TABLE.endnoteReferences, TABLE.endnoteTexts, stories.endnotes],
  ] as const) {
    const places = readPositions(file.readTable(references), 2)
    for (const [index, part] of listParts(readPositions(file.readTable(texts), 0), story).entries())
      yield* numberNote(reader.read(part), numbers.get(places[index] ?? -1))
  }
  const comments = listParts(readPositions(file.readTable(TABLE.commentTexts), 0), stories.comments)
  const authors = listCommentAuthors(file)
  for (const [index, part] of comments.entries()) {
    const author = authors[index]
    for (const block of reader.read(part))
      yield { ...toPlain(block), text: `Comment${author ? ` by ${author}` : ''}: ${block.text}` }
  }
  yield* reader.read(stories.boxes)
  yield* readFurniture(file, reader)
}

/** Each reference states its place in the list of names ([MS-DOC] 2.9.6). */
function listCommentAuthors(file: WordFile): readonly (string | undefined)[] {
  const list = file.readTable(TABLE.commentAuthors)
  const names: string[] = []
  for (let index = 0; index + 2 <= list.length; ) {
    const end = index + 2 + list.readUInt16LE(index) * 2
    names.push(
      list
        .subarray(index + 2, end)
        .toString('utf16le')
        .trim(),
    )
    index = end
  }
  const references = file.readTable(TABLE.commentReferences)
  const count = readPositions(references, COMMENT_BYTES).length - 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const place = (count + 1) * 4 + index * COMMENT_BYTES + COMMENT_AUTHOR_AT
    return place + 2 <= references.length ? names[references.readUInt16LE(place)] : undefined
  })
}

/** Counts the strings of an extended table ([MS-DOC] 2.2.4). */
function countStrings(table: Buffer): number {
  return table.length >= 4 && table.readUInt16LE(0) === 0xffff ? table.readUInt16LE(2) : 0
}

/** The last position lies behind the last part. */
function listParts(positions: readonly number[], { start, end }: Story): readonly Story[] {
  if (start >= end) return []
  return positions.slice(0, -1).flatMap((position, index) => {
    const part = {
      start: start + position,
      end: Math.min(end, start + (positions[index + 1] ?? 0)),
    }
    return part.start < part.end ? [part] : []
  })
}

function* numberNote(blocks: Iterable<Block>, number: number | undefined): Iterable<Block> {
  let isFirst = true
  for (const block of blocks) {
    const mark = isFirst && number ? `${number}. ` : '  '
    yield block.rows ? block : { kind: 'list', text: mark + block.text.trim() }
    isFirst = false
  }
}

/** Reads each text once; sections repeat them. */
function* readFurniture(file: WordFile, reader: StoryReader): Iterable<Block> {
  const texts = new Set<string>()
  const positions = readPositions(file.readTable(TABLE.headers), 0).slice(SEPARATORS)
  for (const part of listParts(positions, file.stories.headers)) {
    for (const block of reader.read(part)) {
      if (!texts.has(block.text) && hasMoreThanPageNumber(block.text)) yield toPlain(block)
      texts.add(block.text)
    }
  }
  yield* reader.read(file.stories.headerBoxes)
}

/** A heading beside the text is none of the document. */
function toPlain(block: Block): Block {
  return block.rows ? block : { kind: 'paragraph', text: block.text.trim() }
}
