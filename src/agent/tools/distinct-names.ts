import { digestOf } from '../../system/digest.ts'
import type { Tool } from '../tool.ts'

/** Tools of one origin, as a server. */
export type ToolGroup = { readonly origin: string; readonly tools: readonly Tool[] }

/** Longest name that models take. */
const MAX_NAME = 64
const DIGEST = 8

/**
 * The tools of all origins, no two of one name, and none of a name that is taken: the first keeps its name, another has
 * a digest of where it comes from behind it.
 */
export function distinctlyNamed(
  groups: readonly ToolGroup[],
  taken: readonly string[] = [],
): readonly Tool[] {
  const names = new Set(taken)
  const free = (tool: Tool, origins: readonly string[]) => {
    const others = origins.map(origin => withDigest(tool.name, origin))
    return [tool.name, ...others].find(name => !names.has(name))
  }
  return groups.flatMap(({ origin, tools }) =>
    tools.flatMap((tool, at) => {
      const name = free(tool, [origin, `${origin} ${at}`])
      if (name === undefined) return []
      names.add(name)
      return [name === tool.name ? tool : { ...tool, name }]
    }),
  )
}

/** The name in as many characters as models take, told from others by a digest. */
export function withDigest(name: string, origin: string): string {
  return `${name.slice(0, MAX_NAME - DIGEST - 1)}_${digestOf(origin, name).slice(0, DIGEST)}`
}
