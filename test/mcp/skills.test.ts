import { createHash } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { serveMcpHttp } from '../../src/mcp/http.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let service: Awaited<ReturnType<typeof serveMcpHttp>>
beforeAll(async () => {
  sandbox = await Sandbox.make()
  service = await serveMcpHttp(await sandbox.open(), { port: 0 })
})
afterAll(async () => {
  await service.close()
  await sandbox.remove()
})

const caching = {
  resultType: z.literal('complete').optional(),
  ttlMs: z.int(),
  cacheScope: z.string(),
}
const skillSchema = z.object({
  uri: z.string(),
  frontmatter: z.looseObject({ name: z.string(), description: z.string().max(1024) }),
  resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.int() })),
})
const listSchema = z.object({ ...caching, skills: z.array(skillSchema) })
const getSchema = z.object({ ...caching, skill: skillSchema })

test.each(['auto', 'legacy'] as const)(
  'a skill is listed, read and checked by its digest (%s)',
  async mode => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(service.url)))
    expect(client.getServerCapabilities()).toMatchObject({
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': {} },
    })
    const { skills } = await client.request({ method: 'skills/list', params: {} }, listSchema)
    const [skill] = skills
    expect(skill?.uri).toBe(`skill://${skill?.frontmatter.name}/SKILL.md`)
    const { skill: same } = await client.request(
      { method: 'skills/get', params: { uri: skill!.uri } },
      getSchema,
    )
    expect(same).toEqual(skill)
    const { contents } = await client.readResource({ uri: skill!.uri })
    const { text } = z.object({ text: z.string() }).parse(contents[0])
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
    expect(skill?.resources).toEqual([{ uri: skill?.uri, digest, size: Buffer.byteLength(text) }])
    expect(parse(text.split('---\n')[1]!)).toEqual(skill?.frontmatter)
    const { tools } = await client.listTools()
    for (const [, tool = ''] of text.matchAll(/(?:call|with) `(\w+)`/g))
      expect(tools.map(({ name }) => name)).toContain(tool)
    const unknown = { method: 'skills/get', params: { uri: 'skill://other/SKILL.md' } }
    await expect(client.request(unknown, getSchema)).rejects.toMatchObject({ code: -32602 })
    await client.close()
  },
)
