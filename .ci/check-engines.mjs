// Fails when a locked package refuses the oldest Node that package.json promises: `npm ci && npm test` must work there.
import { readFileSync } from 'node:fs'
import semver from 'semver'

const [packages, clients] = ['.', 'test/clients'].map(folder => JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')).packages)
const floor = semver.minVersion(packages[''].engines.node).version
const locked = [...Object.entries(packages), ...Object.entries(clients)].filter(([path]) => path !== '')
const refusing = locked.filter(([, { engines }]) => engines?.node && !semver.satisfies(floor, engines.node))

for (const [path, { version, engines }] of refusing) console.error(`${path} ${version} wants Node ${engines.node}, not ${floor}`)
if (refusing.length === 0) console.log(`${locked.length} locked packages accept Node ${floor}`)
process.exitCode = refusing.length === 0 ? 0 : 1
