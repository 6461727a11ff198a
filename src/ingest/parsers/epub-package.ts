import { posix } from 'node:path'
import { AppError } from '../../errors.ts'
import type { ZipArchive } from '../detection/zip.ts'
import { isoDate } from '../iso-date.ts'
import type { Metadata } from '../parser.ts'
import { at, descendants, elements, textOf, type XmlElement, xmlTree } from './xml-tree.ts'

/** What a book says of itself: its chapters in reading order, each the path of an entry. */
export type Book = { readonly metadata: Metadata; readonly chapters: readonly string[] }

const CONTAINER = 'META-INF/container.xml'

/** Encryption that hides no text, but only which fonts are used. */
const FONT_OBFUSCATION = /^http:\/\/(www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/

/** Throws `corrupt` for what is no book and `encrypted` for one under digital rights management. */
export async function readBook(archive: ZipArchive, name: string): Promise<Book> {
  await refuseEncrypted(archive, name)
  const container = await tree(archive, CONTAINER, name)
  const [rootFile] = descendants(container, 'rootfile')
  const path = rootFile?.attributes['full-path'] ?? ''
  const root = await tree(archive, path, name)
  if (!root) throw new AppError('corrupt', `Cannot read ${name}: its package file ${path} is missing.`)
  return { metadata: metadataOf(at(root, 'metadata')), chapters: chaptersOf(root, posix.dirname(path)) }
}

async function tree(archive: ZipArchive, part: string, name: string): Promise<XmlElement | undefined> {
  const bytes = archive.stream(part)
  return bytes && xmlTree({ name, part, bytes })
}

async function refuseEncrypted(archive: ZipArchive, name: string): Promise<void> {
  const encryption = await tree(archive, 'META-INF/encryption.xml', name)
  const methods = [...descendants(encryption, 'EncryptedData')].map(data => at(data, 'EncryptionMethod')?.attributes)
  if (methods.every(method => FONT_OBFUSCATION.test(method?.Algorithm ?? ''))) return
  throw new AppError(
    'encrypted',
    `${name} is protected against reading elsewhere (DRM). Add a copy without protection.`,
  )
}

/** The spine in its order. The contents list repeats the headings and is left out. */
function chaptersOf(root: XmlElement, folder: string): readonly string[] {
  const items = new Map(elements(at(root, 'manifest'), 'item').map(item => [item.attributes.id, item.attributes]))
  const chapters = elements(at(root, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const item = items.get(attributes.idref)
    const isChapter =
      item?.href && /html|xml|^$/.test(item['media-type'] ?? '') && !/\bnav\b/.test(item.properties ?? '')
    return isChapter ? [entryOf(item.href!, folder)] : []
  })
  return [...new Set(chapters)]
}

/** The entry that a reference in a file of this folder is to. */
export function entryOf(reference: string, folder: string): string {
  return posix.join(folder, decoded(reference.split('#')[0]!)) // splitting gives at least one part
}

/** References are URLs; a stray per cent sign stands for itself. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

function metadataOf(metadata: XmlElement | undefined): Metadata {
  const first = (name: string) => textOf(elements(metadata, name)[0]).trim() || undefined
  const all = elements(metadata, 'creator').map(creator => textOf(creator).trim())
  const modified = elements(metadata, 'meta').find(meta => meta.attributes.property === 'dcterms:modified')
  return {
    title: first('title'),
    author: all.filter(Boolean).join(', ') || undefined,
    language: first('language'),
    created: isoDate(first('date')),
    modified: isoDate(textOf(modified)),
  }
}
