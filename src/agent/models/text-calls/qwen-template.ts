import { createId } from '../../../system/digest.ts'
import type { Language } from '../../../text/language.ts'
import { type Message, textContent } from '../../message.ts'
import { detectConversationLanguage } from '../../messages/reply-language.ts'
import {
  type ModelRequest,
  NO_CALL_NAME,
  type ToolChoice,
  type ToolDefinition,
  UNNAMED_CALL,
} from '../../model.ts'
import { findMarker, measureSafeLength } from './marker-scan.ts'
import type { CallReader, CallTemplate, TextOrCall } from './text-calls.ts'
import {
  continueLast,
  joinTurns,
  PrefilledCallReader,
  prefillCall,
  type Surroundings,
  withToolBlock,
} from './written-turns.ts'

const FUNCTION = '✿FUNCTION✿'
const ARGS = '✿ARGS✿'
const RESULT = '✿RESULT✿'
const RETURN = '✿RETURN✿'
const MARKS = [FUNCTION, ARGS, RESULT, RETURN] as const

/** Instruction for `required`; the model chooses the tool. */
const REQUIRED_INSTRUCTION = { en: 'Call one of the tools now.', zh: '现在请调用其中一个工具。' }
const HEADINGS: Readonly<Record<Language, string>> = {
  zh: '# 工具\n\n## 你拥有如下工具：',
  en: '# Tools\n\n## You have access to the following tools:',
}

/** Qwen 1 and 2: ✿ marks in the assistant's turn. */
export const qwenTemplate: CallTemplate = {
  stop: [RESULT, RETURN],
  write: writeQwen,
  createReader({ toolChoice }) {
    const callStart = writeCallStart(toolChoice)
    return callStart === ''
      ? new QwenReader()
      : new PrefilledCallReader(new QwenReader(), callStart)
  },
}

function writeQwen(request: ModelRequest): readonly Message[] {
  const { messages, tools, toolChoice } = request
  const turns = continueLast(
    prefillCall(joinTurns(messages, writePart), writeCallStart(toolChoice)),
  )
  if (tools.length === 0 || toolChoice === 'none') return turns
  const isParallel = request.config?.parallelFunctionCalls ?? false
  const userMessages = messages.filter(({ role }) => role === 'user') // documents may be in the other language
  const language = detectConversationLanguage(userMessages.length > 0 ? userMessages : messages)
  const toolBlock = writeTools(tools, language, isParallel ? 'parallel' : 'single')
  const block =
    toolChoice === 'required' ? `${toolBlock}\n\n${REQUIRED_INSTRUCTION[language]}` : toolBlock
  return withToolBlock(turns, block)
}

function writeCallStart(choice: ToolChoice): string {
  return typeof choice === 'string' ? '' : `${FUNCTION}: ${choice.name}\n${ARGS}: `
}

function writePart(message: Message, { isBeforeResult: isMoreToCome }: Surroundings): string {
  const text = textContent(message)
  const escapedText = text.replaceAll('✿', '*')
  if (message.role === 'function')
    return `\n${RESULT}: ${escapedText}${isMoreToCome ? '' : `\n${RETURN}: `}`
  const { functionCall } = message
  if (!functionCall) return text
  return `${text}\n${FUNCTION}: ${functionCall.name}\n${ARGS}: ${functionCall.arguments}`
}

type State = 'text' | 'name' | 'arguments' | 'result'

class QwenReader implements CallReader {
  #buffer = ''
  #state: State = 'text'
  #name = ''
  #hasCalled = false
  #isAfterMark = false;

