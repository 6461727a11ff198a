import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // what the flag brings

/** Frees all memory of this process that nothing holds. */
export async function collectGarbage(): Promise<void> {
  await setImmediate() // what was awaited is held until then
  collect()
}
