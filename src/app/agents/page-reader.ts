import { readFile } from 'node:fs/promises'
import type { PageReader } from '../../agent/tools/read-pages.ts'
import { cropPicture } from '../../ingest/page-crop.ts'
import { MAX_PICTURE_WIDTH } from '../../ingest/page-pictures.ts'
import type { Pages } from '../pages.ts'

/** Pages as `read_pages` shows them: a part is cut from the page drawn as large as it can be. */
export function pageReader(pages: Pages): PageReader {
  return {
    text: async (document, page, signal) => (await pages.read(document, page, signal)).text,
    async picture(document, page, { width, box }, signal) {
      if (!box) return await readFile(await pages.picture(document, page, width, signal))
      const share = (at: number) => box[at]! / 1000 // it has four
      const file = await pages.picture(document, page, MAX_PICTURE_WIDTH, signal)
      return await cropPicture(file, [share(0), share(1), share(2), share(3)], width)
    },
  }
}
