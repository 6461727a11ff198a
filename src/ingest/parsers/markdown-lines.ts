/** Nesting beyond this means nothing to a reader and overflows the lexer. */
const MAX_NESTING = 12

const SECTION_CHARACTERS = 256 * 1024
const MAX_SECTION_CHARACTERS = 1024 * 1024

/** Cut streamed Markdown into sections that can be lexed alone: before a heading, else at a blank line. */
export async function* sections(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let section = ''
  let fence = ''
  for await (const line of lines(pieces)) {
    const isOver = section.length > SECTION_CHARACTERS && fence === '' && /^(#{1,6} .*|\s*)$/.test(line)
    if (isOver || section.length > MAX_SECTION_CHARACTERS) {
      yield section
      section = ''
    }
    fence = fenceAfter(fence, line)
    section += `${shallow(line)}\n`
  }
  yield section
}

async function* lines(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  for await (const piece of pieces) {
    const parts = (rest + piece).replace(/\r\n/g, '\n').split('\n')
    rest = parts.pop() ?? ''
    yield* parts
    for (; rest.length > MAX_SECTION_CHARACTERS; rest = rest.slice(MAX_SECTION_CHARACTERS)) {
      yield rest.slice(0, MAX_SECTION_CHARACTERS)
    }
  }
  if (rest) yield rest
}

/** The marker that opened the code we are in, or nothing. */
function fenceAfter(fence: string, line: string): string {
  const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
  if (!marker) return fence
  if (fence === '') return marker
  return marker[0] === fence[0] && marker.length >= fence.length ? '' : fence
}

const MARKERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/

/** A line with at most so many quote and list markers before its text, and not indented beyond any list. */
function shallow(line: string): string {
  const indent = /^[ \t]*/.exec(line)![0]
  const flat = indent.length > MAX_NESTING * 4 ? line.slice(indent.length - MAX_NESTING * 4) : line
  return flat.replace(MARKERS, markers => {
    const each = markers.match(/[ \t]*(?:>|[-*+]|\d+[.)])/g) ?? []
    return each.length > MAX_NESTING ? each.slice(0, MAX_NESTING).join('') : markers
  })
}
