import type { Block } from '../../../block.ts'
import { readDrawingLine } from '../office/drawing-text.ts'
import type { OoxmlPackage } from '../office/ooxml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from '../office/xml-tree.ts'
import type { SlidePart } from './slide.ts'

export type CommentAuthors = ReadonlyMap<string, string>

export async function readCommentAuthors(
  pack: OoxmlPackage,
  presentation: string,
): Promise<CommentAuthors> {
  const names = new Map<string, string>()
  for (const { type, target } of (await pack.readRelations(presentation)).values()) {
    if (type !== 'commentAuthors' && type !== 'authors') continue
    for (const { attributes } of findChildren(await pack.readTree(target)))
      if (attributes.id && attributes.name) names.set(attributes.id, attributes.name)
  }
  return names
}

/** Supports the forms of PowerPoint 2007 and 2021. */
export async function* readSlideComments(
  { pack, relations }: SlidePart,
  authors: CommentAuthors,
): AsyncGenerator<Block> {
  for (const { type, target } of relations.values()) {
    if (type !== 'comments') continue
    for (const comment of findChildren(await pack.readTree(target), 'cm')) {
      yield* readComment(comment, authors)
      for (const reply of findDescendants(comment, 'reply')) yield* readComment(reply, authors)
    }
  }
}

function* readComment(comment: XmlElement, authors: CommentAuthors): Iterable<Block> {
  const plain = readElementText(findChild(comment, 'text'))
  const text = (plain || readDrawingLine(findChild(comment, 'txBody'))).replace(/\s+/g, ' ').trim()
  const author = authors.get(comment.attributes.authorId ?? '')
  const name = author ? `Comment by ${author}` : 'Comment'
  if (text) yield { kind: 'paragraph', text: `${name}: ${text}` }
}
