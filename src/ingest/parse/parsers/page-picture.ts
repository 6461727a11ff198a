import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { drawPagePng, type PageSize } from '../ocr/page-png.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'

export const PAGE_PNG = 'page.png'
export const PAGE_SIZE = 'size.json'

/** Draws a page under the limits of parsing. No file has its media type. */
export const pagePictureParser: Parser = {
  id: 'page-picture@1',
  mediaTypes: ['application/vnd.passim.page-picture'],
  async *parse({
    path,
    name,
    mediaType,
    drawing,
    attachmentsFolder,
  }: ParserInput): AsyncGenerator<ParserEvent> {
    if (!drawing || !attachmentsFolder)
      throw new AppError('internal', localizable`No page of ${name} was named to be drawn.`)
    const { page, width } = drawing
    await mkdir(attachmentsFolder, { recursive: true })
    const target = width === undefined ? undefined : join(attachmentsFolder, PAGE_PNG)
    const size: PageSize = await drawPagePng({
      path,
      name,
      mediaType,
      page,
      width: width ?? 0,
      target,
    })
    await writeFile(join(attachmentsFolder, PAGE_SIZE), JSON.stringify(size))
    if (target) yield { type: 'attachment', attachment: { name: PAGE_PNG, file: PAGE_PNG } }
    yield { type: 'attachment', attachment: { name: PAGE_SIZE, file: PAGE_SIZE } }
  },
}
