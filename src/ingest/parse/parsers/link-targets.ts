import { type Block, MAX_REPEATED_CHARS } from '../../block.ts'

const WITHOUT_DOCUMENT = /^(?:javascript|vbscript|data|blob|about):|^#|^$/i

/** Length of a target, so that one address with its parameters does not exclude others. */
const MAX_TARGET_CHARS = 200

export function toLinks(targets: readonly string[], text: string): Pick<Block, 'links'> {
  const links = new Set<string>()
  let chars = 0
  for (const target of targets) {
    const formatted = formatTarget(target)
    chars += formatted.length
    if (chars > MAX_REPEATED_CHARS) break
    if (formatted && !text.includes(formatted)) links.add(formatted)
  }
  return links.size > 0 ? { links: [...links] } : {}
}

function formatTarget(target: string): string {
  const trimmed = target.trim()
  if (WITHOUT_DOCUMENT.test(trimmed)) return ''
  const address = /^(?:mailto|tel):([^?]*)/i.exec(trimmed)?.[1] ?? trimmed
  return decodeAddress(address).slice(0, MAX_TARGET_CHARS)
}

function decodeAddress(address: string): string {
  try {
    return decodeURI(address)
  } catch (error) {
    if (error instanceof URIError) return address
    throw error
  }
}
