import type { Language } from '../../ingest/language.ts'
import type { ToolDefinition } from '../model.ts'

export const FUNCTION = '✿FUNCTION✿'
export const ARGS = '✿ARGS✿'
export const RESULT = '✿RESULT✿'
export const RETURN = '✿RETURN✿'
export const MARKS = [FUNCTION, ARGS, RESULT, RETURN] as const

type Form = 'single' | 'parallel'

const HEADINGS: Readonly<Record<Language, string>> = {
  zh: '# 工具\n\n## 你拥有如下工具：',
  en: '# Tools\n\n## You have access to the following tools:',
}

/** How the tools are told, and how they are to be called. */
export function qwenTools(tools: readonly ToolDefinition[], language: Language, form: Form): string {
  const described = tools.map(tool => describe(tool, language))
  const names = tools.map(tool => tool.name).join(',')
  return [HEADINGS[language], ...described, HOW[form][language](names)].join('\n\n')
}

function describe(
  { name, nameForHuman, description, parameters, argsFormat }: ToolDefinition,
  language: Language,
): string {
  const input = { zh: '输入参数：', en: 'Parameters: ' }[language]
  const format =
    argsFormat ?? { zh: '此工具的输入应为JSON对象。', en: 'Format the arguments as a JSON object.' }[language]
  return `### ${nameForHuman ?? name}\n\n${name}: ${description} ${input}${JSON.stringify(parameters)} ${format}`
}

const HOW: Readonly<Record<Form, Readonly<Record<Language, (names: string) => string>>>> = {
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
