/**
 * Takes a file into a store and dies before it is recorded whose it is.
 * usage: node --import tsx test/fakes/die-adopting.ts HOME FILE
 */
import { storeIn } from './catalog-environment.ts'

const [home, file] = process.argv.slice(2)
const { catalog, content } = await storeIn(home!)
const staging = await content.openStaging()
const staged = await staging.copy(file!)
await catalog.transaction(async inside => {
  await content.adopt(inside, staged)
  process.kill(process.pid, 'SIGKILL')
})
