/**
 * How long after a client cancelled the model's request is cut, by client, of a model that has begun to answer and never ends.
 * usage: npx tsx bench/cancels.ts [TIMES 20]
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { CANCELS, ENDLESS } from '../test/clients/cancels.ts'
import { startTravel } from '../test/server/travel.ts'

const times = Number(process.argv[2] ?? 20)
const { server, store, model, close } = await startTravel([ENDLESS])
const place = { baseURL: `${server.url}/v1`, store, fetch }
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
)
for (const [name, ask] of Object.entries(CANCELS)) {
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    const cancel = new AbortController()
    const at = model.requests.length
    const asking = ask(place, cancel.signal, () => {}).catch(() => {}) // most throw when they are cancelled
    const { closed } = await model.request(at)
    const began = performance.now()
    cancel.abort()
    await closed
    took.push(performance.now() - began)
    await asking
  }
  const sorted = took.toSorted((a, b) => a - b)
  console.log(`${name}: ${sorted[Math.floor(times / 2)]?.toFixed(1)} ms, at most ${sorted.at(-1)?.toFixed(1)} ms`)
}
await close()
