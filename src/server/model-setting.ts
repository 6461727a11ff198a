import { z } from 'zod'
import type { ModelSetting } from '../app/tenants/model-setting.ts'
import type { ModelSettingJson } from '../wire/model.ts'
import type { RequestContext } from './http/context.ts'
import { readBody } from './http/input.ts'
import type { Routes } from './route.ts'

const changeSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe(
      'Address of a server with `/chat/completions`, such as `http://127.0.0.1:11434/v1` (at most 2,000 characters).',
    ),
  name: z.string().trim().min(1).max(200).describe('Name of the model (1 to 200 characters).'),
  key: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      'Key of the server (1 to 2,000 characters), which is never returned. Default: the key so far, if the server is the same.',
    ),
  maxInputTokens: z
    .int()
    .min(0)
    .max(100_000_000)
    .optional()
    .describe(
      'Maximum number of tokens of a request, at most what the model reads; 0 means no limit. Default: 58,000.',
    ),
})

export function createModelSettingRoutes(setting: ModelSetting): Routes {
  return {
    'GET /api/model': {
      summary: 'Get the chat model of the service',
      description: 'Needs the scope `admin`.',
      answer: 'ModelSetting',
      reply: c => c.json<ModelSettingJson>(setting.describe()),
    },
    'PUT /api/model': {
      summary: 'Set the chat model of the service',
      description:
        'Needs the scope `admin`. The model is stored once it has answered two short requests, and used from then on. Fails with 409 if the operator set it in a file or the environment, or if several nodes share the catalog.',
      body: changeSchema,
      example: { url: 'http://127.0.0.1:11434/v1', name: 'qwen3:8b' },
      answer: 'ModelSetting',
      mayFailUpstream: true,
      reply: c => change(c, setting),
    },
    'DELETE /api/model': {
      summary: 'Use no chat model',
      description: 'Needs the scope `admin`. Answers quote the documents then.',
      answer: 'ModelSetting',
      reply: async c => c.json<ModelSettingJson>(await setting.remove()),
    },
  }
}

async function change(c: RequestContext, setting: ModelSetting): Promise<Response> {
  const body = await readBody(c, changeSchema)
  return c.json<ModelSettingJson>(await setting.update(body, c.var.signal))
}
