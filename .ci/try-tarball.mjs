// Packs Passim (or takes the tarball that is named), installs it into an empty folder with nothing but the npm of this machine, and uses
// it there: --help, index, ask, mcp, the configurations of docs/connect.md. Fails when anything does, or when npm warns. Takes minutes and the registry, so CI does not run it:
//   node .ci/try-tarball.mjs [passim-0.1.0.tgz]
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passim-tarball-')))
const env = { ...process.env, HOME: folder, PASSIM_HOME: path.join(folder, 'store') } // no settings of npm but its own
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const tarball = process.argv[2] ? path.resolve(process.argv[2]) : pack()
console.log(`node ${process.version}, npm ${run('npm', ['--version']).stdout.trim()}: ${tarball}`)
const { stdout, stderr } = run('npm', ['install', '--loglevel=warn', tarball])
const warnings = `${stdout}${stderr}`.split('\n').filter(line => line.startsWith('npm warn'))
check('npm installs it without a warning', warnings.length === 0, warnings.join('\n'))
const bundled = readdirSync(path.join(folder, 'node_modules/passim/node_modules/@lancedb'))
check('it brings no program for the platform that packed it', bundled.join() === 'lancedb', bundled.join())
check('npx passim --help', run('npx', ['passim', '--help']).stdout.includes('Usage: passim'))
writeFileSync(path.join(folder, 'leave.md'), '# Leave\n\nEmployees receive 24 days of leave.')
check('npx passim index', JSON.parse(run('npx', ['passim', 'index', 'leave.md', '--json']).stdout).totals.indexed === 1)
const asked = JSON.parse(run('npx', ['passim', 'ask', 'How many days of leave do employees receive?', '--json']).stdout)
check('npx passim ask', asked.answer.includes('24 days') && asked.citations[0].verified, asked.answer)
writeFileSync(path.join(folder, 'use.mts'), "import { open, toAISDK } from 'passim'\nconsole.log(open, toAISDK)\n")
const strictly = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
const compiler = path.resolve(import.meta.dirname, '../node_modules/typescript/bin/tsc')
check('a program compiles against its types', run('node', [compiler, ...strictly, 'use.mts']).stdout === '')
const tools = await toolsOverStdio('node', ['node_modules/passim/dist/cli.js', 'mcp'])
check('node node_modules/passim/dist/cli.js mcp', tools.includes('ask'), tools.join())
const blocks = spawnSync('npx', ['vitest', 'run', 'test/mcp/configuration.test.ts'], {
  env: { ...process.env, PASSIM_TEST_PACKAGE: path.join(folder, 'node_modules/passim') },
  encoding: 'utf8',
})
check('the blocks of docs/connect.md start it from there', blocks.status === 0, `${blocks.stdout}${blocks.stderr}`)
console.log(`${run('du', ['-sm', 'node_modules']).stdout.split('\t')[0]} MB installed`)

function pack() {
  const { status } = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) process.exit(1)
  return path.join(folder, readdirSync(folder).find(name => name.endsWith('.tgz')))
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' })
  check([path.basename(command), ...args].join(' '), status === 0, `${stdout}${stderr}`)
  return { stdout, stderr }
}

function check(name, holds, found = '') {
  if (holds) return
  console.error(`Failed: ${name}\n${found}`)
  process.exit(1)
}

/** The names of the tools that an MCP server offers over standard streams. */
async function toolsOverStdio(command, args) {
  const server = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const send = message => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'try', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result } = JSON.parse(line)
    if (id === 1) send({ method: 'notifications/initialized' })
    if (id === 1) send({ id: 2, method: 'tools/list' })
    if (id !== 2) continue
    server.stdin.end()
    return result.tools.map(({ name }) => name)
  }
  return []
}
