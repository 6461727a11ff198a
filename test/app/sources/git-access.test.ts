import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Settings } from '../../../src/config.ts'
import { loadSettings } from '../../../src/config.ts'
import { GitServer } from '../../fakes/git-server.ts'
import { Sandbox } from '../../fakes/store.ts'

const run = promisify(execFile)

const SSHD = '/usr/sbin/sshd'
const TEXT = 'The notice period is six weeks.'

let sandbox: Sandbox
let git: GitServer
beforeEach(async () => {
  sandbox = await Sandbox.make()
  git = await GitServer.start({ user: 'reader', password: 'hunter2' })
  await git.write('lease.md', TEXT)
  await mkdir(sandbox.path(''), { recursive: true })
})
afterEach(async () => {
  await sandbox.remove()
  await git.close()
})

async function read(settings: object): Promise<string> {
  const code = { type: 'git', allowPrivate: true, collection: 'code', ...settings }
  const passim = await sandbox.open({
    settings: { sources: { code } as unknown as Settings['sources'] }, // what the schema completes
  })
  const { documents } = await passim.sources.run('code')
  const hits = await passim.search({ query: 'notice period', mode: 'keyword' }).catch(() => [])
  await sandbox.close()
  return documents[0]?.error?.message ?? hits[0]?.text ?? ''
}

test('git reads over HTTPS from a server with a private certificate authority', async () => {
  const [key, cert] = [sandbox.path('key.pem'), sandbox.path('cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const names = ['-subj', '/CN=test', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', cert]
  await run('openssl', ['req', '-x509', '-nodes', '-days', '2', ...curve, ...files, ...names])
  const credentials = { key: await readFile(key), cert: await readFile(cert) }
  const tunnel = createTlsServer(credentials, socket => {
    const plain = connect(Number(new URL(git.url).port), '127.0.0.1')
    for (const end of [socket, plain]) end.on('error', () => {})
    socket.pipe(plain).pipe(socket)
  })
  await new Promise<void>(resolve => tunnel.listen(0, '127.0.0.1', resolve))
  const { port } = tunnel.address() as AddressInfo // it listens on a port
  const place = { url: `https://localhost:${port}/.git`, user: git.user, password: git.password }
  expect(await read(place)).toMatch(/certificate/)
  expect(await read({ ...place, caFile: cert })).toBe(TEXT)
  await new Promise(resolve => tunnel.close(resolve))
})

// needs OpenSSH's server
test.skipIf(!existsSync(SSHD))(
  'git reads over SSH with a key, from a known host only',
  async () => {
    for (const name of ['host', 'user'])
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', sandbox.path(name)])
    const port = await findFreePort()
    const lines = [
      ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${sandbox.path('host')}`],
      ...[`AuthorizedKeysFile ${sandbox.path('user.pub')}`, 'PidFile none', 'UsePAM no'],
      ...['StrictModes no', 'PasswordAuthentication no', 'PermitRootLogin prohibit-password'],
    ]
    await writeFile(sandbox.path('sshd_config'), `${lines.join('\n')}\n`)
    const [type, key] = (await readFile(sandbox.path('host.pub'), 'utf8')).split(' ')
    await writeFile(sandbox.path('known_hosts'), `[127.0.0.1]:${port} ${type} ${key}\n`)
    await writeFile(sandbox.path('no_hosts'), '')
    await startSshd(port)
    const url = `ssh://127.0.0.1:${port}${git.folder}/.git`
    const place = { url, user: userInfo().username, keyFile: sandbox.path('user') }
    const knownHostsFile = sandbox.path('known_hosts')
    expect(await read({ ...place, knownHostsFile: sandbox.path('no_hosts') })).toMatch(
      /[Hh]ost key/,
    )
    expect(await read({ ...place, keyFile: sandbox.path('host'), knownHostsFile })).toMatch(
      /denied/,
    )
    expect(await read({ ...place, knownHostsFile })).toBe(TEXT)
  },
)

test('a file that would be an option of a shell is refused', async () => {
  const load = async (keyFile: string) =>
    await loadSettings({
      home: sandbox.home,
      environment: {},
      settings: { sources: { code: { type: 'git', url: 'ssh://example.org/a.git', keyFile } } },
    })
  await expect(load('/tmp/a; touch b')).rejects.toThrow(/keyFile/)
  await expect(load('relative')).rejects.toThrow(/keyFile/)
  expect((await load('/srv/keys/id_ed25519')).sources.code).toMatchObject({ type: 'git' })
})

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Ends it with the test, even if it fails. */
async function startSshd(port: number): Promise<void> {
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true }) // sshd refuses to start without
  const server = spawn(SSHD, ['-D', '-e', '-f', sandbox.path('sshd_config')], { stdio: 'ignore' })
  onTestFinished(() => void server.kill())
  await expect
    .poll(
      async () =>
        await new Promise<boolean>(resolve => {
          const socket = connect(port, '127.0.0.1', () => resolve(true))
          socket.on('error', () => resolve(false)).on('connect', () => socket.end())
        }),
    )
    .toBe(true)
}
