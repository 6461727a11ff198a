import type { Passage } from '../../search/passages/context.ts'
import { findMarkers } from './markers.ts'

const HEADING =
  /^[\s#>*_-]*(?:sources?|references?|citations?|footnotes?|参考(?:资料|文献|来源)?|来源|资料来源|引用|出处)[\s*_]*[:：]?[\s*_-]*$/i

/** Beside the name, an entry says where: page, section. More is a sentence. */
const MAX_PLACE = 40

/** An answer without the list of sources that a model wrote under it: the citations are that list, checked. */
export function withoutSourceList(text: string, passages: readonly Passage[]): string {
  const lines = text.trimEnd().split('\n')
  let end = lines.length
  while (end > 0 && (isEntry(lines[end - 1]!, passages) || lines[end - 1]!.trim() === '')) end-- // inside the lines
  if (lines.slice(end).every(line => line.trim() === '')) return text
  const body = lines.slice(0, HEADING.test(lines[end - 1] ?? '') ? end - 1 : end)
  return body.join('\n').trimEnd() || text
}

/** A line that begins with the marker of a source and names its document. */
function isEntry(line: string, passages: readonly Passage[]): boolean {
  const [marker] = findMarkers(line)
  if (!marker || !/^[\s>*•-]*$/.test(line.slice(0, marker.span.start))) return false
  const passage = passages.find(({ id }) => id === marker.id)
  const rest = line.slice(marker.span.end).toLowerCase()
  const [before, after] = passage ? rest.split(passage.name.toLowerCase(), 2) : []
  return before !== undefined && after !== undefined && before.length + after.length <= MAX_PLACE
}
