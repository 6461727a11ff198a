import { getMessages, localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { isDataUri } from '../../system/data-uri.ts'
import { requireScope } from '../http/access.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { type Content, isFileOrImage, type Part } from './content-parts.ts'

const FILE_BY_ID =
  'give the file_id of a file that was uploaded to /v1/files, or its bytes as base64 in file_data'

/** Files per request, so that storing and fetching stay bounded. */
const MAX_FILES = 64

type PartPath = readonly [content: number, part: number, ...fields: string[]]

type ToPlace = (...fields: readonly string[]) => string

/** Stores files and checks images; parts then name file ids. */
export async function storeFiles(
  c: RequestContext,
  contents: readonly Content[],
  toPlace: (path: PartPath) => string,
): Promise<readonly Content[]> {
  const files = contents.flatMap(content =>
    typeof content === 'string' ? [] : content.filter(isFileOrImage),
  )
  if (files.length > MAX_FILES)
    throw createInvalid(localizable`A request may contain at most ${MAX_FILES} files and images.`)
  const stored: Content[] = []
  for (const [index, content] of contents.entries()) {
    if (typeof content === 'string') stored.push(content)
    else {
      const parts: Part[] = []
      for (const [partIndex, part] of content.entries()) {
        const place = (...fields: readonly string[]) => toPlace([index, partIndex, ...fields])
        parts.push(await storePart(c, part, place))
      }
      stored.push(parts)
    }
  }
  return stored
}

async function storePart(c: RequestContext, part: Part, place: ToPlace): Promise<Part> {
  switch (part.type) {
    case 'input_file':
      return { type: part.type, file_id: await storeFile(c, part, place('file_id')) }
    case 'file':
      return {
        type: part.type,
        file: { file_id: await storeFile(c, part.file, place('file', 'file_id')) },
      }
    case 'input_image':
      return { ...part, image_url: await checkImage(c, part.image_url, place('image_url')) }
    case 'image_url':
      return {
        ...part,
        image_url: {
          ...part.image_url,
          url: await checkImage(c, part.image_url.url, place('image_url', 'url')),
        },
      }
    default:
      return part
  }
}

/** Throws what the client can fix. */
async function checkImage(c: RequestContext, url: string, name: string): Promise<string> {
  if (isDataUri(url)) return url
  try {
    return await c.get('passim').inlineFiles.requirePublicAddress(url, c.get('signal'))
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled' || error.code === 'timeout')
      throw error
    throw createInvalid(
      localizable`The image cannot be passed to the model: ${getMessages(error).message} Alternatively, send it as a data URI.`,
      name,
    )
  }
}

type FileReference = Partial<
  Pick<Extract<Part, { type: 'input_file' }>, 'file_id' | 'file_data' | 'file_url' | 'filename'>
>

async function storeFile(
  c: RequestContext,
  { file_id: id, file_data, file_url, filename }: FileReference,
  place: string,
): Promise<string> {
  if (id !== undefined) return id
  if (file_data === undefined && file_url === undefined)
    throw createInvalid(localizable`A file is missing: ${FILE_BY_ID}.`, place)
  requireScope(
    c,
    'write',
    'Files that a message brings are stored and indexed to be answered from.',
  )
  const { inlineFiles } = c.get('passim')
  const { signal } = c.var
  const file =
    file_data === undefined
      ? await inlineFiles.fromUrl(file_url!, filename, signal)
      : await inlineFiles.fromData(file_data, filename, signal)
  return file.id
}
