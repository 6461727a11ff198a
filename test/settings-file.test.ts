import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { loadSettings } from '../src/config.ts'
import { Sandbox } from './fakes/store.ts'

test.each(['model:\n  key: sk-secret: 1\n', 'model: {key: "sk-secret\n', 'model:\n  key: *sk-secret\n'])(
  'a mistake in a settings file is told by its place, not by its line: %j',
  async text => {
    const sandbox = await Sandbox.make()
    const file = `${sandbox.folder}/config.yaml`
    await writeFile(file, text)
    const load = () => loadSettings({ home: sandbox.home, configFile: file, environment: {} })
    expect(load).toThrow(/Cannot read the settings file .*config\.yaml: it is no YAML/)
    expect(load).not.toThrow(/sk-secret/)
    await sandbox.remove()
  },
)
