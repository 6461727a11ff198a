import { AppError } from '../../errors.ts'
import type { Tool } from '../tool.ts'

export type ToolFactory = (config: Readonly<Record<string, unknown>>) => Tool

export type ToolSpec =
  | string
  | Tool
  | { readonly name: string; readonly [setting: string]: unknown }

type RegisterOptions = {
  readonly onOverwrite?: (name: string) => void
}

/** Immutable; `register` returns a new one. */
export class ToolRegistry {
  readonly #factories: ReadonlyMap<string, ToolFactory>

  constructor(factories: Iterable<readonly [string, ToolFactory]> = []) {
    this.#factories = new Map(factories)
  }

  get names(): readonly string[] {
    return [...this.#factories.keys()]
  }

  /** Throws `conflict` for an existing name without `onOverwrite`. */
  register(
    name: string,
    factory: ToolFactory,
    { onOverwrite }: RegisterOptions = {},
  ): ToolRegistry {
    if (this.#factories.has(name)) {
      if (!onOverwrite)
        throw new AppError('conflict', `There is a tool ${name} already. Choose another name.`)
      onOverwrite(name)
    }
    return new ToolRegistry([...this.#factories, [name, factory]])
  }

  get(spec: ToolSpec): Tool {
    if (isTool(spec)) return spec
    const { name, ...config } = typeof spec === 'string' ? { name: spec } : spec
    const factory = this.#factories.get(name)
    if (factory) return factory(config)
    if (typeof name !== 'string')
      throw new AppError(
        'invalid_input',
        'A tool is a name, an object with a name, or a tool of yours. MCP servers belong to agent().',
      )
    throw new AppError(
      'not_found',
      `There is no tool ${name}. There are: ${this.names.join(', ') || 'none'}.`,
    )
  }

  /** Throws `invalid_input`, `not_found`, or `conflict` for equal names. */
  resolve(specs: readonly ToolSpec[]): readonly Tool[] {
    requireList(specs)
    const tools = specs.map((spec: ToolSpec) => this.get(spec))
    requireDistinct(tools)
    return tools
  }
}

export function requireList(specs: readonly unknown[]): void {
  if (!Array.isArray(specs))
    throw new AppError('invalid_input', 'tools is a list: each tool has its name in itself.')
}

export function requireDistinct(named: readonly { readonly name: string }[], what = 'tools'): void {
  const twice = named.find(
    (tool, index) => named.findIndex(other => other.name === tool.name) !== index,
  )
  if (twice)
    throw new AppError(
      'conflict',
      `Two ${what} are called ${twice.name}. Give each a name of its own.`,
    )
}

function isTool(spec: ToolSpec): spec is Tool {
  return typeof spec === 'object' && typeof spec.call === 'function'
}
