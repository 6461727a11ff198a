export { parseGenerateConfig } from './qwen/generate-config-json.ts'
export {
  type MessageJson,
  parseMessage,
  toMessageJson as messageJson,
} from './qwen/message-json.ts'
export { runJson } from './qwen/run-json.ts'
export { transcript } from './qwen/transcript.ts'
