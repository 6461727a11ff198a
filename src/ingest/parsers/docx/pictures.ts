import { posix } from 'node:path'
import type { ZipArchive } from '../../detection/zip.ts'
import { type Picture, picturesIn } from '../embedded-pictures.ts'

/** Some versions of Word number it. */
const MAIN_PART = /^word\/document\d*\.xml$/

/** A picture as Word writes it, and as older programs and WPS do. */
const PICTURE = /<a:blip\b[^>]*\br:embed="([^"]+)"|<v:imagedata\b[^>]*\br:id="([^"]+)"/g
const RELATIONSHIP = /<Relationship\b[^>]*>/g

/** The pictures in the text of a Word file, in order, each once. */
export async function docxPictures(archive: ZipArchive): Promise<readonly Picture[]> {
  const main = archive.entryNames.find(name => MAIN_PART.test(name)) ?? ''
  const targets = await pictureTargets(archive, main)
  const xml = targets.size > 0 ? ((await archive.read(main))?.toString('utf8') ?? '') : ''
  const parts = [...xml.matchAll(PICTURE)].map(([, drawn, older]) => targets.get(drawn ?? older ?? ''))
  return picturesIn(archive, new Set(parts.filter(part => part !== undefined)))
}

/** The parts that hold pictures, by the ids of their relations. */
async function pictureTargets(archive: ZipArchive, main: string): Promise<ReadonlyMap<string, string>> {
  const xml = (await archive.read(`word/_rels/${posix.basename(main)}.rels`))?.toString('utf8') ?? ''
  const targets = new Map<string, string>()
  for (const [element] of xml.matchAll(RELATIONSHIP)) {
    const value = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1]
    const [id, type, target] = [value('Id'), value('Type'), value('Target')]
    if (!id || !target || !type?.endsWith('/image') || value('TargetMode') === 'External') continue
    targets.set(id, target.startsWith('/') ? target.slice(1) : posix.join('word', target))
  }
  return targets
}
