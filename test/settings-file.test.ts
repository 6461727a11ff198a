import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { loadSettings } from '../src/config.ts'
import { toAppError } from '../src/errors.ts'
import { Sandbox } from './fakes/store.ts'

test.each([
  'model:\n  key: sk-secret: 1\n',
  'model: {key: "sk-secret\n',
  'model:\n  key: *sk-secret\n',
])('a mistake in a settings file is told by its place, not by its line: %j', async text => {
  const sandbox = await Sandbox.make()
  const file = `${sandbox.folder}/config.yaml`
  await writeFile(file, text)
  const loaded = loadSettings({ home: sandbox.home, configFile: file, environment: {} })
  const { message } = await loaded.then(() => new Error('It was read.'), toAppError)
  expect(message).toMatch(/^Cannot read the settings file .*config\.yaml: it is not valid YAML/)
  expect(message).not.toContain('sk-secret')
  await sandbox.remove()
})
