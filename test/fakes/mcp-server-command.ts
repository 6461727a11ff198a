import { fileURLToPath } from 'node:url'
import { builtModule } from './built-module.ts'

let built: Promise<string> | undefined

/**
 * Returns the command that starts `mcp-server.ts` with tools of such names. It is compiled once for a process of tests: loading
 * it from source takes four times the CPU.
 */
export async function buildMcpServer(
  ...names: readonly string[]
): Promise<{ command: string; args: string[] }> {
  built ??= builtModule(new URL('mcp-server.ts', import.meta.url))
  return { command: process.execPath, args: [fileURLToPath(await built), ...names] }
}