  *push(text: string): Iterable<TextOrCall> {
    this.#buffer += text
    for (;;) {
      const found = findMarker(this.#buffer, MARKS)
      if (!found) break
      yield* this.#closeSection(found.before, found.marker)
      this.#buffer = found.after
      this.#isAfterMark = true
    }
    if (this.#state !== 'text') return
    const safe = measureSafeLength(this.#buffer, MARKS)
    yield* this.#emitText(this.#buffer.slice(0, safe))
    this.#buffer = this.#buffer.slice(safe)
  }

  *end(): Iterable<TextOrCall> {
    yield* this.#closeSection(this.#buffer.replace(/✿[A-Z]*$/, ''), undefined)
  }

  *#closeSection(before: string, marker: string | undefined): Iterable<TextOrCall> {
    const content = before.replace(/^\s*[:：]\s*/, '').trim()
    if (this.#state === 'text') yield* this.#emitText(before)
    if (this.#state === 'name') this.#name = content
    if (this.#state === 'name' && marker !== ARGS) yield* this.#emitCall('')
    if (this.#state === 'arguments') yield* this.#emitCall(content)
    this.#state =
      marker === FUNCTION
        ? 'name'
        : marker === ARGS
          ? 'arguments'
          : marker === RESULT
            ? 'result'
            : 'text'
  }

  *#emitText(text: string): Iterable<TextOrCall> {
    const trimmed = this.#isAfterMark ? text.replace(/^\s*[:：]?\s*/, '') : text
    if (trimmed === '' || this.#hasCalled) return
    this.#isAfterMark = false
    yield { type: 'text-delta', text: trimmed }
  }

  *#emitCall(args: string): Iterable<TextOrCall> {
    if (this.#name === '' && args === '') return
    this.#hasCalled = true
    const call = { id: createId('call_'), arguments: args }
    const nameOrProblem =
      this.#name === '' ? { name: UNNAMED_CALL, problem: NO_CALL_NAME } : { name: this.#name }
    yield { type: 'tool-call', call: { ...call, ...nameOrProblem } }
    this.#name = ''
  }
}

type CallMode = 'single' | 'parallel'

function writeTools(tools: readonly ToolDefinition[], language: Language, form: CallMode): string {
  const descriptions = tools.map(tool => describe(tool, language))
  const names = tools.map(tool => tool.name).join(',')
  return [HEADINGS[language], ...descriptions, CALL_INSTRUCTIONS[form][language](names)].join(
    '\n\n',
  )
}

function describe(
  { name, nameForHuman, description, parameters, argsFormat }: ToolDefinition,
  language: Language,
): string {
  const input = { zh: '输入参数：', en: 'Parameters: ' }[language]
  const format =
    argsFormat ??
    { zh: '此工具的输入应为JSON对象。', en: 'Format the arguments as a JSON object.' }[language]
  return `### ${nameForHuman ?? name}\n\n${name}: ${description} ${input}${JSON.stringify(parameters)} ${format}`
}

const CALL_INSTRUCTIONS: Readonly<
  Record<CallMode, Readonly<Record<Language, (names: string) => string>>>
> = {
  single: {
    zh: names => `## 你可以在回复中插入零次、一次或多次以下命令以调用工具：

${FUNCTION}: 工具名称，必须是[${names}]之一。
${ARGS}: 工具输入
${RESULT}: 工具结果
${RETURN}: 根据工具结果进行回复`,
    en: names => `## When you need to call a tool, insert the following command in your reply; it can be used zero or more times:

${FUNCTION}: The tool to use, one of [${names}]
${ARGS}: The input of the tool
${RESULT}: Tool results
${RETURN}: Reply based on the tool results`,
  },
  parallel: {
    zh: names => `## 你可以在回复中插入以下命令以并行调用N个工具：

${FUNCTION}: 工具1的名称，必须是[${names}]之一
${ARGS}: 工具1的输入
${FUNCTION}: 工具2的名称
${ARGS}: 工具2的输入
...
${RESULT}: 工具1的结果
${RESULT}: 工具2的结果
...
${RETURN}: 根据工具结果进行回复`,
    en: names => `## Insert the following command in your reply when you need to call N tools in parallel:

${FUNCTION}: The name of tool 1, one of [${names}]
${ARGS}: The input of tool 1
${FUNCTION}: The name of tool 2
${ARGS}: The input of tool 2
...
${RESULT}: The result of tool 1
${RESULT}: The result of tool 2
...
${RETURN}: Reply based on the tool results`,
  },
}
