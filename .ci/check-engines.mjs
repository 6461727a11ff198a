// Fails when a locked package refuses the oldest Node that package.json promises: `npm ci && npm test` must work there.
import { readFileSync } from 'node:fs'
import semver from 'semver'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const floor = semver.minVersion(packages[''].engines.node).version
const refusing = Object.entries(packages).filter(([, { engines }]) => engines?.node && !semver.satisfies(floor, engines.node))

for (const [path, { version, engines }] of refusing) console.error(`${path} ${version} wants Node ${engines.node}, not ${floor}`)
if (refusing.length === 0) console.log(`${Object.keys(packages).length - 1} locked packages accept Node ${floor}`)
process.exitCode = refusing.length === 0 ? 0 : 1
