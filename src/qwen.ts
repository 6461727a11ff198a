export { parseGenerateConfig } from './agent/generate-config-json.ts'
export { type MessageJson, messageJson, parseMessage } from './agent/message-json.ts'
export { runJson } from './agent/run-json.ts'
export { transcript } from './agent/transcript.ts'
