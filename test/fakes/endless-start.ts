import { setTimeout } from 'node:timers/promises'

/** As on a machine that is far too busy to start a process. */
await setTimeout(600_000)

export { builtinParsers } from './hostile-parsers.ts'
